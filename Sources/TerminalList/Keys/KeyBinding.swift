// Bindings of keys to actions, with their descriptions for the help.

/// The effect of a key in the list.
public enum KeyAction {
    /// Moves the selection by a number of rows.
    case moveBy(Int)
    /// Moves the selection by a number of screens.
    case pageBy(Int)
    /// Selects the first row.
    case first
    /// Selects the last row.
    case last
    /// Moves the keyboard focus to the pane beside the list, or back to the list.
    case switchFocus
    /// Shows the help.
    case help
    /// Draws the whole screen again.
    case redraw
    /// Ends the program.
    case quit
    /// Calls a function of the owner.
    case run(() -> Void)
    /// Receives each character without another binding, as text being typed.
    case type((Character) -> Void)
}

/// The outcome of a key or mouse event.
public enum KeyResponse: Sendable {
    /// The event was handled; draw if ``TerminalListView/needsDisplay`` is set.
    case handled
    /// The key has no binding.
    case unknown
    /// The whole screen is to be drawn again.
    case redraw
    /// The program is to end.
    case quit
}

/// Keys with a common action, and its description.
public struct KeyBinding {
    /// The keys.
    public internal(set) var keys: [Key]
    /// The name by which a user's keymap refers to the binding: `page-up`. Without a name the keys
    /// cannot be changed.
    public let name: String?
    /// The description in the help: a few words, in lower case.
    public let help: String
    /// The description in the last line: one word. `nil` keeps the binding out of it.
    public let hint: String?
    /// The importance of the hint: where space is short, the least important ones are dropped.
    public let hintRank: Int
    /// Whether the keys act on the row that a pane in place of the list shows.
    public let actsInPane: Bool
    /// The heading above the binding in the help. Bindings with the same heading must be adjacent.
    public var section: String?
    /// The action.
    public let action: KeyAction

    /// Binds keys to an action.
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

    /// Binds keys to a function of the owner.
    public init(
        _ keys: [Key], name: String? = nil, _ help: String, hint: String? = nil,
        hintRank: Int = 0, actsInPane: Bool = false, section: String? = nil,
        run: @escaping () -> Void
    ) {
        self.init(
            keys, name: name, help, hint: hint, hintRank: hintRank, actsInPane: actsInPane,
            section: section, action: .run(run))
    }

    /// Binds each character without another binding, for text being typed.
    ///
    /// - Parameters:
    ///   - help: The description in the help.
    ///   - hint: The description in the last line: one word.
    ///   - type: Called with each character.
    public init(typing help: String, hint: String? = nil, type: @escaping (Character) -> Void) {
        self.init([], help, hint: hint, action: .type(type))
    }

    /// Returns the binding without some of its keys, or `nil` if none is left.
    public func without(_ taken: Set<Key>) -> KeyBinding? {
        var binding = self
        binding.keys.removeAll(where: taken.contains)
        return binding.keys.isEmpty ? nil : binding
    }

    /// Returns the labels of the keys for help texts.
    func labels(charset: Charset) -> [String] {
        isTyping ? ["A-Z"] : keys.map { $0.label(charset: charset) }
    }

    var isHelp: Bool { if case .help = action { true } else { false } }
    var isTyping: Bool { if case .type = action { true } else { false } }
    var isQuit: Bool { if case .quit = action { true } else { false } }
}
