// Draws frames below what is on the terminal, in lines that are erased afterwards.
import CNcurses

/// The part of the window that frames have.
public enum ScreenHeight: Hashable, Sendable {
    /// The whole window, on the alternate screen.
    case window
    /// Lines below the cursor, on the main screen, without the mouse. The window scrolls if there are
    /// not enough of them. At least 8, unless the window has fewer.
    case lines(Int)
    /// Such lines, by their part of the window in percent.
    case percent(Int)

    /// Returns the number of lines in a window.
    package func rows(ofWindow rows: Int) -> Int {
        switch self {
        case .window: rows
        case .lines(let count): min(rows, max(8, count))
        case .percent(let share): min(rows, max(8, rows * share / 100))
        }
    }
}

/// The lines of frames that are drawn below what is on the terminal.
///
/// curses places text from the top of the window. Here the cursor moves from where it is, by
/// sequences of ECMA-48 that all terminals with lines understand.
struct InlineScreen {
    /// The frame on the terminal.
    private var shown: Frame?
    /// The line of the cursor, from the first line of the frame.
    private var row = 0
    /// Whether the terminal is tmux, which wraps all lines that a narrower window cannot hold. Others cut them, or
    /// wrap them by rules of their own.
    private let isTmux: Bool

    init(isTmux: Bool = false) { self.isTmux = isTmux }

    /// Whether the terminal is tmux, by the variables of the environment.
    static func isTmux(_ variable: (String) -> String?) -> Bool {
        let type = variable("TERM") ?? ""
        return variable("TMUX")?.isEmpty == false
            && ["tmux", "screen"].contains(where: type.hasPrefix)
    }

    /// Returns the sequence that draws a frame: the lines that differ from the frame on the terminal.
    mutating func draw(_ frame: Frame, style: (Style) -> String) -> String {
        guard frame.size.rows > 0 else { return "" }
        var text = ""
        if shown?.size != frame.size {
            text += erase(columns: frame.size.columns)
            // Makes room, and goes back.
            text += String(repeating: "\r\n", count: frame.size.rows - 1)
            row = frame.size.rows - 1
        }
        for (index, line) in frame.lines.enumerated() where shown?.lines[index] != line {
            // Of a line that was erased from the cursor on only, tmux wraps the erased columns too.
            text += move(to: index) + "\u{1b}[2K"
            var current = Style.plain
            for cell in Self.written(line) where !cell.text.isEmpty {
                if cell.style != current { text += style(cell.style) }
                current = cell.style
                text += cell.text
            }
            if current != .plain { text += style(.plain) }
        }
        text += move(to: max(0, min(frame.cursorRow, frame.size.rows - 1)))
        if frame.cursorColumn > 0 { text += "\u{1b}[\(frame.cursorColumn)C" }
        shown = frame
        return text
    }

    /// Returns the sequence that erases the frame and leaves the cursor where it was before; in a window that
    /// has another number of columns now, tmux has wrapped lines above the cursor.
    mutating func erase(columns: Int? = nil) -> String {
        guard let frame = shown.take() else { return "" }
        if let columns, isTmux {
            row += frame.lines.prefix(row).reduce(0) { $0 + Self.breaks(of: $1, columns) }
            if columns > 0 { row += frame.cursorColumn / columns }
        }
        // tmux would keep what is erased from the top of the window on, among the lines that scrolled out of it.
        let below = isTmux ? "\u{1b}7\u{1b}[1B\u{1b}[J\u{1b}8\u{1b}[2K" : "\u{1b}[J"
        return move(to: 0) + below
    }

    /// Returns the cells of a line without the blank cells at its end.
    private static func written(_ line: [Frame.Cell]) -> ArraySlice<Frame.Cell> {
        line[..<(line.lastIndex { $0.text != " " || $0.style != .plain }.map { $0 + 1 } ?? 0)]
    }

    /// Returns the number of times that a line is wrapped in a number of columns.
    private static func breaks(of line: [Frame.Cell], _ columns: Int) -> Int {
        let cells = written(line)
        var (breaks, column) = (0, 0)
        for index in cells.indices where !cells[index].text.isEmpty {
            // The second column of a wide character is a cell without text.
            let width = index + 1 < line.count && line[index + 1].text.isEmpty ? 2 : 1
            if column + width > columns { (breaks, column) = (breaks + 1, 0) }
            column += width
        }
        return breaks
    }

    private mutating func move(to target: Int) -> String {
        defer { row = target }
        let distance = target - row
        if distance == 0 { return "\r" }
        return "\r\u{1b}[\(abs(distance))\(distance < 0 ? "A" : "B")"
    }
}

extension Palette {
    /// Returns the sequence that sets a style, from any other one.
    func sequence(of style: Style) -> String {
        let (attributes, pair) = attributes(of: style)
        var codes = ["0"]
        let looks: [(attr_t, String)] = [
            (CURSES_BOLD, "1"), (CURSES_DIM, "2"), (CURSES_UNDERLINE, "4"), (CURSES_REVERSE, "7"),
        ]
        codes += looks.filter { attributes & $0.0 != 0 }.map(\.1)
        var (text, ground): (Int16, Int16) = (-1, -1)
        if pair > 0, unsafe pair_content(pair, &text, &ground) == OK {
            codes += [Self.code(of: text, base: 30), Self.code(of: ground, base: 40)]
        }
        return "\u{1b}[\(codes.joined(separator: ";"))m"
    }

    /// Returns the code of a colour of the text (30) or the background (40).
    private static func code(of color: Int16, base: Int) -> String {
        switch color {
        case ..<0: "\(base + 9)"
        case ..<8: "\(base + Int(color))"
        case ..<16: "\(base + 52 + Int(color))"
        default: "\(base + 8);5;\(color)"
        }
    }
}
