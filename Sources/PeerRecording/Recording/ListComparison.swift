// What two lists see differently: the question of two machines that watch one network.
import DiffCore
import FoundationEssentials
public import PeerList

/// What one list has and another has not, or has otherwise.
///
/// The lists are joined on the identifier, which every observer computes alike.
/// What depends on who looks is not compared: times, which machine is the
/// observer, its interfaces, and the scope of link-local addresses, which is
/// one of these.
public struct ListComparison: Sendable {
    /// The difference that leads from the first list to the second one, with what was compared in its changes.
    public let update: PeerListUpdate

    /// How many items only the first list has.
    public var onlyInFirst: Int { update.departures.count }
    /// How many items only the second list has.
    public var onlyInSecond: Int { update.arrivals.count }
    /// How many items both have, but not alike.
    public var changedCount: Int { update.changes.count }
    /// How many items are alike in both.
    public let sameCount: Int

    /// Whether both lists say the same, in whatever order.
    public var isEqual: Bool { onlyInFirst + onlyInSecond + changedCount == 0 }

    /// Compares two lists with rows of one kind.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of items in both.
    public init(from old: RecordedList, to new: RecordedList) {
        update = PeerListUpdate(from: old, to: new) { $0.asSeen(by: $1) }
        sameCount = old.items.count - update.departures.count - update.changes.count
    }
}

extension RecordedList {
    /// The identifiers in their order.
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
    /// The row as the observer of another state of it would have it.
    fileprivate func asSeen(by other: ListItem) -> ListItem {
        switch (self, other) {
        case (.peer(var peer), .peer(let other)):
            peer.isSelf = other.isSelf
            peer.interfaces = other.interfaces
            (peer.firstSeen, peer.lastSeen) = (other.firstSeen, other.lastSeen)
            if haveSameHosts(peer.addresses, other.addresses) { peer.addresses = other.addresses }
            return .peer(peer)
        case (.service(var listing), .service(let other)):
            listing.peer.isSelf = other.peer.isSelf
            (listing.firstSeen, listing.lastSeen) = (other.firstSeen, other.lastSeen)
            if haveSameHosts(listing.peer.addresses, other.peer.addresses) {
                listing.peer.addresses = other.peer.addresses
            }
            return .service(listing)
        default:
            return self
        }
    }
}

/// Whether two lists of addresses are the same but for the scopes behind a `%`.
private func haveSameHosts(_ left: [String], _ right: [String]) -> Bool {
    func withoutScopes(_ addresses: [String]) -> Set<Substring> {
        Set(addresses.map { $0.prefix { $0 != "%" } })
    }
    return withoutScopes(left) == withoutScopes(right)
}
