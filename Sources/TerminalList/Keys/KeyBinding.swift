// Keys that do the same thing: what that is called, what it is, and what the help says of it.

/// What a key does in the list.
public enum KeyAction {
    /// Moves the selection by so many rows.
    case moveBy(Int)
    /// Moves the selection by so many screens.
    case pageBy(Int)
    /// Selects the first row.
    case first
    /// Selects the last row.
    case last
    /// Gives the keys to the pane beside the list, or back to the list.
    case switchFocus
    /// Shows the help.
    case help
    /// Draws the whole screen again.
    case redraw
    /// Ends the program.
    case quit
    /// Does something of the owner's.
    case run(() -> Void)
    /// Takes every character that no other binding is for: text that is being typed.
    case type((Character) -> Void)
}

/// Keys that do the same thing, and what that is.
public struct KeyBinding {
    /// The keys.
    public let keys: [Key]
    /// What it is called where users choose other keys for it: `page-up`. Without a name it keeps
    /// its keys.
    public let name: String?
    /// What they do, for the help: a few words, from a small letter.
    public let help: String
    /// What they do in one word, for the line at the bottom; `nil` keeps it out of there.
    public let hint: String?
    /// How important the hint is: where there is no room for all, the least important go first.
    public let hintRank: Int
    /// Whether the keys act on the row that a pane in place of the list is about.
    public let actsInPane: Bool
    /// The heading in the help that it stands below. Bindings of a heading stand together.
    public var section: String?
    /// What happens.
    public let action: KeyAction

    /// Keys, their description and what they do.
    public init(
        _ keys: [Key], name: String? = nil, _ help: String, hint: String? = nil,
        hintRank: Int = 0, actsInPane: Bool = false, section: String? = nil, action: KeyAction
    ) {
        self.hintRank = hintRank
        self.actsInPane = actsInPane
        self.keys = keys
        self.name = name
        self.help = help
        self.hint = hint
        self.section = section
        self.action = action
    }

    /// Keys that do something of the owner's.
    public init(
        _ keys: [Key], name: String? = nil, _ help: String, hint: String? = nil,
        hintRank: Int = 0, actsInPane: Bool = false, section: String? = nil,
        run: @escaping () -> Void
    ) {
        self.init(
            keys, name: name, help, hint: hint, hintRank: hintRank, actsInPane: actsInPane,
            section: section, action: .run(run))
    }

    /// A binding of every character that no other one is for: for text that is typed.
    ///
    /// - Parameters:
    ///   - help: What becomes of the text, for the help.
    ///   - hint: The same in one word.
    ///   - type: Called with each character.
    public init(typing help: String, hint: String? = nil, type: @escaping (Character) -> Void) {
        self.init([], help, hint: hint, action: .type(type))
    }

    /// The binding with other keys.
    func with(_ keys: [Key]) -> KeyBinding {
        KeyBinding(
            keys, name: name, help, hint: hint, hintRank: hintRank, actsInPane: actsInPane,
            section: section, action: action)
    }

    /// The binding without some of its keys, or `nil` if none is left.
    public func without(_ taken: Set<Key>) -> KeyBinding? {
        let left = keys.filter { !taken.contains($0) }
        return left.isEmpty ? nil : with(left)
    }

    /// What is written on its keys, for help texts.
    func labels(charset: Charset) -> [String] {
        if case .type = action { return ["A-Z"] }
        return keys.map { $0.label(charset: charset) }
    }
}
