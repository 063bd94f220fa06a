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
    /// strip and footer, fewer on a low screen.
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
        let ranked = columns.indices.filter { !columns[$0].isHidden }.sorted {
            (columns[$0].rank, $1) > (columns[$1].rank, $0)
        }
        let needed = ranked.filter { !columns[$0].isOptional }
        let fixed = Self.fitting(needed, columns, in: room)
        var widths = Dictionary(uniqueKeysWithValues: fixed.map { ($0, columns[$0].minimum) })
        var rest = room - widths.values.reduce(Self.gap * (widths.count - 1), +)
        // A single column may be narrower than its minimum.
        if rest < 0, let only = fixed.first { (widths[only], rest) = (room, 0) }
        func grow(to goal: (ListColumn) -> Int) {
            for index in ranked {
                guard let width = widths[index] else { continue }
                let more = min(rest, max(0, goal(columns[index]) - width))
                widths[index] = width + more
                rest -= more
            }
        }
        grow { min($0.usual ?? $0.ideal, $0.ideal) }
        grow(to: \.ideal)
        for index in ranked where columns[index].isOptional && fixed.count == needed.count {
            let ideal = columns[index].ideal
            guard rest >= ideal + Self.gap else { break }
            widths[index] = ideal
            rest -= ideal + Self.gap
        }
        grow { $0.maximum.map { $0 == .max ? 0 : $0 } ?? $0.ideal }
        // Columns for texts of any length share the rest.
        let open = ranked.filter { widths[$0] != nil && columns[$0].maximum == .max }
        for (number, index) in open.enumerated() {
            let share = rest / (open.count - number)
            widths[index, default: 0] += share
            rest -= share
        }
        var position = start
        for (index, width) in widths.sorted(by: { $0.key < $1.key }) {
            slots.append((index, position, width))
            position += width + Self.gap
        }
    }

    /// Returns the visible column at a column of the screen.
    func slot(at column: Int) -> Slot? {
        slots.first { ($0.start..<$0.start + $0.width).contains(column) }
    }

    /// Drops columns, the lowest rank first and the rightmost of equal ranks, until the minimum widths
    /// of the rest fit.
    private static func fitting(
        _ ranked: [Int], _ columns: [ListColumn], in room: Int
    ) -> [Int] {
        var shown = ranked
        while shown.count > 1,
            shown.reduce(gap * (shown.count - 1), { $0 + columns[$1].minimum }) > room
        {
            shown.removeLast()
        }
        return shown
    }
}
