// Divides the screen into its parts, and the width of the list among the columns.

/// The positions of the parts of the screen.
struct ScreenLayout {
    /// The width before the columns: selection mark, change mark, space.
    static let gutter = 3
    /// The minimum width of the list beside a pane, and the width of the rule between them.
    private static let (minimumList, ruleWidth) = (40, 3)

    /// The lines of the strip, the rows and the footer; the column titles are above the rows.
    let strip, rows, footer: Range<Int>
    /// The columns of the list, and of the pane.
    let list: Range<Int>
    let pane: Range<Int>?
    /// The positions of the list's columns.
    let columns: ColumnLayout

    /// The line of the column titles.
    var titleRow: Int { rows.lowerBound - 1 }

    /// Whether a window is wide enough for a pane beside the list.
    static func showsSidePane(_ size: FrameSize) -> Bool { size.columns >= TextPane.leastColumns }

    /// Lays out a screen with or without a line for a warning and a pane, and with some lines of
    /// strip and footer, of which a low screen shows fewer.
    init(
        _ size: FrameSize, warning: Bool, strip: Int, footer: Int, pane: TextPane.Placement?,
        columns: [ListColumn]
    ) {
        // The header, the titles and the last line are always shown.
        let fixed = warning ? 4 : 3
        let footerHeight = max(0, min(footer, size.rows - fixed - 3))
        let stripHeight = max(0, min(strip, size.rows - fixed - footerHeight - 6))
        self.strip = (fixed - 2)..<(fixed - 2 + stripHeight)
        let start = self.strip.upperBound + 1
        let end = max(start, size.rows - 1 - footerHeight)
        rows = start..<end
        self.footer = end..<(end + footerHeight)
        switch pane {
        case .full:
            list = 0..<0
            self.pane = 0..<size.columns
        case .side where Self.showsSidePane(size):
            list = 0..<max(Self.minimumList, size.columns / 2)
            self.pane = (list.upperBound + Self.ruleWidth)..<size.columns
        case .side, nil:
            list = 0..<size.columns
            self.pane = nil
        }
        self.columns = ColumnLayout(
            columns, from: Self.gutter, to: max(Self.gutter, list.upperBound))
    }
}

/// The positions of the columns. They depend only on the columns and the width, never on the rows,
/// so that nothing moves sideways when rows change.
package struct ColumnLayout {
    /// A visible column, by its index in the list's columns.
    package typealias Slot = (index: Int, start: Int, width: Int)

    /// The number of spaces between two columns.
    private static let gap = 2

    /// The visible columns, from left to right.
    package private(set) var slots: [Slot] = []

    /// Lays columns out between `start` and `end`.
    package init(_ columns: [ListColumn], from start: Int, to end: Int) {
        let room = max(0, end - start)
        let shown = Self.fitting(columns, in: room)
        let specs = shown.map { columns[$0] }
        var widths = specs.map(\.leastWidth)
        // A single column may be narrower than its least width.
        if Self.total(widths) > room { widths = [room] }
        var rest = room - Self.total(widths)
        for goal in [\ListColumn.minimum, \.ideal] {
            Self.grow(&widths, to: goal, specs, rest: &rest)
        }
        Self.share(&widths, specs, rest: &rest)
        var position = start
        for (index, width) in zip(shown, widths) {
            slots.append((index, position, width))
            position += width + Self.gap
        }
    }

    /// Returns the visible column at a column of the screen.
    func slot(at column: Int) -> Slot? {
        slots.first { ($0.start..<$0.start + $0.width).contains(column) }
    }

    private static func total(_ widths: [Int]) -> Int {
        widths.reduce(gap * max(0, widths.count - 1), +)
    }

    /// Drops columns, the lowest rank first, until the rest fits: first columns without a least
    /// width, until the minimum widths of the rest fit; then the others, until their least widths
    /// fit.
    private static func fitting(_ columns: [ListColumn], in room: Int) -> [Int] {
        var shown = Array(columns.indices)
        while shown.count > 1, total(shown.map { columns[$0].minimum }) > room {
            let spare = shown.filter { columns[$0].least == nil }
            if spare.isEmpty, total(shown.map { columns[$0].leastWidth }) <= room { break }
            // Of equal ranks the rightmost is dropped.
            let lowest = (spare.isEmpty ? shown : spare).reversed().min {
                columns[$0].rank < columns[$1].rank
            }
            shown.removeAll { $0 == lowest }
        }
        return shown
    }

    /// Widens columns up to a goal, in the order of their ranks.
    private static func grow(
        _ widths: inout [Int], to goal: KeyPath<ListColumn, Int>, _ columns: [ListColumn],
        rest: inout Int
    ) {
        for index in columns.indices.sorted(by: { columns[$0].rank > columns[$1].rank }) {
            let more = min(rest, max(0, columns[index][keyPath: goal] - widths[index]))
            widths[index] += more
            rest -= more
        }
    }

    /// Distributes the rest by weight, up to the maximum of each column.
    private static func share(_ widths: inout [Int], _ columns: [ListColumn], rest: inout Int) {
        while rest > 0 {
            let takers = columns.indices.filter {
                columns[$0].weight > 0 && widths[$0] < columns[$0].maximum ?? .max
            }
            let weights = takers.reduce(0) { $0 + columns[$1].weight }
            guard weights > 0 else { return }
            let whole = rest
            for index in takers {
                let part = max(1, whole * columns[index].weight / weights)
                let more = min(part, (columns[index].maximum ?? .max) - widths[index], rest)
                widths[index] += more
                rest -= more
            }
        }
    }
}
