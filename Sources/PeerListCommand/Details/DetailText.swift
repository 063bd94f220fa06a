// Describes a row in lines: state, addresses, services, identity, paths and history.
import FoundationEssentials
import PeerList
import TerminalList

/// The details of rows.
struct DetailText {
    /// The maximum number of services that are described; of the others the number is shown.
    static let serviceLimit = 100

    private let seen: DeviceIndex
    private let history: ListHistory
    private let charset: Charset
    private let sightings: ItemSightings?
    private let localTime: (Timestamp) -> LocalTime

    /// Creates the details of rows.
    ///
    /// - Parameters:
    ///   - seen: The current devices and services.
    ///   - history: The history.
    ///   - charset: The characters of the strip of the last hour.
    ///   - sightings: The paths of the row and the time it was last heard; `nil` if unknown, as in a
    ///     recording: then the paths are derived from the addresses.
    ///   - localTime: Converts a time to local time.
    init(
        _ seen: DeviceIndex, _ history: ListHistory, charset: Charset = .unicode,
        sightings: ItemSightings? = nil,
        localTime: @escaping (Timestamp) -> LocalTime = { LocalTime($0) }
    ) {
        self.seen = seen
        self.history = history
        self.charset = charset
        self.sightings = sightings
        self.localTime = localTime
    }

    /// Returns the title of a row's details; `nil` for an unknown row.
    func title(of row: RowID) -> String? {
        if case .departed(let id) = row { return history.departed(id)?.item.title }
        guard let device = seen.device(of: row) else { return nil }
        guard row.service != nil else {
            return ListItem.peer(device.peer).title + (device.peer.isSelf ? ", this machine" : "")
        }
        return seen.service(of: row)?.service.map { "\($0.inWords) on \(device.peer.name)" }
    }

    /// Returns the details of a row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - end: The end of the hour in the strip; `nil` for the time of the latest update.
    /// - Returns: The lines; none for an unknown row.
    /// - Complexity: O(*n*), where *n* is the number of services that are described.
    func lines(of row: RowID, until end: Timestamp? = nil) -> [DetailLine] {
        let ids = seen.itemIDs(of: row)
        let past = historyLines(ids, end ?? history.latestTime)
        if case .departed(let id) = row {
            guard let departed = history.departed(id) else { return [] }
            return departedLines(departed) + past
        }
        guard let device = seen.device(of: row) else { return [] }
        guard row.service != nil else {
            return peerLines(device.peer, presence(device.peer.presence, ids))
                + serviceLines(device.peer.services, of: device.peer)
                + identityLines(device.peer) + past
        }
        guard let item = seen.service(of: row) else { return [] }
        return serviceLines(item.peer.services, of: device.peer)
            + [.space("peer/space"), .heading("name", device.peer.name)]
            + peerLines(device.peer, presence(item.peer.presence, ids))
            + identityLines(device.peer) + past
    }

    private func departedLines(_ departed: DepartedItem) -> [DetailLine] {
        let text = "left \(moment(departed.time)): \(departed.reasonText)"
        let state = DetailLine.entry("presence", "State", text, tone: .bad)
        let peer = departed.item.peer
        let services = serviceLines(peer.services, of: peer)
        let identity = identityLines(peer, until: departed.time)
        guard departed.item.isService else { return peerLines(peer, state) + services + identity }
        return services + [.space("peer/space"), .heading("name", peer.name)]
            + peerLines(peer, state) + identity
    }

    private func peerLines(_ peer: Peer, _ state: DetailLine) -> [DetailLine] {
        let host = peer.host.map { [DetailLine.entry("host", "Host", $0)] } ?? []
        return [state] + host
            + peer.addresses.enumerated().map { index, address in
                .entry(
                    "address/\(address)", index == 0 ? "Addresses" : "", address,
                    note: ParsedAddress(address)?.description)
            }
    }

    /// Returns the identifier, times and paths of a device; a departed one was seen until `end`.
    private func identityLines(
        _ peer: Peer, until end: Timestamp? = nil
    ) -> [DetailLine] {
        let lastSeen = [end, sightings?.lastSeen].compactMap { $0 }.reduce(peer.lastSeen, max)
        return [
            .space("identity/space"),
            .entry("id", "Identifier", peer.id.uuidString.lowercased()),
            .entry("identity", "", peer.identity.sourceText, tone: .muted),
            .entry("first-seen", "First seen", moment(peer.firstSeen)),
            .entry("last-seen", end == nil ? "Last heard" : "Last seen", moment(lastSeen)),
        ]
            + paths(to: peer).enumerated().map { index, path in
                .entry(
                    "interface/\(path.interface)", index == 0 ? "Seen on" : "", path.interface,
                    note: path.families.isEmpty ? nil : path.families.joined(separator: ", "))
            }
    }

    private func presence(_ presence: Presence, _ ids: [UUID]) -> DetailLine {
        let time = ids.compactMap { history.state(of: $0) }
            .filter { $0.state == .listed(presence) }.map(\.time).max()
        let since = time.map { " since \(moment($0))" } ?? ""
        let (text, tone): (String, Style.Tone) =
            switch presence {
            case .present: ("present", .good)
            case .resolving: ("resolving\(since): its host is not known yet", .muted)
            case .unanswered: ("unanswered\(since): it did not reply when asked", .caution)
            case .unknown:
                ("unknown\(since): discovery was interrupted, and it was not seen since", .caution)
            }
        return .entry("presence", "State", text, tone: tone)
    }

    private func historyLines(_ ids: [UUID], _ end: Timestamp?) -> [DetailLine] {
        var lines: [DetailLine] = []
        if let end, let strip = history.strip(of: ids, until: end, buckets: 30) {
            lines = [
                .space("strip/space"),
                .entry(
                    "strip", "Last hour", strip.text(charset: charset),
                    note: PresenceStrip.legend(charset: charset)),
            ]
        }
        let entries = history.entries(of: ids)
        guard !entries.isEmpty else { return lines }
        lines += [.space("changes/space"), .heading("changes", "Changes, latest first")]
        var counts: [Timestamp: Int] = [:]
        // Entries with the same time are numbered from the earliest, so that identifiers stay.
        let numbered = entries.reversed().map { entry in
            counts[entry.time, default: 0] += 1
            return DetailLine(
                "change/\(entry.time.microseconds)/\(counts[entry.time] ?? 0)",
                [
                    .init("  \(moment(entry.time))  ", style: Style(tone: .muted)),
                    .init(entry.text),
                ])
        }
        lines += numbered.reversed()
        if let omission = history.omission { lines.append(.entry("omission", "", omission)) }
        return lines
    }

    private func serviceLines(_ services: [Service], of peer: Peer) -> [DetailLine] {
        let lines = services.prefix(Self.serviceLimit).flatMap {
            ServiceDetails($0, of: peer).lines
        }
        let rest = services.count - Self.serviceLimit
        guard rest > 0 else { return lines }
        return lines
            + [.space("services/space"), .heading("services/rest", "and \(rest) more services")]
    }

    /// Returns the interfaces on which a peer is announced, and its known families on each.
    private func paths(to peer: Peer) -> [(interface: String, families: [String])] {
        guard let paths = sightings?.paths else {
            return peer.interfaces.map { ($0, peer.families(on: $0)) }
        }
        var interfaces: [(interface: String, families: [String])] = []
        for path in paths {
            let family = path.family == .ipv4 ? "IPv4" : "IPv6"
            if interfaces.last?.interface == path.interface.name {
                interfaces[interfaces.count - 1].families.append(family)
            } else {
                interfaces.append((path.interface.name, [family]))
            }
        }
        return interfaces
    }

    /// Returns the time of day, with the date if it is not that of the latest update.
    private func moment(_ time: Timestamp) -> String {
        let local = localTime(time)
        let today = history.latestTime.map { localTime($0).day }
        return local.day == today ? local.clock : "\(local.day) \(local.clock)"
    }
}

extension Identity {
    /// The source of the identifier, as text.
    fileprivate var sourceText: String {
        switch source {
        case .hostName: "from the host name \(value)"
        case .announced: "announced by itself: \(value)"
        case .service: "from the service \(value), whose host is not known yet"
        }
    }
}

extension Peer {
    /// Returns the families of the addresses on an interface: all addresses if there is one
    /// interface, else those whose scope names it.
    fileprivate func families(on interface: String) -> [String] {
        let known = addresses.compactMap(ParsedAddress.init).filter {
            interfaces.count == 1 || $0.scope == interface
        }
        return [("IPv4", false), ("IPv6", true)].filter { _, isIPv6 in
            known.contains { $0.isIPv6 == isIPv6 }
        }.map(\.0)
    }
}
