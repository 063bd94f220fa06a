// The size of a screen or of a terminal's window.
import CTerminalText

/// The size of a screen in characters.
public struct FrameSize: Hashable, Sendable {
    /// The number of columns.
    public var columns: Int
    /// The number of lines.
    public var rows: Int

    /// Creates a size.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// Reads the size of a terminal's window; `nil` if the descriptor has none.
    public init?(ofWindow descriptor: Int32) {
        var (columns, rows): (Int32, Int32) = (0, 0)
        guard unsafe terminal_window_size(descriptor, &columns, &rows) else { return nil }
        self.init(columns: Int(columns), rows: Int(rows))
    }
}
