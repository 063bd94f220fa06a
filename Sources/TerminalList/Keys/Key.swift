// Keys, independent of the bytes that a terminal sends, and their names in configuration files.

/// A key that was pressed.
public enum Key: Hashable, Sendable {
    /// A character.
    case character(Character)
    /// A letter together with Ctrl, in lower case.
    case control(Character)
    /// A function key, from 1.
    case function(Int)
    /// An arrow, or a key of the block above the arrows.
    case up, down, left, right, pageUp, pageDown, home, end, insert, delete
    /// An arrow together with Alt or Shift; some terminals use the arrows with Shift themselves.
    case altUp, altDown, shiftUp, shiftDown
    /// Enter, Esc, Tab, Shift-Tab, Backspace.
    case enter, escape, tab, backTab, backspace

    /// The keys with names, each with its label in ASCII first.
    private static let names: [Key: [String]] = [
        .up: ["Up"], .down: ["Down"], .left: ["Left"], .right: ["Right"],
        .pageUp: ["PgUp", "PageUp"], .pageDown: ["PgDn", "PageDown"], .home: ["Home"],
        .end: ["End"], .insert: ["Ins", "Insert"], .delete: ["Del", "Delete"],
        .enter: ["Enter", "Return"], .escape: ["Esc", "Escape"], .tab: ["Tab"],
        .backTab: ["Shift-Tab"], .backspace: ["Backspace"],
        .altUp: ["Alt-Up"], .altDown: ["Alt-Down"], .shiftUp: ["Shift-Up"],
        .shiftDown: ["Shift-Down"],
        .character(" "): ["Space"], .character(","): ["Comma"], .character("#"): ["Hash"],
    ]
    private static let arrows: [Key: String] = [
        .up: "↑", .down: "↓", .left: "←", .right: "→", .altUp: "Alt-↑", .altDown: "Alt-↓",
        .shiftUp: "Shift-↑", .shiftDown: "Shift-↓",
    ]
    private static let named = Dictionary(
        uniqueKeysWithValues: names.flatMap { key, names in
            names.map { ($0.lowercased(), key) }
        })

    var isCharacter: Bool { if case .character = self { true } else { false } }

    /// Returns the label of the key for help texts.
    public func label(charset: Charset = .unicode) -> String {
        switch self {
        case .character(let character) where character != " ": String(character)
        case .control(let letter): "Ctrl-" + letter.uppercased()
        case .function(let number): "F\(number)"
        default: (charset != .ascii ? Self.arrows[self] : nil) ?? name
        }
    }

    /// The name of the key in a configuration file: ASCII, unless the key is another character. A
    /// comma and a `#`, which have a meaning in most files, are `Comma` and `Hash`.
    public var name: String { Self.names[self]?.first ?? label(charset: .ascii) }

    /// Finds a key by its ``name`` or another common name, such as `Escape`; case does not matter.
    ///
    /// `Ctrl-H`, `Ctrl-I`, `Ctrl-J` and `Ctrl-M` are Backspace, Tab and Enter, because a terminal
    /// sends the same bytes for both. `Ctrl-Q`, `Ctrl-S` and `Ctrl-Z` never reach a program and are
    /// not keys.
    public init?(name: String) {
        let word = name.lowercased()
        let key: Key? =
            if name.count == 1, let character = name.first {
                name.unicodeScalars.first.map(displayWidth(of:)) ?? 0 > 0
                    ? .character(character) : nil
            } else if word.hasPrefix("ctrl-") {
                Self.control(named: word.dropFirst(5))
            } else if word.hasPrefix("f"), let number = Int(word.dropFirst()), word == "f\(number)"
            {
                (1...63).contains(number) ? .function(number) : nil
            } else {
                Self.named[word]
            }
        guard let key else { return nil }
        self = key
    }

    private static func control(named name: Substring) -> Key? {
        switch name {
        case "h": .backspace
        case "i": .tab
        case "j", "m": .enter
        case "q", "s", "z": nil
        default:
            name.count == 1 && ("a"..."z").contains(name) ? .control(Character(String(name))) : nil
        }
    }
}
