// Where everything stands on a screen of some size.

/// Where everything stands on a screen of some size.
struct ScreenLayout {
    /// How many lines each part of the screen would like to have.
    struct Wishes {
        var warning = 0
        var strip = 0
        var footer = 0
        var pane: TextPane.Place?
    }

    /// The lines of the strip, of the rows, of the footer; the columns' titles stand above the rows.
    let strip: Range<Int>
    let rows: Range<Int>
    let footer: Range<Int>
    /// The columns of the list, and of the pane.
    let list: Range<Int>
    let pane: Range<Int>?
    /// Where the columns stand in the list's.
    let columns: ColumnLayout

    /// What the list keeps beside a pane, and what a pane takes at least.
    private static let (leastList, ruleWidth) = (40, 3)

    static func showsSidePane(_ size: FrameSize) -> Bool {
        size.columns >= TextPane.leastColumns
    }

    init(_ size: FrameSize, _ wishes: Wishes, columns: [ListColumn], gutter: Int) {
        // The header, the titles and the last line are always there.
        let fixed = 3 + wishes.warning
        let footerHeight = max(0, min(wishes.footer, size.rows - fixed - 3))
        let stripHeight = max(0, min(wishes.strip, size.rows - fixed - footerHeight - 6))
        let first = 1 + wishes.warning
        strip = first..<(first + stripHeight)
        let end = max(strip.upperBound + 1, size.rows - 1 - footerHeight)
        rows = (strip.upperBound + 1)..<end
        footer = end..<(end + footerHeight)
        switch wishes.pane {
        case .full:
            list = 0..<0
            pane = 0..<size.columns
        case .side where Self.showsSidePane(size):
            let width = max(Self.leastList, size.columns / 2)
            list = 0..<width
            pane = (width + Self.ruleWidth)..<size.columns
        case .side, nil:
            list = 0..<size.columns
            pane = nil
        }
        self.columns = ColumnLayout(columns, from: gutter, to: max(gutter, list.upperBound))
    }
}
