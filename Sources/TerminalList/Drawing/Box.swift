// Draws a border around a text in the middle of the screen.

/// A bordered box in the middle of the screen.
struct Box {
    private let charset: Charset
    /// The column of the left border, and the width of the text; a space separates them.
    let start: Int
    let width: Int
    /// The row of the top border, and the number of text lines.
    let row: Int
    let height: Int

    /// Creates a box for a text of some width and height, reduced to what fits the screen.
    init(_ size: FrameSize, width: Int, height: Int, charset: Charset) {
        self.charset = charset
        self.width = max(0, min(size.columns - 4, width))
        self.height = max(0, min(size.rows - 2, height))
        start = (size.columns - self.width - 4) / 2
        row = (size.rows - self.height - 2) / 2
    }

    /// Returns the line of the text at a position of the screen, or `nil` outside the box.
    func line(atRow row: Int, column: Int) -> Int? {
        let line = row - self.row - 1
        let isInside = (0..<height).contains(line) && (start..<(start + width + 4)).contains(column)
        return isInside ? line : nil
    }

    /// Draws the top and bottom borders, each with a title.
    func drawEdges(top: String, bottom: String, in frame: inout Frame) {
        drawEdge(row: row, title: top, corners: ("┌", "┐"), in: &frame)
        drawEdge(row: row + height + 1, title: bottom, corners: ("└", "┘"), in: &frame)
    }

    private func drawEdge(
        row: Int, title: String, corners: (String, String), in frame: inout Frame
    ) {
        let isPlain = charset == .ascii
        let dash = isPlain ? "-" : "─"
        let title = SafeText(title, charset: charset, upTo: width).cut(to: max(0, width - 2))
        let rule = String(repeating: dash, count: max(0, width - title.width - 1))
        let (left, right) = isPlain ? ("+", "+") : corners
        write(left + dash + " ", row: row, column: start, in: &frame)
        frame.write(title, row: row, column: start + 3)
        write(" " + rule + right, row: row, column: start + 3 + title.width, in: &frame)
    }

    /// Draws a line of text, at most ``width`` wide, between the side borders.
    func draw(_ text: SafeText, line: Int, style: Style = .plain, in frame: inout Frame) {
        let side = charset == .ascii ? "|" : "│"
        let row = row + 1 + line
        write(side + " ", row: row, column: start, in: &frame)
        frame.write(text.fitted(to: width), row: row, column: start + 2, style: style)
        write(" " + side, row: row, column: start + 2 + width, in: &frame)
    }

    private func write(_ text: String, row: Int, column: Int, in frame: inout Frame) {
        frame.write(SafeText(text, charset: charset), row: row, column: column)
    }
}
