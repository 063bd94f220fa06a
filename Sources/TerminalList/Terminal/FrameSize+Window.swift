// How large the window of a terminal is, whoever has opened it.
import CTerminalGuard

extension FrameSize {
    /// The size of the window behind a file descriptor, or `nil` where there is none or it does not say.
    public init?(ofWindow descriptor: Int32) {
        var (columns, rows): (Int32, Int32) = (0, 0)
        guard unsafe terminal_guard_window_size(descriptor, &columns, &rows) else { return nil }
        self.init(columns: Int(columns), rows: Int(rows))
    }
}
