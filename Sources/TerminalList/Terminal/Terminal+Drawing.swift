// Frames onto the screen: curses sends what differs from what is there.
import CNcurses
import CTerminalGuard

extension Terminal {
    /// Shows a frame; what is already on the screen is not sent again.
    ///
    /// While the terminal is not ours, between ``suspend()`` and `.resumed`, it does nothing.
    public func draw(_ frame: Frame) {
        guard isOpen, isOurs else { return }
        terminal_guard_protect_thread()
        fitScreen(to: frame.size)
        for (row, line) in frame.lines.enumerated() where shown?.lines[row] != line {
            draw(line, row: Int32(row))
        }
        shown = frame
        unsafe wmove(curses_screen(), Int32(frame.cursorRow), Int32(frame.cursorColumn))
        unsafe wnoutrefresh(curses_screen())
        doupdate()
        terminal_guard_trim_errors()
    }

    /// Has everything sent again with the next frame, for a screen that others wrote on.
    public func redraw() {
        shown = nil
        unsafe clearok(curses_screen(), true)
    }

    /// Gives curses the frame's size; the frame after a change of size is drawn as a whole.
    private func fitScreen(to size: FrameSize) {
        if shown?.size == size { return }
        shown = nil
        guard
            unsafe (getmaxx(curses_screen()) != size.columns
                || getmaxy(curses_screen()) != size.rows)
        else {
            return
        }
        resizeterm(Int32(size.rows), Int32(size.columns))
        unsafe clearok(curses_screen(), true)
    }

    private func draw(_ line: [Frame.Cell], row: Int32) {
        // At most five scalars stand in a cell, and a zero ends them.
        var wide = [wchar_t](repeating: 0, count: 6)
        for (column, cell) in line.enumerated() where !cell.text.isEmpty {
            let (attributes, pair) = palette.attributes(of: cell.style)
            var count = 0
            for scalar in cell.text.unicodeScalars.prefix(5) {
                wide[count] = wchar_t(bitPattern: scalar.value)
                count += 1
            }
            wide[count] = 0
            var character = cchar_t()
            unsafe setcchar(&character, wide, attributes, pair, nil)
            unsafe mvadd_wch(row, Int32(column), &character)
        }
    }
}
