// Creates the update from one recorded list to another.
import DiffCore
public import FoundationEssentials
public import PeerList

extension PeerListUpdate {
    /// Creates the update from one recorded list to another, regardless of the lines between them.
    ///
    /// - Parameters:
    ///   - old: The list before.
    ///   - new: The list after.
    ///   - reasons: The known reasons of departures; `removed` by default.
    ///   - transform: Returns the state to compare of an item that both lists have, given its state
    ///     after and its state before.
    /// - Complexity: O(*n*), where *n* is the number of items in both.
    public init(
        from old: RecordedList, to new: RecordedList, reasons: [UUID: Departure] = [:],
        transform: (_ now: ListItem, _ was: ListItem) -> ListItem = { now, _ in now }
    ) {
        let changes = old.items.compactMapValues { item -> Change? in
            guard let now = new.items[item.id].map({ transform($0, item) }), !now.isSame(as: item)
            else {
                return nil
            }
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
        switch line.content {
        case .begin: self.init(from: old, to: new)
        case .difference(let cause, let changes):
            self.init(changes, cause: cause, from: old, to: new)
        case .notice, .end, .unknown: return nil
        }
    }

    private init(
        _ recorded: [RecordedChange], cause: Cause, from old: RecordedList, to new: RecordedList
    ) {
        var arrivals: [UUID: ListItem] = [:]
        var departures: [UUID: (item: ListItem, reason: Departure)] = [:]
        var changes: [UUID: Change] = [:]
        for change in recorded {
            switch change {
            case .insert(_, let item): arrivals[item.id] = item
            case .delete(_, let item, let reason): departures[item.id] = (item, reason)
            case .update(_, let id, _, _):
                guard let was = old.items[id], let now = new.items[id] else { continue }
                changes[id] = Change(was: was, now: now)
            case .move, .insertSection, .deleteSection, .moveSection: break
            }
        }
        self.init(
            from: old, to: new, cause: cause, arrivals: arrivals, departures: departures,
            changes: changes)
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
