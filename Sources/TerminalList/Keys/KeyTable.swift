// Which key does what: the one table that keys are looked up in and the help is made from.

/// Which key does what.
public struct KeyTable {
    /// The bindings, in the order of the help.
    public private(set) var bindings: [KeyBinding]
    private var actions: [Key: KeyAction] = [:]
    /// What becomes of characters that no key is bound to.
    private(set) var typingAction: KeyAction?

    /// A table of these bindings alone.
    ///
    /// - Precondition: No key is bound twice, nor what is typed: one of the two would be a lie in
    ///   the help.
    public init(_ bindings: [KeyBinding]) {
        self.bindings = bindings
        for binding in bindings {
            if case .type = binding.action {
                // A mistake in the program as well.
                precondition(typingAction == nil, "what is typed is bound twice")
                typingAction = binding.action
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
    /// ```swift
    /// KeyTable.standard(adding: own, keymap: ["page-up": [.control("u")], "search": []])
    /// ```
    ///
    /// - Parameters:
    ///   - own: The owner's bindings; they come first in the help, and their keys do nothing else.
    ///   - section: The heading of the standard keys in the help, where it has headings.
    ///   - keymap: The keys that a user chose, by the names of the bindings; none at all is a
    ///     choice too. They do nothing else: other bindings lose them. A key that two names
    ///     were given goes to the one whose binding comes first. Ctrl-C always quits, and where
    ///     the help is left without a key, F1 shows it. A name that no binding has is passed over.
    /// - Returns: A table of both.
    public static func standard(
        adding own: [KeyBinding] = [], section: String = "List", keymap: [String: [Key]] = [:]
    ) -> KeyTable {
        let taken = Set(own.flatMap(\.keys))
        var others = standardBindings.compactMap { $0.without(taken) }
        if own.contains(where: { $0.section != nil }) {
            for place in others.indices { others[place].section = section }
        }
        return KeyTable(remapped(own + others, by: keymap))
    }

    private static var standardBindings: [KeyBinding] {
        [
            KeyBinding([.up, .character("k")], name: "row-up", "one row up", action: .moveBy(-1)),
            KeyBinding(
                [.down, .character("j")], name: "row-down", "one row down", action: .moveBy(1)),
            KeyBinding(
                [.pageUp, .control("b")], name: "page-up", "one screen up", action: .pageBy(-1)),
            KeyBinding(
                [.pageDown, .control("f"), .character(" ")], name: "page-down",
                "one screen down", action: .pageBy(1)),
            KeyBinding([.home, .character("g")], name: "first", "first row", action: .first),
            KeyBinding([.end, .character("G")], name: "last", "last row", action: .last),
            KeyBinding(
                [.control("l")], name: "redraw", "draw the screen again", action: .redraw),
            KeyBinding(
                [.character("?")], name: "help", "this help", hint: "help", hintRank: 100,
                action: .help),
            KeyBinding(
                [.character("q"), .control("c")], name: "quit", "quit", hint: "quit",
                hintRank: 100, action: .quit),
        ]
    }

    /// The keys of a list beside which text is typed: those of ``standard(adding:section:keymap:)``
    /// that are no characters, with F1 for the help, and Ctrl-C alone quits.
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
                KeyBinding(
                    [.function(1)], "this help", hint: "help", hintRank: 100, action: .help),
                KeyBinding(
                    [.control("c")], "quit", hint: "quit", hintRank: 100, action: .quit),
            ])
    }

    /// Whether a key acts on the row that a pane in place of the list is about.
    func actsInPane(_ key: Key) -> Bool {
        bindings.contains { $0.actsInPane && $0.keys.contains(key) }
    }

    /// What a key does, if anything.
    public func action(for key: Key) -> KeyAction? {
        if let action = actions[key] { return action }
        guard case .character = key else { return nil }
        return typingAction
    }
}
