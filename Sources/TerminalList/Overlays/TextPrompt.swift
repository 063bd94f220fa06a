// A line of text that is being typed, at the bottom of the screen.

/// A line of text that is being typed, at the bottom of the screen.
///
/// ```swift
/// view.prompt = TextPrompt("/", onChange: search) { accepted in if !accepted { search("") } }
/// ```
///
/// While it is shown, characters go into it; Backspace, Del, Ctrl-U, Ctrl-W, and the arrows
/// sideways, Home and End edit it. Arrows up and down and whole screens still move in the list.
/// Enter accepts it; Esc and Ctrl-C cancel it.
public struct TextPrompt {
    /// No more than so many scalars are taken; the rest of a paste is left out.
    public static let limit = 256

    /// What stands in front of the text.
    public var label: String
    /// What was typed, as raw as it came; when set, typing goes on at its end.
    public var text: String {
        get { String(before + after) }
        set {
            before = Self.bounded(newValue)
            after = ""
        }
    }

    /// Called with the text whenever typing has changed it.
    var onChange: (String) -> Void
    /// Called when the prompt has gone.
    var onEnd: (Bool) -> Void

    /// The text on both sides of the cursor.
    private(set) var before: String
    private(set) var after = ""

    /// A prompt.
    ///
    /// - Parameters:
    ///   - label: What stands in front of the text.
    ///   - text: What the text is to begin with; typing goes on at its end.
    ///   - onChange: Called with the text whenever typing has changed it: after a long paste, many
    ///     times between two frames.
    ///   - onEnd: Called when the prompt has gone, with whether the text was accepted.
    public init(
        _ label: String, text: String = "", onChange: @escaping (String) -> Void,
        onEnd: @escaping (_ accepted: Bool) -> Void
    ) {
        self.label = label
        before = Self.bounded(text)
        self.onChange = onChange
        self.onEnd = onEnd
    }

    private static func bounded(_ text: String) -> String {
        String(text.unicodeScalars.prefix(limit))
    }

    /// Does what a key does to the text.
    ///
    /// - Returns: Whether it is a key for the text.
    mutating func edit(with key: Key) -> Bool {
        switch key {
        case .character(let character): insert(character)
        case .backspace: before = String(before.dropLast())
        case .delete: after = String(after.dropFirst())
        case .control("u"): before = ""
        case .control("w"): eraseWord()
        case .left: moveCursor(to: before.count - 1)
        case .right: moveCursor(to: before.count + 1)
        case .home: moveCursor(to: 0)
        case .end: moveCursor(to: .max)
        default: return false
        }
        return true
    }

    /// What is drawn over another character joins the one before the cursor.
    private mutating func insert(_ character: Character) {
        let room = Self.limit - before.unicodeScalars.count - after.unicodeScalars.count
        guard character.unicodeScalars.count <= room else { return }
        before.append(character)
    }

    /// Inserts as much of a text as there is room for.
    mutating func insert(_ text: String) {
        let room = Self.limit - before.unicodeScalars.count - after.unicodeScalars.count
        before += String(text.unicodeScalars.prefix(max(0, room)))
    }

    private mutating func eraseWord() {
        while before.last == " " { before.removeLast() }
        while let last = before.last, last != " " { before.removeLast() }
    }

    private mutating func moveCursor(to place: Int) {
        let whole = text
        before = String(whole.prefix(max(0, place)))
        after = String(whole.dropFirst(max(0, place)))
    }
}

extension TextPrompt {
    /// Draws the prompt from the left; of a text that is too long, the part at the cursor.
    ///
    /// - Returns: The cursor's column.
    func draw(row: Int, columns: Int, charset: Charset, in frame: inout Frame) -> Int {
        let sign = SafeText(charset == .ascii ? "_" : "▏", charset: charset)
        let label = SafeText(label, charset: charset, upTo: columns).cut(to: columns / 2)
        let room = columns - label.width - sign.width
        var shown = SafeText(before, charset: charset)
        shown.dropFirst(untilAtMost: room)
        let cursor = label.width + shown.width
        frame.write(label, row: row, column: 0, style: Style(.bold, tone: .accent))
        frame.write(shown, row: row, column: label.width)
        frame.write(sign, row: row, column: cursor, style: Style(.bold, tone: .accent))
        let rest = SafeText(after, charset: charset, upTo: columns)
        frame.write(
            rest.cut(to: columns - cursor - sign.width), row: row, column: cursor + sign.width)
        return cursor
    }
}
