// Keeps what the rows of deleted items showed, for as long as they stay in the list.

/// The deleted items whose rows are still shown.
struct Departures<Item: Hashable & Sendable> {
    private struct Entry {
        let cell: ListCell
        var since: ContinuousClock.Instant?
    }

    /// No more than this are shown: then the ones that left first go first.
    static var limit: Int { 500 }

    private let timing: ListTiming
    private var entries: [Item: Entry] = [:]
    private var order: [Item] = []

    init(timing: ListTiming) { self.timing = timing }

    /// Keeps what the item's row showed. Its time begins with the next frame.
    ///
    /// - Returns: The item that had to go for it.
    mutating func add(_ item: Item, showing cell: ListCell) -> Item? {
        entries[item] = Entry(cell: cell)
        order.append(item)
        guard order.count > Self.limit else { return nil }
        let first = order.removeFirst()
        entries[first] = nil
        return first
    }

    func contains(_ item: Item) -> Bool { entries[item] != nil }

    /// The items, the earliest deletion first.
    var items: [Item] { order }

    /// The cell and the mark of a deleted item's row at a moment, and when that mark changes.
    func row(
        of item: Item, at now: ContinuousClock.Instant
    ) -> (cell: ListCell, mark: RowMark, until: ContinuousClock.Instant?)? {
        guard let entry = entries[item] else { return nil }
        let fades = (entry.since ?? now) + timing.emphasis
        return now < fades
            ? (entry.cell, .departedNow, fades) : (entry.cell, .departedLately, nil)
    }

    mutating func remove(_ item: Item) {
        guard entries.removeValue(forKey: item) != nil else { return }
        order.removeAll { $0 == item }
    }

    mutating func removeAll() {
        entries = [:]
        order = []
    }

    /// Starts the time of the new ones and forgets the ones whose time is over.
    ///
    /// - Returns: Whether some were forgotten, and when the next will be.
    mutating func settle(
        at now: ContinuousClock.Instant
    ) -> (changed: Bool, next: ContinuousClock.Instant?) {
        var next: ContinuousClock.Instant?
        let before = order.count
        order.removeAll { item in
            let since = entries[item]?.since ?? now
            let end = since + timing.departure
            if now >= end {
                entries[item] = nil
                return true
            }
            entries[item]?.since = since
            next = min(next ?? end, end)
            return false
        }
        return (order.count < before, next)
    }
}
