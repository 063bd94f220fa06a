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
    /// The time for which a change is marked.
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

/// A mark of a recent change.
enum RowMark: Equatable {
    case arrivedNow, arrivedLately, updated, departedNow, departedLately

    /// The sign beside the row, so that the state does not depend on colour.
    var sign: String {
        switch self {
        case .arrivedNow, .arrivedLately: "+"
        case .updated: "~"
        case .departedNow, .departedLately: "-"
        }
    }

    var style: Style {
        switch self {
        case .arrivedNow: Style(.bold, tone: .good)
        case .arrivedLately: Style(tone: .good)
        case .updated: Style(tone: .caution)
        case .departedNow: Style(.bold, tone: .bad)
        case .departedLately: Style(tone: .bad)
        }
    }
}

/// The recent changes of items.
///
/// The time of a mark begins with the next frame, so that changes while the screen is stopped are
/// seen later.
struct RowChanges<Item: Hashable & Sendable> {
    typealias Instant = ContinuousClock.Instant

    private struct Mark {
        var isArrival: Bool
        var since: Instant?
    }

    private struct Departure {
        let cell: ListCell
        var since: Instant?
    }

    /// The maximum number of departed rows; beyond it the earliest are removed.
    private static var departureLimit: Int { 500 }

    private let timing: ListTiming
    private var marks: [Item: Mark] = [:]
    private var hasNewMarks = false
    private var firstMarkEnd: Instant?
    private var departures: [Item: Departure] = [:]
    /// The deleted items whose rows are still shown, the earliest deletion first.
    private(set) var departedItems: [Item] = []
    /// The successors of items that the next difference deletes.
    private var replacements: [Item: Item] = [:]

    /// The items deleted since the last layout of the rows.
    private(set) var deleted: Set<Item> = []
    /// The items moved, or deleted and inserted again, since the last layout of the rows.
    private(set) var moved: Set<Item> = []

    init(timing: ListTiming) { self.timing = timing }

    /// Applies a difference.
    ///
    /// - Parameters:
    ///   - difference: The difference.
    ///   - isMarked: Whether changes are marked and departed rows stay for a while.
    ///   - drawn: The cells on the screen: departed rows show them, and rows off the screen go.
    /// - Returns: The successors of replaced items.
    mutating func apply<Section>(
        _ difference: SnapshotDifference<Section, Item>, isMarked: Bool, drawn: [Item: ListCell]
    ) -> [Item: Item] {
        for change in difference.deletedItems {
            marks[change.item] = nil
            deleted.insert(change.item)
            if isMarked, replacements[change.item] == nil, let cell = drawn[change.item] {
                depart(change.item, showing: cell)
            }
        }
        let successors = Set(replacements.values)
        for change in difference.insertedItems {
            removeDeparture(change.item)
            deleted.remove(change.item)
            moved.insert(change.item)
            if isMarked, !successors.contains(change.item) { mark(change.item, isArrival: true) }
        }
        for move in difference.movedItems { moved.insert(move.item) }
        let replaced = difference.deletedItems.reduce(into: [:]) {
            $0[$1.item] = successor(of: $1.item)
        }
        replacements = [:]
        if isMarked {
            for change in difference.reconfiguredItems + difference.reloadedItems {
                mark(change.item, isArrival: false)
            }
            for item in replaced.values { mark(item, isArrival: false) }
        }
        return replaced
    }

    /// Removes all marks, departed rows and announced replacements.
    mutating func removeAll() {
        marks = [:]
        departures = [:]
        departedItems = []
        replacements = [:]
    }

    /// Removes the marks of items, and the rows of those that have departed.
    mutating func remove(_ items: some Sequence<Item>) {
        for item in items {
            marks[item] = nil
            removeDeparture(item)
        }
    }

    /// Announces that the next difference replaces an item by another one.
    mutating func expectReplacement(of old: Item, by new: Item) { replacements[old] = new }

    /// Forgets the deleted and moved items, after the rows have been laid out.
    mutating func rowsWereLaidOut() {
        deleted = []
        moved = []
    }

    func isDeparted(_ item: Item) -> Bool { departures[item] != nil }

    /// Starts the time of new marks and departures, and removes expired ones.
    ///
    /// - Returns: Whether departed rows expired, and when the next one will.
    /// - Complexity: O(departed rows), and O(marks) when one begins or ends.
    mutating func advance(to now: Instant) -> (rowsExpired: Bool, next: Instant?) {
        advanceMarks(to: now)
        var next: Instant?
        for (item, departure) in departures {
            let since = departure.since ?? now
            let end = since + timing.departure
            if now >= end {
                departures[item] = nil
            } else {
                if departure.since == nil { departures[item]?.since = now }
                next = min(next ?? end, end)
            }
        }
        let before = departedItems.count
        if departures.count < before {
            departedItems = departedItems.filter { departures[$0] != nil }
        }
        return (departedItems.count < before, next)
    }

    private mutating func advanceMarks(to now: Instant) {
        guard hasNewMarks || firstMarkEnd.map({ now >= $0 }) == true else { return }
        hasNewMarks = false
        firstMarkEnd = nil
        for (item, mark) in marks {
            let since = mark.since ?? now
            let end = since + duration(of: mark)
            if now >= end {
                marks[item] = nil
            } else {
                marks[item]?.since = since
                firstMarkEnd = min(firstMarkEnd ?? end, end)
            }
        }
    }

    /// Returns the mark of a present item, and when it changes.
    func mark(of item: Item, at now: Instant) -> (mark: RowMark, until: Instant)? {
        guard let mark = marks[item], let since = mark.since else { return nil }
        let end = since + duration(of: mark)
        guard mark.isArrival else { return (.updated, end) }
        let fades = since + timing.emphasis
        return now < fades ? (.arrivedNow, fades) : (.arrivedLately, end)
    }

    /// Returns the cell and the mark of a departed item, and when the mark changes.
    func departure(
        of item: Item, at now: Instant
    ) -> (cell: ListCell, mark: RowMark, until: Instant?)? {
        guard let departure = departures[item] else { return nil }
        let fades = (departure.since ?? now) + timing.emphasis
        return now < fades
            ? (departure.cell, .departedNow, fades) : (departure.cell, .departedLately, nil)
    }

    private func duration(of mark: Mark) -> Duration {
        mark.isArrival ? timing.emphasis + timing.arrival : timing.update
    }

    /// Marks an item; a recent arrival that changes stays an arrival.
    private mutating func mark(_ item: Item, isArrival: Bool) {
        if !isArrival, marks[item]?.isArrival == true { return }
        marks[item] = Mark(isArrival: isArrival)
        hasNewMarks = true
    }

    private mutating func depart(_ item: Item, showing cell: ListCell) {
        departures[item] = Departure(cell: cell)
        departedItems.append(item)
        guard departedItems.count > Self.departureLimit else { return }
        let first = departedItems.removeFirst()
        departures[first] = nil
        deleted.insert(first)
    }

    private mutating func removeDeparture(_ item: Item) {
        guard departures.removeValue(forKey: item) != nil else { return }
        departedItems.removeAll { $0 == item }
    }

    /// Returns the last of the successors of an item: one difference may combine several changes.
    private func successor(of item: Item) -> Item? {
        guard var last = replacements[item] else { return nil }
        for _ in replacements {
            guard let next = replacements[last], next != last else { break }
            last = next
        }
        return last
    }
}
