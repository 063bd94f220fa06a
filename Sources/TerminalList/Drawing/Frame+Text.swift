// A frame as a reader sees it, for tests and documentation.

extension Frame {
    /// The screen as text: a line for each row, without the spaces at its end.
    public var text: String {
        lines.map { line in
            let text = line.lazy.map(\.text).joined()
            let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) }
            return String(text[..<(end ?? text.startIndex)])
        }
        .joined(separator: "\n")
    }

    /// How the character in a place looks.
    ///
    /// - Precondition: The place is inside the frame.
    public func style(row: Int, column: Int) -> Style { lines[row][column].style }
}
