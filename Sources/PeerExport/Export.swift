// Writes the devices of a list in the formats of other programs.
import FoundationEssentials
package import PeerModel
import PeerRecording
import PeerText

package enum ExportFormat: String, CaseIterable, Sendable {
    case hosts
    case sshConfig = "ssh-config"
    case ansible, prometheus, csv, json
}

package struct ExportOptions: Equatable, Sendable {
    package var format = ExportFormat.json
    /// The file to keep up to date; `nil` to print once.
    package var watched: String?
    /// The question of Ansible to an inventory script; `nil` for an inventory file.
    package var query: AnsibleInventory.Query?

    package init(
        format: ExportFormat = .json, watched: String? = nil,
        query: AnsibleInventory.Query? = nil
    ) {
        (self.format, self.watched, self.query) = (format, watched, query)
    }
}

/// The text of an export, and notices on what is left out of it.
package struct Export: Equatable {
    package let text: String
    package let notices: [String]

    /// Creates the export of a list for which a domain was browsed.
    package init(
        of sections: [ListSection], in domain: BrowsedDomain, _ list: ListOptions,
        _ export: ExportOptions, isLive: Bool = true
    ) {
        let peers = sections.peers(list)
        var omissions = Omissions()
        var hosts: [ExportedHost] { ExportedHost.all(of: peers, in: domain, &omissions) }
        var devices: [Peer] { peers.map { $0.withoutForeignName(domain, &omissions) } }
        switch export.format {
        case .hosts: text = Self.hosts(hosts, &omissions)
        case .sshConfig: text = Self.sshConfig(hosts, &omissions)
        case .ansible: text = AnsibleInventory(hosts, &omissions).text(for: export.query)
        case .prometheus: text = Self.prometheus(peers, in: domain, &omissions)
        case .csv: text = Self.csv(devices, isLive: isLive)
        case .json:
            text = Self.array(
                devices.map { peer in
                    let times = SeenTimes(peer, isLive: isLive)
                    return ListItem.peer(peer).json(firstSeen: times.first, lastSeen: times.last)
                })
        }
        notices = omissions.notices
    }

    /// Reports the notices on standard error, and returns the text.
    package func reported() -> String {
        for notice in notices { complain(notice) }
        return text
    }

    private static let heading = "# Written by 'peerlist export'.\n"

    /// Returns an array of JSON with a value in each line.
    private static func array(_ values: [String]) -> String {
        values.isEmpty ? "[]\n" : "[\n\(values.joined(separator: ",\n"))\n]\n"
    }

    // MARK: hosts(5)

    /// Returns a line for each address without scope, which hosts(5) does not know.
    private static func hosts(_ hosts: [ExportedHost], _ omissions: inout Omissions) -> String {
        heading
            + hosts.map { host in
                let addresses = host.addresses.filter { !$0.contains("%") }
                if addresses.isEmpty { omissions.add(host.peer.displayName, .noAddress) }
                return addresses.map { "\($0)\t\(host.name)\t# \(host.comment)\n" }.joined()
            }.joined()
    }

    // MARK: ssh_config(5)

    /// Returns the hosts under their full names: a device that announces `build.local` must not be what
    /// `ssh build` logs in to.
    private static func sshConfig(
        _ hosts: [ExportedHost], _ omissions: inout Omissions
    ) -> String {
        heading
            + hosts.map { host in
                let shells = host.peer.shells
                for other in shells.dropFirst() where other.port != shells[0].port {
                    omissions.add("\(host.name):\(other.port ?? 0)", .otherPort)
                }
                let lines =
                    [
                        "# \(host.comment)",
                        "Host " + spellings(host.name),
                        // In a HostName, a percent sign begins a token.
                        "    HostName " + host.addresses[0].replacing("%", with: "%%"),
                        // The key belongs to the name, whatever address the machine has.
                        "    HostKeyAlias \(host.name.lowercased())",
                    ] + (shells.first?.port.map { ["    Port \($0)"] } ?? [])
                return "\n" + lines.map { $0 + "\n" }.joined()
            }.joined()
    }

    /// Returns a name as announced and in lower case; ssh distinguishes them.
    private static func spellings(_ name: String) -> String {
        name == name.lowercased() ? name : "\(name) \(name.lowercased())"
    }

    // MARK: Prometheus

    /// Returns a target group for each service, for `file_sd_configs`.
    private static func prometheus(
        _ peers: [Peer], in domain: BrowsedDomain, _ omissions: inout Omissions
    ) -> String {
        var groups: [String] = []
        var names: Set<String> = []
        for peer in peers {
            guard let address = peer.usableAddresses.first else {
                omissions.add(peer.displayName, peer.reasonWithoutAddress)
                continue
            }
            let peer = peer.withoutForeignName(domain, &omissions)
            // Of several devices with one name, the others would be the same instance.
            let name = (try? peer.safeHostName(in: domain).get()).flatMap { name in
                names.insert(name.lowercased()).inserted ? name : nil
            }
            for service in peer.services {
                guard let port = service.port, port != 0 else {
                    omissions.add(service.name, .noPort)
                    continue
                }
                let group = jsonLine { group in
                    group.member("targets", [endpoint(host: address, port: port)])
                    group.object("labels") { labels in
                        labels.member("instance", endpoint(host: name ?? address, port: port))
                        for (key, value) in service.labels(of: peer) {
                            labels.member("__meta_peerlist_\(key)", value)
                        }
                    }
                }
                groups.append(String(group.dropLast()))
            }
        }
        return array(groups)
    }

    // MARK: CSV

    /// A device with one of its services.
    private struct Row {
        let peer: Peer
        let times: SeenTimes
        let service: Service?
    }

    private typealias Column = (title: String, value: @Sendable (Row) -> String)

    private static let columns: [Column] =
        DeviceFact.all(in: .csv).map { fact -> Column in
            (fact.key, { row in fact.texts(of: row.peer).joined(separator: " ") })
        } + ownColumns

    private static let ownColumns: [Column] = [
        ("first_seen", { $0.times.first?.description ?? "" }),
        ("last_seen", { $0.times.last?.description ?? "" }),
        ("service", { $0.service?.name ?? "" }), ("type", { $0.service?.type ?? "" }),
        ("domain", { $0.service?.domain ?? "" }),
        ("port", { $0.service?.port.map { "\($0)" } ?? "" }),
        ("txt", { escaped($0.service?.txt.json ?? "") { $0.isHidden || $0 == ";" } }),
    ]

    /// Returns a row for each service (RFC 4180), each in one line.
    private static func csv(_ peers: [Peer], isLive: Bool) -> String {
        let rows = peers.flatMap { peer in
            let times = SeenTimes(peer, isLive: isLive)
            return (peer.services.isEmpty ? [nil] : peer.services.map(Optional.init)).map {
                let row = Row(peer: peer, times: times, service: $0)
                return columns.map { cell($0.value(row)) }
            }
        }
        return ([columns.map(\.title)] + rows).map { $0.joined(separator: ",") + "\r\n" }.joined()
    }

    /// Returns a cell, with control characters escaped. What a spreadsheet would take for a formula, if need be after
    /// spaces of any kind, gets an apostrophe in front, also after a semicolon, which separates cells in some countries.
    private static func cell(_ text: String) -> String {
        let formula = /(^|;)(?=["\s]*[=+\-@＝＋－＠])/.matchingSemantics(.unicodeScalar)
        let text = printable(text).replacing(formula) { "\($0.output.1)'" }
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") })
        else { return text }
        // By scalar: an accent after a quotation mark belongs to the same character.
        let scalars = text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(scalars)) + "\""
    }
}

/// The times of a device in an export, unless they only tell when the export was made.
private struct SeenTimes {
    /// The time of its first sighting: in a live export the first one ever, in a recording the first one in
    /// its run.
    let first: Timestamp?
    /// The time of its last sign of life; in a live export of a device that does not answer only.
    let last: Timestamp?

    init(_ peer: Peer, isLive: Bool) {
        first = isLive ? peer.firstEverSeen : peer.firstSeen
        last = isLive && !peer.presence.isSilent ? nil : peer.lastSeen
    }
}

extension ExportedHost {
    /// The name of the device and what it is, cut and without control characters.
    fileprivate var comment: String {
        let text = [peer.displayName, peer.deviceText].filter { !$0.isEmpty }
            .joined(separator: ", ")
        return printable(String(String.UnicodeScalarView(text.unicodeScalars.prefix(80))))
    }
}

extension Peer {
    /// The services through which ssh(1) logs in, the best one first.
    var shells: [Service] {
        Service.shellTypes.flatMap { type in
            services.filter { $0.type == type && $0.port ?? 0 != 0 }
        }
    }
}

extension Service {
    /// The labels of the service in Prometheus, without their common beginning, each once.
    fileprivate func labels(of peer: Peer) -> [(key: String, value: String)] {
        let known: [(key: String, value: String?)] = [
            ("service", name), ("type", type), ("domain", domain),
        ]
        let facts = DeviceFact.all(in: .prometheus).map { ($0.key, $0.text(of: peer)) }
        var keys: Set<String> = []
        let attributes = txt.pairs.compactMap { pair -> (key: String, value: String?)? in
            let key = "txt_" + identifier(pair.key)
            guard keys.insert(key).inserted, case .text(let text) = pair.value else { return nil }
            return (key, text)
        }
        return (facts + known + attributes).compactMap { key, value in value.map { (key, $0) } }
    }
}
