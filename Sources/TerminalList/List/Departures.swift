// The items that have left and are still shown for a few seconds.

/// The items that have left and are still shown for a few seconds.
struct Departures<Item: Hashable & Sendable> {
    private struct Entry {
        let cell: ListCell
        var since: ContinuousClock.Instant?
    }

    /// No more than this are shown: then the ones that left first go first.
    static var limit: Int { 500 }

    private let duration: Duration
    private var entries: [Item: Entry] = [:]
    private var order: [Item] = []

    init(duration: Duration) { self.duration = duration }

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

    func cell(of item: Item) -> ListCell? { entries[item]?.cell }

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
            let end = since + duration
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
