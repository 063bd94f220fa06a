// Creates the update from one recorded list to another, of one observer or of two observers.
import DiffCore
public import FoundationEssentials
public import PeerModel

/// The differences between the lists of two observers.
///
/// Items are matched by identifier, which is the same on every observer. Values that depend on the
/// observer are not compared: times, `self`, interfaces, and the scope of link-local addresses,
/// which is an interface.
public struct ListComparison: Sendable {
    /// The update from the first list to the second, without the parts that are not compared.
    public let update: PeerListUpdate

    /// The number of items that only the first list has.
    public var onlyInFirst: Int { update.items.departures.count }
    /// The number of items that only the second list has.
    public var onlyInSecond: Int { update.items.arrivals.count }
    /// The number of items that differ.
    public var changedCount: Int { update.items.changes.count }
    /// The number of items that are equal in both lists.
    public let sameCount: Int

    /// Whether both lists have equal items in any order.
    public var isEqual: Bool { onlyInFirst + onlyInSecond + changedCount == 0 }

    /// Compares two lists with the same kind of rows.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of items in both.
    public init(from old: RecordedList, to new: RecordedList) {
        let compared = new.items.mapValues { now in
            guard let was = old.items[now.id] else { return now }
            var now = now.asObserved(in: was)
            if haveSameHosts(now.peer.addresses, was.peer.addresses) {
                now.peer.addresses = was.peer.addresses
            }
            return now
        }
        let items = ItemChanges(
            at: new.lastTime, from: old.items.keys, { old.items[$0] }, to: compared)
        update = PeerListUpdate(items, cause: .changed, from: old.snapshot, to: new.snapshot)
        sameCount = old.count - items.departures.count - items.changes.count
    }
}

/// Whether two lists of addresses are equal apart from the scopes after a `%`.
private func haveSameHosts(_ left: [String], _ right: [String]) -> Bool {
    func withoutScopes(_ addresses: [String]) -> Set<Substring> {
        Set(addresses.map { $0.prefix { $0 != "%" } })
    }
    return withoutScopes(left) == withoutScopes(right)
}

extension ItemChanges {
    /// Creates the changes from one recorded list to another, regardless of the lines between them.
    ///
    /// - Parameters:
    ///   - old: The list before.
    ///   - new: The list after.
    ///   - reasons: The known reasons of departures; `removed` by default.
    /// - Complexity: O(*n*), where *n* is the number of items in both.
    public init(
        from old: RecordedList, to new: RecordedList, reasons: [UUID: Departure] = [:]
    ) {
        self.init(at: new.lastTime, from: old.items.keys, { old.items[$0] }, to: new.items)
        for (id, reason) in reasons { departures[id]?.reason = reason }
    }
}
