// A chosen row, and what of it is printed for the command line of another program.
import DiffCore
import FoundationEssentials
package import PeerLedger
package import PeerModel
import PeerRecording
import PeerSystem
import PeerText

/// A row that was chosen: a device, or a service of it.
package struct PickedRow: Sendable {
    /// The device, with all its listed services.
    package private(set) var peer: Peer
    private let item: ListItem
    private let domain: BrowsedDomain

    /// Finds a row in the list; returns `nil` if it has departed.
    init?(_ row: RowID, in seen: DeviceIndex) {
        guard let peer = seen.device(of: row)?.peer, let item = seen.item(of: row) else {
            return nil
        }
        (self.peer, self.item, domain) = (peer, item, seen.domain)
    }

    package var name: String { item.displayName }

    private var hostName: SafeHost? { SafeHost(nameOf: peer, in: domain) }

    private var address: SafeHost? { SafeHost(addressOf: peer) }

    /// Returns what is printed, at a host where that matters; `nil` if the row lacks it.
    ///
    /// None of these texts starts with a hyphen or contains a line end.
    private func text(_ part: PickOptions.Part?, at host: SafeHost?) -> String? {
        switch part {
        case nil: host?.text
        case .host: hostName?.text
        case .address: address?.text
        case .target:
            host.flatMap { host in
                port.map { endpoint(host: host.text, port: $0) }
            }
        case .url: host.flatMap(url)
        case .id: item.id.uuidString.lowercased()
        case .json: item.json
        }
    }

    /// The port of a service that was chosen; `nil` for a device.
    package var servicePort: UInt16? { item.service?.port }

    /// Returns the row with only the addresses that answer; `nil` if none does. If TCP ports were asked, one must be open.
    package func answering(_ answers: [AddressAnswer]) -> PickedRow? {
        let found = answers.filter { $0.ports.isEmpty ? $0.isOfDevice : $0.isOpen() }
        var row = self
        row.peer.addresses = peer.addresses.filter { address in
            found.contains { $0.address == address }
        }
        return row.peer.addresses.isEmpty ? nil : row
    }

    private var port: UInt16? {
        item.peer.services.lazy.compactMap(\.port).first { $0 != 0 }
    }

    /// Returns the first URL of the services: a ``SafeURL``, or `ssh://host:port`.
    private func url(at host: SafeHost) -> String? {
        item.peer.services.lazy.compactMap { service in
            if let url = SafeURL(of: service, at: host) { return url.text }
            guard let port = service.sshPort, let host = hostForSSH(host) else { return nil }
            return "ssh://\(host.text)\(port == 22 ? "" : ":\(port)")"
        }.first
    }

    /// Returns a host, or else an IPv4 address: ssh(1) takes no IPv6 address in a URL.
    private func hostForSSH(_ host: SafeHost) -> SafeHost? {
        ([host] + peer.addressesByReach.lazy.compactMap(SafeHost.init(address:)))
            .first { !$0.text.contains(":") }
    }

    /// Returns why a part of the row cannot be printed, at an address if this machine does not know
    /// the host name; `nil` if it can.
    package func fault(printing part: PickOptions.Part?, isNameKnown: Bool = true) -> String? {
        let host = isNameKnown ? hostName ?? address : address ?? hostName
        guard text(part, at: host) == nil else { return nil }
        let what =
            switch part {
            case .address: "address"
            case .target where port == nil: "port"
            case .url where host != nil: "URL"
            default: "host name"
            }
        if what == "URL", item.peer.services.contains(where: { $0.sshPort != nil }) {
            return "\(name): ssh takes no IPv6 address in a URL; use --print address"
        }
        if what == "host name", let host = peer.host {
            let reason =
                SafeHost(name: host) == nil
                ? "not safe for a command line" : "outside of the domain that was browsed"
            return "the host name of \(name) is \(reason): \(quoted(host))"
        }
        return "\(name) has no \(what)\(peer.isResolved ? "" : " yet")"
    }

    /// Returns what is printed; a host is named if this machine resolves its name to one of its
    /// addresses, and otherwise given by an address.
    package func text(
        _ part: PickOptions.Part?,
        resolving addresses: @Sendable (String) async -> Set<String> = {
            await HostLookup.addresses(of: $0)
        }
    ) async -> String? {
        var host = hostName ?? address
        if [nil, .target, .url].contains(part), let hostName, let address {
            let found = await addresses(hostName.text)
            let isHere = peer.addresses.contains { found.contains(HostLookup.number($0)) }
            host = isHere ? hostName : address
        }
        return text(part, at: host)
    }

    /// The devices of a list that match a search.
    package struct Matches: Sendable {
        /// The number of the devices; 1 if the whole search names one of them.
        package let count: Int
        package let first: PickedRow?
        /// The first devices.
        package let devices: [DeviceDirectory.Entry]
    }

    /// Finds the devices of a domain's list that match a search.
    package static func matches(
        _ query: String, in sections: [ListSection], of domain: BrowsedDomain
    ) -> Matches {
        var index = DeviceIndex()
        index.domain = domain
        index.apply(ItemChanges(from: [], { _ in nil }, to: sections, replaced: [:], at: .now()))
        let directory = DeviceDirectory(index.devices.values.map { .init($0.peer) })
        if case .one(let id) = directory.match(query: query), let peer = index.devices[id]?.peer {
            let row = PickedRow(.device(id), in: index)
            return Matches(count: 1, first: row, devices: [.init(peer)])
        }
        var choices = RowChoices()
        (choices.search, choices.matching) = (query, .exact)
        let rows = RowList(&index, choices)
        let first = rows.firstMatch ?? rows.snapshot.itemIdentifiers.first
        return Matches(
            count: rows.counts.shown.devices, first: first.flatMap { PickedRow($0, in: index) },
            devices: rows.snapshot.itemIdentifiers.lazy.filter { $0.parent == nil }
                .compactMap { index.device(of: $0)?.peer }.prefix(20).map { .init($0) })
    }
}

extension Service {
    /// The port on which ssh(1) logs in; `nil` if it does not.
    fileprivate var sshPort: UInt16? { type == "_ssh._tcp" && port != 0 ? port : nil }
}
