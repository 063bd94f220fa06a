// A network of devices for tests of rows, with the updates of a session.
import DiffCore
import FoundationEssentials
import PeerList
import PeerListTestSupport
import TerminalList

@testable import PeerListCommand

/// A list that tests change device by device, with its index.
struct Network {
    private var script = ListScript()
    private var peers: [UUID: Peer] = [:]
    private let grouping: Grouping
    private var clock = 0.0
    var seen: DeviceIndex

    /// Creates an empty network of a session that is grouped by device or type.
    init(_ grouping: Grouping = .device) {
        self.grouping = grouping
        seen = DeviceIndex()
    }

    /// Creates a network of devices that arrive at once.
    init(_ grouping: Grouping, _ peers: [Peer]) {
        self.init(grouping)
        change { all in for peer in peers { all[peer.id] = peer } }
    }

    /// Changes the devices and applies the update to the index.
    @discardableResult
    mutating func change(
        _ cause: PeerListUpdate.Cause = .changed, reason: PeerListUpdate.Departure = .removed,
        _ body: (inout [UUID: Peer]) -> Void
    ) -> PeerListUpdate {
        body(&peers)
        clock += 1
        let update = script.change(
            cause, reason: reason, at: House.time(clock), to: sections)
        seen.apply(update)
        return update
    }

    private var sections: [ListSection] {
        let peers = peers.values.sorted { $0.name < $1.name }
        guard grouping == .type else {
            return peers.isEmpty
                ? [] : [ListSection(id: "local", items: peers.map(ListItem.peer))]
        }
        let items = peers.flatMap { peer in
            peer.services.map { ListItem.service($0, of: peer) }
        }
        return Set(items.map(\.section)).sorted().map { type in
            ListSection(id: type, items: items.filter { $0.section == type })
        }
    }

    /// Returns the rows for choices.
    mutating func rows(
        _ choices: RowChoices = RowChoices(), departed: [DepartedItem] = []
    ) -> RowList {
        RowList(&seen, choices, departed: departed)
    }

    /// Returns the rows for choices as lines of text, children indented.
    mutating func text(
        _ choices: RowChoices = RowChoices(), departed: [DepartedItem] = []
    ) -> [String] {
        let rows = rows(choices, departed: departed)
        let sections = rows.snapshot.sectionIdentifiers
        return sections.flatMap { section in
            (rows.header(of: section).map { ["# \($0)"] } ?? [])
                + rows.snapshot.itemIdentifiers(inSection: section).map { row in
                    text(row, rows, departed)
                }
        }
    }

    private func text(_ row: RowID, _ rows: RowList, _ departed: [DepartedItem]) -> String {
        let sign =
            switch rows.outline(of: row, seen) {
            case nil: ""
            case let place? where place.level == 1: "    "
            case let place?: [.leaf: "  ", .collapsed: "> ", .expanded: "v "][place.branch] ?? ""
            }
        if case .departed(let id) = row {
            return sign + (departed.first { $0.id == id }?.item.title ?? "?")
        }
        let name = seen.service(of: row)?.service?.inWords ?? seen.device(of: row)?.peer.name
        return sign + (name ?? "?")
    }
}

/// Returns a device with services given as `type` or `type:instance name`.
func device(
    _ name: String, _ services: String..., address: String? = nil, arrived: Double = 0,
    txt: [String] = []
) -> Peer {
    let host = "\(name).local"
    let record = TXTRecord(strings: txt.map { Array($0.utf8) })
    let offered = services.map { text in
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        let key = ServiceKey(
            name: parts.count > 1 ? parts[1] : name, type: "_\(parts[0])._tcp", domain: "local")
        return Service(
            id: key.id, name: key.name, type: key.type, domain: "local", port: 80, txt: record)
    }
    let value = Identity.canonical(host)
    return Peer(
        id: Identity.uuid(forName: value), name: name, host: host, presence: .present,
        identity: Identity(source: .hostName, value: value), addresses: address.map { [$0] } ?? [],
        interfaces: ["eth0"], services: offered, firstSeen: House.time(arrived),
        lastSeen: House.time(arrived))
}
