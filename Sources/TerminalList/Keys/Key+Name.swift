// Keys as they are written in a file: `Ctrl-B`, `PgUp`, `/`.

extension Key {
    /// The key's name in a file: ASCII for every key but those of other characters.
    ///
    /// A comma and a `#`, which mean something in most files, are `Comma` and `Hash`.
    public var name: String {
        switch self {
        case .character(","): "Comma"
        case .character("#"): "Hash"
        default: label(charset: .ascii)
        }
    }

    /// The key of a name, whether in capitals or not: ``name``, or another common one such as
    /// `Escape`, `PageUp`.
    ///
    /// `Ctrl-H`, `Ctrl-I`, `Ctrl-J` and `Ctrl-M` are Backspace, Tab and Enter: a terminal sends
    /// the same for both. `Ctrl-Q`, `Ctrl-S` and `Ctrl-Z` never reach a program, so there are none.
    /// What is no key gives `nil`.
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
