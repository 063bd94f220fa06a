// A list that tests change step by step, with the updates of a session.
import DiffCore
import FoundationEssentials
public import PeerModel

/// A list that tests change step by step.
public struct ListScript {
    /// The current list.
    public private(set) var sections: [ListSection] = []
    private var snapshot = PeerListSnapshot()

    /// Creates an empty list.
    public init() {}

    /// Changes the list and returns the update.
    ///
    /// - Parameters:
    ///   - cause: The cause of the update.
    ///   - reason: The reason of departures.
    ///   - time: The time of the update.
    ///   - sections: The new list.
    /// - Returns: The update from the previous list.
    public mutating func change(
        _ cause: PeerListUpdate.Cause, reason: Departure = .removed,
        at time: Timestamp, to sections: [ListSection]
    ) -> PeerListUpdate {
        let old = items(of: self.sections)
        let new = items(of: sections)
        var after = PeerListSnapshot()
        after.appendSections(sections.map(\.id))
        for section in sections {
            after.appendItems(section.items.map(\.id), toSection: section.id)
        }
        defer {
            self.sections = sections
            snapshot = after
        }
        let items = ItemChanges(
            at: time, arrivals: new.filter { old[$0.key] == nil },
            departures: old.filter { new[$0.key] == nil }.mapValues { (item: $0, reason: reason) },
            changes: new.compactMapValues { now in
                old[now.id].flatMap { $0 == now ? nil : .init(was: $0, now: now) }
            })
        return PeerListUpdate(items, cause: cause, from: snapshot, to: after)
    }

    private func items(of sections: [ListSection]) -> [UUID: ListItem] {
        Dictionary(uniqueKeysWithValues: sections.flatMap(\.items).map { ($0.id, $0) })
    }
}

extension [Peer] {
    /// Returns the list of the peers, all in the domain `local`, by name.
    public func sections(_ grouping: Grouping) -> [ListSection] {
        switch grouping {
        case .device:
            let items = map(ListItem.peer).sortedByName
            return [ListSection(id: "local", items: items)]
        case .type:
            let items = flatMap(\.serviceRows).sortedByName
            return Dictionary(grouping: items, by: \.section).sorted { $0.key < $1.key }
                .map { ListSection(id: $0, items: $1) }
        }
    }
}

extension [ListItem] {
    /// The items by name; each key is made once.
    fileprivate var sortedByName: [ListItem] {
        map { (SortKey(name: $0.name, id: $0.id), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension Peer {
    /// The rows of the services in a list that is grouped by type.
    fileprivate var serviceRows: [ListItem] {
        services.map { service in
            let unresolved = Peer(
                unresolved: service, presence: presence, firstSeen: firstSeen, lastSeen: lastSeen)
            return .service(service, of: host == nil ? unresolved : self)
        }
    }
}

extension NetworkPath {
    /// The path of an interface with a name such as `eth0`, whose index is 2.
    package init(_ interface: String, _ family: AddressFamily) {
        let index = 2 + (Int32(interface.filter(\.isNumber)) ?? 0)
        self.init(interface: NetworkInterface(index: index, name: interface), family: family)
    }
}
