// Compares the lists of two observers of one network.
import DiffCore
import FoundationEssentials
public import PeerList

/// The differences between the lists of two observers.
///
/// Items are matched by identifier, which is the same on every observer. What
/// depends on the observer is not compared: times, `self`, interfaces, and the
/// scope of link-local addresses, which is an interface.
public struct ListComparison: Sendable {
    /// The update from the first list to the second, without the parts that are not compared.
    public let update: PeerListUpdate

    /// The number of items that only the first list has.
    public var onlyInFirst: Int { update.departures.count }
    /// The number of items that only the second list has.
    public var onlyInSecond: Int { update.arrivals.count }
    /// The number of items that differ.
    public var changedCount: Int { update.changes.count }
    /// The number of items that are equal in both lists.
    public let sameCount: Int

    /// Whether both lists have equal items in any order.
    public var isEqual: Bool { onlyInFirst + onlyInSecond + changedCount == 0 }

    /// Compares two lists with the same kind of rows.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of items in both.
    public init(from old: RecordedList, to new: RecordedList) {
        update = PeerListUpdate(from: old, to: new) { $0.asSeen(by: $1) }
        sameCount = old.items.count - update.departures.count - update.changes.count
    }
}

extension RecordedList {
    /// The identifiers of the list in order.
    var snapshot: PeerListSnapshot {
        var snapshot = PeerListSnapshot()
        for section in sections {
            snapshot.appendSections([section.id])
            snapshot.appendItems(section.items, toSection: section.id)
        }
        return snapshot
    }
}

extension ListItem {
    /// Returns the row without what only this observer sees, which is taken from another state of it.
    fileprivate func asSeen(by other: ListItem) -> ListItem {
        guard isService == other.isService else { return self }
        var item = self
        item.peer.isSelf = other.peer.isSelf
        item.peer.interfaces = other.peer.interfaces
        (item.peer.firstSeen, item.peer.lastSeen) = (other.peer.firstSeen, other.peer.lastSeen)
        if haveSameHosts(peer.addresses, other.peer.addresses) {
            item.peer.addresses = other.peer.addresses
        }
        return item
    }
}

/// Whether two lists of addresses are equal apart from the scopes after a `%`.
private func haveSameHosts(_ left: [String], _ right: [String]) -> Bool {
    func withoutScopes(_ addresses: [String]) -> Set<Substring> {
        Set(addresses.map { $0.prefix { $0 != "%" } })
    }
    return withoutScopes(left) == withoutScopes(right)
}
