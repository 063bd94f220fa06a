// A key that was pressed, whatever bytes the terminal sent for it.

/// A key that was pressed.
public enum Key: Hashable, Sendable {
    /// A character, as typed.
    case character(Character)
    /// A letter together with Ctrl, in lower case.
    case control(Character)
    /// A function key, from 1.
    case function(Int)
    /// An arrow, or a key of the block above the arrows.
    case up, down, left, right, pageUp, pageDown, home, end, insert, delete
    /// The keys that end, leave or rub out what is typed.
    case enter, escape, tab, backTab, backspace

    /// What is written on the key, for help texts.
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
}
