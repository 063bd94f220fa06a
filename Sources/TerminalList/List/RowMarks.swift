// What has lately happened to items, and for how long it still shows.

/// What has lately happened to an item.
enum RowMark: Equatable {
    case arrivedNow, arrivedLately, updated, departedNow, departedLately

    /// The sign beside the row, so that nothing is told by colour alone.
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

/// The marks of items.
///
/// A mark's time begins with the next frame: what happens behind a stopped screen is seen later.
struct RowMarks<Item: Hashable & Sendable> {
    private enum Kind { case arrival, update }

    private struct Entry {
        var kind: Kind
        var since: ContinuousClock.Instant?
    }

    private let timing: ListTiming
    private var entries: [Item: Entry] = [:]
    private var hasNew = false
    private var firstEnd: ContinuousClock.Instant?

    init(timing: ListTiming) { self.timing = timing }

    mutating func arrived(_ item: Item) {
        entries[item] = Entry(kind: .arrival)
        hasNew = true
    }

    /// An arrival that changes soon after stays an arrival.
    mutating func updated(_ item: Item) {
        if let entry = entries[item], entry.kind == .arrival { return }
        entries[item] = Entry(kind: .update)
        hasNew = true
    }

    mutating func remove(_ item: Item) { entries[item] = nil }

    mutating func removeAll() { entries = [:] }

    /// Starts the time of new marks and forgets the ones whose time is over.
    ///
    /// - Complexity: O(marks) when there is a new one or one ends, else O(1).
    mutating func settle(at now: ContinuousClock.Instant) {
        guard hasNew || firstEnd.map({ now >= $0 }) == true else { return }
        hasNew = false
        firstEnd = nil
        for (item, entry) in entries {
            let since = entry.since ?? now
            let end = since + duration(of: entry.kind)
            if now >= end {
                entries[item] = nil
            } else {
                entries[item]?.since = since
                firstEnd = min(firstEnd ?? end, end)
            }
        }
    }

    /// What is to be drawn for an item now, and until when.
    func mark(
        of item: Item, at now: ContinuousClock.Instant
    ) -> (mark: RowMark, until: ContinuousClock.Instant)? {
        guard let entry = entries[item], let since = entry.since else { return nil }
        let end = since + duration(of: entry.kind)
        switch entry.kind {
        case .update: return (.updated, end)
        case .arrival:
            let fades = since + timing.emphasis
            return now < fades ? (.arrivedNow, fades) : (.arrivedLately, end)
        }
    }

    private func duration(of kind: Kind) -> Duration {
        switch kind {
        case .arrival: timing.emphasis + timing.arrival
        case .update: timing.update
        }
    }
}
