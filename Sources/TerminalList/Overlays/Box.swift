// A frame of lines around a text, in the middle of the screen.

/// A frame of lines around a text.
struct Box {
    let charset: Charset
    /// Where its left side stands.
    let start: Int
    /// How wide the text inside is; the sides and a space beside each come on top.
    let width: Int
    /// Its upper edge, and how many lines of text there are.
    let row: Int
    let height: Int

    /// A box in the middle of a screen; what does not fit is left out.
    init(_ size: FrameSize, width: Int, height: Int, charset: Charset) {
        self.charset = charset
        self.width = max(0, min(size.columns - 4, width))
        self.height = max(0, min(size.rows - 2, height))
        start = (size.columns - self.width - 4) / 2
        row = (size.rows - self.height - 2) / 2
    }

    /// Draws both edges, each with a few words in it.
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

    /// Draws one line of the text between the sides.
    ///
    /// - Parameters:
    ///   - text: The text, at most ``width`` wide.
    ///   - line: Which line, from zero.
    ///   - style: How it looks.
    ///   - frame: What it is drawn into.
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
