// What happened to whom, in words, as much of it as is kept.
import PeerList

/// Something that happened, in words.
struct HistoryEntry: Sendable, Equatable {
    /// When.
    let time: Timestamp
    /// What.
    let words: String
}

/// What happened, oldest first; of very much only the latest.
struct ChangeLog: Sendable {
    private var entries: [HistoryEntry] = []
    /// The number of the first entry that is kept.
    private var first = 0
    private let limit: Int

    /// An empty log that keeps at least the latest `limit` entries.
    init(limit: Int) { self.limit = limit }

    /// Appends an entry, and gives its number.
    ///
    /// - Complexity: O(1) amortized.
    mutating func append(_ entry: HistoryEntry) -> Int {
        if entries.count >= limit + limit / 4 {
            let excess = entries.count - limit + 1
            entries.removeFirst(excess)
            first += excess
        }
        entries.append(entry)
        return first + entries.count - 1
    }

    /// The entry of a number; `nil` where it is kept no more.
    subscript(_ number: Int) -> HistoryEntry? {
        entries.indices.contains(number - first) ? entries[number - first] : nil
    }

    /// Whether entries were dropped because they were too many.
    var isIncomplete: Bool { first > 0 }

    /// The number of the next entry.
    var next: Int { first + entries.count }

    /// Forgets what came after a moment.
    mutating func rewind(to time: Timestamp) {
        while let last = entries.last, last.time > time { entries.removeLast() }
    }
}
