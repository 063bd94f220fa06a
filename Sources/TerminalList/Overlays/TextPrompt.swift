// A line of text being typed at the bottom of the screen.

/// A line of text being typed at the bottom of the screen.
///
/// ```swift
/// view.prompt = TextPrompt("/", onChange: search) { accepted in if !accepted { search("") } }
/// ```
///
/// Characters are inserted; Backspace, Del, Ctrl-U, Ctrl-W, Left, Right, Home and End edit the
/// text. Up, Down and the page keys still move in the list. Enter accepts; Esc and Ctrl-C cancel.
/// Some keys can act in the list while there is no text.
public struct TextPrompt {
    /// The maximum number of scalars; the rest of a paste is dropped.
    package static let limit = 256

    /// The label before the text.
    public let label: String
    /// The text, unescaped.
    public var text: String { before + after }

    private let keysWhileEmpty: Set<Key>
    let onChange: (String) -> Void
    let onEnd: (Bool) -> Void

    /// The text before and after the cursor.
    private var before: String
    private var after = ""

    /// Creates a prompt with the cursor at the end of its text. It calls `onChange` when typing has
    /// changed the text. After it has closed, it calls `onEnd` with `true` if the text was
    /// accepted. While the text is empty, the keys of `keysWhileEmpty` act on the list.
    public init(
        _ label: String, text: String = "", keysWhileEmpty: Set<Key> = [],
        onChange: @escaping (String) -> Void,
        onEnd: @escaping (_ accepted: Bool) -> Void
    ) {
        self.label = label
        self.keysWhileEmpty = keysWhileEmpty
        before = String(text.unicodeScalars.prefix(Self.limit))
        self.onChange = onChange
        self.onEnd = onEnd
    }

    private var room: Int {
        max(0, Self.limit - before.unicodeScalars.count - after.unicodeScalars.count)
    }

    /// Edits the text with a key; returns false for a key without a meaning in the prompt.
    mutating func edit(with key: Key) -> Bool {
        if before.isEmpty, after.isEmpty, keysWhileEmpty.contains(key) { return false }
        switch key {
        case .character(let character):
            // A combining mark joins the character before the cursor.
            if character.unicodeScalars.count <= room { before.append(character) }
        case .backspace: before = String(before.dropLast())
        case .delete: after = String(after.dropFirst())
        case .control("u"): before = ""
        case .control("w"):
            while before.last == " " { before.removeLast() }
            while let last = before.last, last != " " { before.removeLast() }
        case .left: moveCursor(to: before.count - 1)
        case .right: moveCursor(to: before.count + 1)
        case .home: moveCursor(to: 0)
        case .end: moveCursor(to: .max)
        default: return false
        }
        return true
    }

    /// Inserts as much of a text as fits.
    mutating func insert(_ text: String) { before += String(text.unicodeScalars.prefix(room)) }

    private mutating func moveCursor(to index: Int) {
        let whole = text
        before = String(whole.prefix(max(0, index)))
        after = String(whole.dropFirst(max(0, index)))
    }

    /// Draws the prompt, with only the part of a long text around the cursor; returns the column of
    /// the cursor.
    func draw(row: Int, columns: Int, in frame: inout Frame) -> Int {
        let style = Style(.bold, tone: .accent)
        let start = frame.write(label, row: row, column: 0, upTo: columns / 2, style: style)
        var shown = frame.safe(before)
        shown.dropFirst(untilAtMost: columns - start - 1)
        let cursor = start + shown.width
        frame.write(shown, row: row, column: start)
        frame.write(frame.charset == .unicode ? "▏" : "_", row: row, column: cursor, style: style)
        frame.write(after, row: row, column: cursor + 1, upTo: columns - cursor - 1)
        return cursor
    }
}
