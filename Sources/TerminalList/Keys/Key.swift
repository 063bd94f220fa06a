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
    /// Enter, Esc, Tab, Shift-Tab, Backspace.
    case enter, escape, tab, backTab, backspace

    /// Returns the label of the key for help texts.
    public func label(charset: Charset = .unicode) -> String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .control(let letter): "Ctrl-" + letter.uppercased()
        case .function(let number): "F\(number)"
        case .up: charset == .unicode ? "↑" : "Up"
        case .down: charset == .unicode ? "↓" : "Down"
        case .left: charset == .unicode ? "←" : "Left"
        case .right: charset == .unicode ? "→" : "Right"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .home: "Home"
        case .end: "End"
        case .insert: "Ins"
        case .delete: "Del"
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .backspace: "Backspace"
        }
    }

    /// The name of the key in a configuration file; ASCII except for other characters.
    ///
    /// A comma and a `#`, which have a meaning in most files, are `Comma` and `Hash`.
    public var name: String {
        switch self {
        case .character(","): "Comma"
        case .character("#"): "Hash"
        default: label(charset: .ascii)
        }
    }

    /// Finds a key by its ``name`` or another common one, such as `Escape` or `PageUp`; case does
    /// not matter.
    ///
    /// `Ctrl-H`, `Ctrl-I`, `Ctrl-J` and `Ctrl-M` are Backspace, Tab and Enter, because a terminal
    /// sends the same bytes for both. `Ctrl-Q`, `Ctrl-S` and `Ctrl-Z` never reach a program and are
    /// not keys.
    ///
    /// - Parameter name: One character, or a name without spaces around it.
    public init?(name: String) {
        if name.count == 1, let character = name.first {
            guard let scalar = name.unicodeScalars.first, displayWidth(of: scalar) > 0 else {
                return nil
            }
            self = .character(character)
            return
        }
        let word = name.lowercased()
        if word.hasPrefix("ctrl-") {
            guard let key = Self.control(named: word.dropFirst(5)) else { return nil }
            self = key
        } else if word.hasPrefix("f"), let number = Int(word.dropFirst()) {
            guard (1...63).contains(number), word == "f\(number)" else { return nil }
            self = .function(number)
        } else {
            guard let key = Self.named[word] else { return nil }
            self = key
        }
    }

    private static func control(named name: Substring) -> Key? {
        guard name.count == 1, let letter = name.first, ("a"..."z").contains(letter) else {
            return nil
        }
        switch letter {
        case "h": return .backspace
        case "i": return .tab
        case "j", "m": return .enter
        case "q", "s", "z": return nil
        default: return .control(letter)
        }
    }

    private static let named: [String: Key] = [
        "space": .character(" "), "comma": .character(","), "hash": .character("#"),
        "up": .up, "down": .down, "left": .left, "right": .right,
        "pgup": .pageUp, "pageup": .pageUp, "pgdn": .pageDown, "pagedown": .pageDown,
        "home": .home, "end": .end, "ins": .insert, "insert": .insert,
        "del": .delete, "delete": .delete, "enter": .enter, "return": .enter,
        "esc": .escape, "escape": .escape, "tab": .tab, "shift-tab": .backTab,
        "backspace": .backspace,
    ]
}
