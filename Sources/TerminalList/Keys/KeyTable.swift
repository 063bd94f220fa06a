// Which key does what: the one table that keys are looked up in and the help is made from.

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
    /// What they do, for the help: a few words, from a small letter.
    public let help: String
    /// What they do in one word, for the line at the bottom; `nil` keeps it out of there.
    public let hint: String?
    /// What happens.
    public let action: KeyAction

    /// A binding of every character that no other one is for: for text that is typed.
    ///
    /// - Parameters:
    ///   - help: What becomes of the text, for the help.
    ///   - hint: The same in one word.
    ///   - type: Called with each character.
    public init(typing help: String, hint: String? = nil, type: @escaping (Character) -> Void) {
        self.init([], help, hint: hint, action: .type(type))
    }

    /// The binding without some of its keys, or `nil` if none is left.
    func without(_ taken: Set<Key>) -> KeyBinding? {
        let left = keys.filter { !taken.contains($0) }
        return left.isEmpty ? nil : KeyBinding(left, help, hint: hint, action: action)
    }

    /// What is written on its keys, for help texts.
    func labels(charset: Charset) -> [String] {
        if case .type = action { return ["A-Z"] }
        return keys.map { $0.label(charset: charset) }
    }

    /// Keys, their description and what they do.
    public init(_ keys: [Key], _ help: String, hint: String? = nil, action: KeyAction) {
        self.keys = keys
        self.help = help
        self.hint = hint
        self.action = action
    }

    /// Keys that do something of the owner's.
    public init(
        _ keys: [Key], _ help: String, hint: String? = nil, run: @escaping () -> Void
    ) {
        self.init(keys, help, hint: hint, action: .run(run))
    }
}

/// Which key does what.
public struct KeyTable {
    /// The bindings, in the order of the help.
    public private(set) var bindings: [KeyBinding]
    private var actions: [Key: KeyAction] = [:]
    private var typing: KeyAction?

    /// A table of these bindings alone.
    ///
    /// - Precondition: No key is bound twice, nor what is typed: one of the two would be a lie in
    ///   the help.
    public init(_ bindings: [KeyBinding]) {
        self.bindings = bindings
        for binding in bindings {
            if case .type = binding.action {
                // A mistake in the program as well.
                precondition(typing == nil, "what is typed is bound twice")
                typing = binding.action
            }
            for key in binding.keys {
                // A mistake in the program, not in what a user types: it shows at the first start.
                precondition(
                    actions.updateValue(binding.action, forKey: key) == nil,
                    "the key \(key.label()) is bound twice")
            }
        }
    }

    /// The keys that every list has: movement, help, redraw, quit.
    ///
    /// - Parameter own: The owner's bindings; they come first in the help, and their keys do
    ///   nothing else.
    /// - Returns: A table of both.
    public static func standard(adding own: [KeyBinding] = []) -> KeyTable {
        let taken = Set(own.flatMap(\.keys))
        let others = standardBindings.compactMap { $0.without(taken) }
        return KeyTable(own + others)
    }

    private static var standardBindings: [KeyBinding] {
        [
            KeyBinding([.up, .character("k")], "one row up", action: .moveBy(-1)),
            KeyBinding([.down, .character("j")], "one row down", action: .moveBy(1)),
            KeyBinding([.pageUp, .control("b")], "one screen up", action: .pageBy(-1)),
            KeyBinding(
                [.pageDown, .control("f"), .character(" ")], "one screen down",
                action: .pageBy(1)),
            KeyBinding([.home, .character("g")], "first row", action: .first),
            KeyBinding([.end, .character("G")], "last row", action: .last),
            KeyBinding([.control("l")], "draw the screen again", action: .redraw),
            KeyBinding([.character("?")], "this help", hint: "help", action: .help),
            KeyBinding([.character("q"), .control("c")], "quit", hint: "quit", action: .quit),
        ]
    }

    /// The keys of a list beside which text is typed: those of ``standard(adding:)`` that are no
    /// characters, with F1 for the help, and Ctrl-C alone quits.
    ///
    /// - Parameter own: The owner's bindings, one of them for what is typed; they come first in
    ///   the help.
    /// - Returns: A table of both.
    public static func typing(adding own: [KeyBinding]) -> KeyTable {
        KeyTable(
            own + [
                KeyBinding([.up], "one row up", action: .moveBy(-1)),
                KeyBinding([.down], "one row down", action: .moveBy(1)),
                KeyBinding([.pageUp, .control("b")], "one screen up", action: .pageBy(-1)),
                KeyBinding([.pageDown, .control("f")], "one screen down", action: .pageBy(1)),
                KeyBinding([.home], "first row", action: .first),
                KeyBinding([.end], "last row", action: .last),
                KeyBinding([.control("l")], "draw the screen again", action: .redraw),
                KeyBinding([.function(1)], "this help", hint: "help", action: .help),
                KeyBinding([.control("c")], "quit", hint: "quit", action: .quit),
            ])
    }

    /// What a key does, if anything.
    public func action(for key: Key) -> KeyAction? {
        if let action = actions[key] { return action }
        guard case .character = key else { return nil }
        return typing
    }
}
