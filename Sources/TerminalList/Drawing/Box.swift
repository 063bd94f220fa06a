// A bordered box in the middle of the screen that shows some lines of a text.

/// A bordered box in the middle of the screen that shows some lines of a text.
struct Box {
    /// The first column of the text, and its width; a space separates it from each side border.
    let column, width: Int
    /// The row of the first visible line, and the number of visible lines.
    let row, height: Int
    /// The first visible line of the text.
    let top: Int

    /// Creates a box of some width and number of lines, reduced to what fits the screen, for a text of
    /// as many lines, or `count`. The line `top` of the text is the first one, unless the last ones do
    /// not fill the box or hide the cursor.
    init(
        in size: FrameSize, width: Int, lines: Int, of count: Int? = nil, top: Int,
        showing cursor: Int? = nil
    ) {
        self.width = max(0, min(size.columns - 4, width))
        height = max(0, min(size.rows - 2, lines))
        column = (size.columns - self.width - 4) / 2 + 2
        row = (size.rows - height - 2) / 2 + 1
        let top = max(0, min(top, (count ?? lines) - height))
        self.top = cursor.map { [height] in max(min(top, $0), $0 - height + 1) } ?? top
    }

    /// Returns the line of the text at a position of the screen, or `nil` outside the box.
    func line(atRow row: Int, column: Int) -> Int? {
        let isInside =
            (self.row..<self.row + height).contains(row)
            && (self.column - 2..<self.column + width + 2).contains(column)
        return isInside ? row - self.row + top : nil
    }

    /// Draws the empty box, with titles in the top and the bottom border.
    func draw(top: String, bottom: String, in frame: inout Frame) {
        let isPlain = frame.charset == .ascii
        let (dash, side) = isPlain ? ("-", "|") : ("─", "│")
        let corners = isPlain ? ["+", "+", "+", "+"] : ["┌", "┐", "└", "┘"]
        for (row, title, left) in [(row - 1, top, 0), (row + height, bottom, 2)] {
            let title = frame.safe(title, upTo: width).cut(to: width - 2)
            let rule = String(repeating: dash, count: max(0, width - title.width - 1))
            frame.write(corners[left] + dash + " ", row: row, column: column - 2)
            frame.write(title, row: row, column: column + 1)
            frame.write(
                " " + rule + corners[left + 1], row: row, column: column + 1 + title.width)
        }
        let line = side + String(repeating: " ", count: width + 2) + side
        for row in row..<row + height { frame.write(line, row: row, column: column - 2) }
    }
}
