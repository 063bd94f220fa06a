// Tracks recent changes of items: their marks, departed rows, and replaced identifiers.
import DiffCore

/// The time for which changes stay visible, from the first frame that shows them.
public struct ListTiming: Hashable, Sendable {
    /// The time for which an arrival or a departure is emphasized.
    public var emphasis: Duration
    /// The time for which an arrival stays marked after that.
    public var arrival: Duration
    /// The time for which the row of a deleted item stays in the list.
    public var departure: Duration
    /// The time for which a changed or reloaded row is marked.
    public var update: Duration

    /// Creates timings; the defaults are a few seconds.
    public init(
        emphasis: Duration = .seconds(2), arrival: Duration = .seconds(3),
        departure: Duration = .seconds(4), update: Duration = .seconds(2)
    ) {
        self.emphasis = emphasis
        self.arrival = arrival
        self.departure = departure
        self.update = update
    }
}

/// The kinds of changes that rows are marked with.
public enum RowChange: Hashable, Sendable {
    /// The row arrived: `+`.
    case arrival
    /// The row changed: `~`.
    case update
    /// The item of a row that still stays in the list has departed: `-`.
    case departure
}

/// The mark of a recent change: a sign, so that it does not depend on colour, and a style.
struct RowMark {
    let sign: String
    let style: Style
    /// The time at which the mark changes; `nil` if it stays until the departed row is removed.
    let until: ContinuousClock.Instant?
}

/// The recent changes of items. The time of a change begins with the next frame, so changes during a
/// stop of the screen are visible afterwards.
struct RowChanges<Item: Hashable & Sendable> {
    typealias Instant = ContinuousClock.Instant

    private enum Change {
        case arrival, update, reload
        /// The item is gone; its row shows this cell, with or without a mark.
        case departure(ListCell, isMarked: Bool)

        var isDeparture: Bool { if case .departure = self { true } else { false } }
    }

    /// The maximum number of departed rows; beyond it the earliest are removed.
    private static var departureLimit: Int { 500 }

    /// The time for which the row of a deleted item stays at most that is not marked as departed.
    private static var unmarkedDeparture: Duration { .seconds(4) }

    private let timing: ListTiming
    /// Whether differences mark the rows that they change.
    var marksDifferences = true
    private var changes: [Item: (change: Change, since: Instant?)] = [:]
    /// Whether the times in ``nextEnd`` and ``nextExpiry`` are to be computed again.
    private var isStale = false
    /// The first end of a change, and of a departed row.
    private var nextEnd, nextExpiry: Instant?
    /// The deleted items whose rows are still shown, the earliest deletion first.
    private(set) var departedItems: [Item] = []
    /// The successors of items that the next difference deletes.
    private var replacements: [Item: Item] = [:]
    /// The items moved, or deleted and inserted again, since the last layout of the rows.
    private(set) var moved: Set<Item> = []

    init(timing: ListTiming) { self.timing = timing }

    /// Applies a difference that reloads the sections of some items; returns the successors of
    /// replaced items. If it is marked, departed rows stay for a while with the cells that were last
    /// drawn, and changes have marks if ``marksDifferences`` is set.
    mutating func apply<Section>(
        _ difference: SnapshotDifference<Section, Item>, reloading reloaded: [Item],
        isMarked: Bool, drawn: [Item: ListCell]
    ) -> [Item: Item] {
        var replaced: [Item: Item] = [:]
        for item in difference.deletedItems.lazy.map(\.item) {
            changes[item] = nil
            if let successor = successor(of: item) {
                replaced[item] = successor
            } else if isMarked, let cell = drawn[item] {
                set(.departure(cell, isMarked: marksDifferences), of: item)
                departedItems.append(item)
            }
        }
        if departedItems.count > Self.departureLimit {
            remove(departedItems.dropLast(Self.departureLimit))
        }
        let successors = Set(replacements.values)
        let inserted = difference.insertedItems.map(\.item)
        remove(inserted)
        moved.formUnion(inserted)
        moved.formUnion(difference.movedItems.lazy.map(\.item))
        replacements = [:]
        guard isMarked, marksDifferences else { return replaced }
        for item in inserted where !successors.contains(item) { set(.arrival, of: item) }
        for item in difference.reconfiguredItems.map(\.item) + replaced.values {
            // A recent arrival that changes stays an arrival, and a reloaded row stays one.
            switch changes[item]?.change {
            case .arrival, .reload: continue
            default: set(.update, of: item)
            }
        }
        for item in difference.reloadedItems.map(\.item) + reloaded {
            if case .arrival? = changes[item]?.change { continue }
            set(.reload, of: item)
        }
        return replaced
    }

    private mutating func set(_ change: Change, of item: Item) {
        changes[item] = (change, nil)
        isStale = true
    }

    /// Marks items: a departure only if its row still stays.
    mutating func mark(_ items: some Sequence<Item>, as kind: RowChange) {
        for item in items {
            switch (kind, changes[item]?.change) {
            case (.departure, .departure(let cell, _)):
                set(.departure(cell, isMarked: true), of: item)
            case (.departure, _), (_, .departure), (.update, .arrival): break
            case (.arrival, _): set(.arrival, of: item)
            case (.update, _): set(.update, of: item)
            }
        }
    }

    /// Replaces the fields in the cell of a departed item.
    mutating func setFields(_ fields: [ListCell.Field], ofDeparted item: Item) {
        guard case .departure(var cell, let isMarked)? = changes[item]?.change else { return }
        cell.fields = fields
        changes[item]?.change = .departure(cell, isMarked: isMarked)
    }

    /// Removes all marks, departed rows and announced replacements.
    mutating func removeAll() {
        changes = [:]
        departedItems = []
        replacements = [:]
        isStale = true
    }

    /// Removes the marks of items, and the rows of departed items.
    mutating func remove(_ items: some Sequence<Item>) {
        var departed: Set<Item> = []
        for item in items {
            if changes.removeValue(forKey: item)?.change.isDeparture == true {
                departed.insert(item)
            }
        }
        guard !departed.isEmpty else { return }
        departedItems.removeAll(where: departed.contains)
        isStale = true
    }

    /// Announces that the next difference replaces an item by another one.
    mutating func expectReplacement(of old: Item, by new: Item) { replacements[old] = new }

    /// Forgets the moved items, after the rows have been laid out.
    mutating func rowsWereLaidOut() { moved = [] }

    /// Starts the time of new changes and removes expired ones: in O(changes) when a change begins
    /// or ends, else in O(1). Returns whether departed rows expired, and when the next row will.
    mutating func advance(to now: Instant) -> (rowsExpired: Bool, next: Instant?) {
        guard isStale || nextEnd.map({ now >= $0 }) == true else { return (false, nextExpiry) }
        (isStale, nextEnd, nextExpiry) = (false, nil, nil)
        var rowsExpired = false
        for (item, (change, since)) in changes {
            let end = (since ?? now) + duration(of: change)
            if now >= end {
                changes[item] = nil
                rowsExpired = rowsExpired || change.isDeparture
            } else {
                changes[item]?.since = since ?? now
                nextEnd = min(nextEnd ?? end, end)
                if change.isDeparture { nextExpiry = min(nextExpiry ?? end, end) }
            }
        }
        if rowsExpired { departedItems.removeAll { changes[$0] == nil } }
        return (rowsExpired, nextExpiry)
    }

    private func duration(of change: Change) -> Duration {
        switch change {
        case .arrival: timing.emphasis + timing.arrival
        case .update, .reload: timing.update
        case .departure(_, isMarked: true): timing.departure
        case .departure: min(timing.departure, Self.unmarkedDeparture)
        }
    }

    /// Returns the mark of an item.
    func mark(of item: Item, at now: Instant) -> RowMark? {
        guard case let (change, since?)? = changes[item] else { return nil }
        if case .departure(_, isMarked: false) = change { return nil }
        let end = since + duration(of: change)
        let fades = since + timing.emphasis
        let fading = now < fades ? fades : nil
        let emphasis: Style.Attributes = fading == nil ? [] : .bold
        return switch change {
        case .update: RowMark(sign: "~", style: Style(tone: .caution), until: end)
        case .reload: RowMark(sign: "*", style: Style(.bold, tone: .caution), until: end)
        case .arrival:
            RowMark(sign: "+", style: Style(emphasis, tone: .good), until: fading ?? end)
        case .departure:
            RowMark(sign: "-", style: Style(emphasis, tone: .bad), until: fading)
        }
    }

    /// Returns the cell of a departed item.
    func departedCell(of item: Item) -> ListCell? {
        guard case .departure(let cell, _)? = changes[item]?.change else { return nil }
        return cell
    }

    /// Returns the last of the successors of an item, because one difference may combine several
    /// replacements.
    private func successor(of item: Item) -> Item? {
        guard var last = replacements[item] else { return nil }
        for _ in replacements {
            guard let next = replacements[last], next != last else { break }
            last = next
        }
        return last
    }
}
