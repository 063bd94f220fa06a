// Divides the screen into its parts.

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
        case .side where TextPane.fitsBesideList(in: size):
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
