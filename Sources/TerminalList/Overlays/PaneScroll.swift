// How far a pane is scrolled, and the line that keeps its place while the text changes.

/// How far a pane is scrolled, and the line that keeps its place while the text changes.
struct PaneScroll {
    /// A row of the wrapped text, as it is found again: the nearest line with an identifier, how
    /// many lines below it, and which row of that line.
    struct RowKey: Hashable {
        var id: String?
        var below: Int
        var part: Int
    }

    /// The first row that is shown.
    private(set) var top = 0
    /// The rows as they were drawn last, and how many of them are seen at once.
    private var keys: [RowKey] = []
    private var height = 1

    /// Scrolls by so many rows.
    mutating func scroll(by count: Int) {
        // Jumps to an end are as long as any text, and no sum overflows.
        top = max(0, top + max(-Self.longest, min(count, Self.longest)))
        // Before the first frame nobody knows where the end is.
        if !keys.isEmpty { top = min(top, lastTop) }
    }

    private static let longest = 1 << 32

    private var lastTop: Int { max(0, keys.count - height) }

    /// Takes the rows in as they are now: the first row that was seen stays the first one, or
    /// the next one that is left. At the top it stays at the top.
    mutating func settle(_ new: [RowKey], height: Int) {
        if top > 0, new != keys {
            var places: [RowKey: Int] = [:]
            for (place, key) in new.enumerated() where places[key] == nil { places[key] = place }
            for old in keys.indices.dropFirst(top) {
                guard let place = places[keys[old]] else { continue }
                top += place - old
                break
            }
        }
        keys = new
        self.height = height
        top = max(0, min(top, lastTop))
    }

    /// Which rows of how many are seen, where not all of them are.
    var position: String? {
        keys.count <= height
            ? nil : "\(top + 1)-\(min(keys.count, top + height)) of \(keys.count)"
    }
}
