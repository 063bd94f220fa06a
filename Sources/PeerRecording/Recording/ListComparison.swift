// Creates the update from one recorded list to another, of one observer or of two observers.
import DiffCore
public import FoundationEssentials
public import PeerList

/// The differences between the lists of two observers.
///
/// Items are matched by identifier, which is the same on every observer. Values that depend on the
/// observer are not compared: times, `self`, interfaces, and the scope of link-local addresses,
/// which is an interface.
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
        update = PeerListUpdate(from: old, to: new) { now, was in
            var now = now.asObserved(in: was)
            if haveSameHosts(now.peer.addresses, was.peer.addresses) {
                now.peer.addresses = was.peer.addresses
            }
            return now
        }
        sameCount = old.count - update.departures.count - update.changes.count
    }
}

/// Whether two lists of addresses are equal apart from the scopes after a `%`.
private func haveSameHosts(_ left: [String], _ right: [String]) -> Bool {
    func withoutScopes(_ addresses: [String]) -> Set<Substring> {
        Set(addresses.map { $0.prefix { $0 != "%" } })
    }
    return withoutScopes(left) == withoutScopes(right)
}

extension PeerListUpdate {
    /// Creates the update from one recorded list to another, regardless of the lines between them.
    ///
    /// - Parameters:
    ///   - old: The list before.
    ///   - new: The list after.
    ///   - reasons: The known reasons of departures; `removed` by default.
    ///   - transform: Returns the state of an item to compare, given its states after and before;
    ///     called for items that both lists have.
    /// - Complexity: O(*n*), where *n* is the number of items in both.
    public init(
        from old: RecordedList, to new: RecordedList, reasons: [UUID: Departure] = [:],
        transform: (_ now: ListItem, _ was: ListItem) -> ListItem = { now, _ in now }
    ) {
        let changes = old.items.compactMapValues { item -> Change? in
            guard let now = new.items[item.id].map({ transform($0, item) }), !now.isSame(as: item)
            else { return nil }
            return Change(was: item, now: now)
        }
        self.init(
            from: old, to: new, cause: .changed,
            arrivals: new.items.filter { old.items[$0.key] == nil },
            departures: old.items.filter { new.items[$0.key] == nil }.mapValues {
                ($0, reasons[$0.id] ?? .removed)
            },
            changes: changes)
    }

    /// Creates the update of a line, or returns `nil` for a line that does not change the list.
    init?(_ line: RecordedLine, from old: RecordedList, to new: RecordedList) {
        switch line.kind {
        case .begin: self.init(from: old, to: new)
        case .diff:
            func items<Value>(
                _ op: LineChange.Operation, _ value: (LineChange) -> Value?
            ) -> [UUID: Value] {
                line.changes.reduce(into: [:]) { if $1.op == op { $0[$1.id] = value($1) } }
            }
            self.init(
                from: old, to: new, cause: line.cause, arrivals: items(.insert, \.item),
                departures: items(.delete) { change in change.item.map { ($0, change.reason) } },
                changes: items(.update) { change in
                    guard let was = old.items[change.id], let now = new.items[change.id] else {
                        return nil
                    }
                    return Change(was: was, now: now)
                })
        case .notice, .end, nil: return nil
        }
    }

    private init(
        from old: RecordedList, to new: RecordedList, cause: Cause,
        arrivals: [UUID: ListItem], departures: [UUID: (item: ListItem, reason: Departure)],
        changes: [UUID: Change]
    ) {
        var snapshot = new.snapshot
        snapshot.reconfigureItems(Array(changes.keys))
        self.init(
            time: new.time ?? Timestamp(microseconds: 0), cause: cause, snapshot: snapshot,
            difference: snapshot.difference(from: old.snapshot), arrivals: arrivals,
            departures: departures, changes: changes)
    }
}
