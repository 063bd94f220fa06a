// The table in which keys are looked up, and from which the help is made.

/// The bindings of a list.
public struct KeyTable {
    /// The bindings, in the order of the help.
    public let bindings: [KeyBinding]
    private var actions: [Key: KeyAction] = [:]
    /// The action for characters without a binding.
    private(set) var typingAction: KeyAction?

    /// Creates a table of bindings.
    ///
    /// - Precondition: No key is bound twice, nor is typing; otherwise the help would be wrong.
    public init(_ bindings: [KeyBinding]) {
        self.bindings = bindings
        for binding in bindings {
            if case .type = binding.action {
                precondition(typingAction == nil, "typing is bound twice")
                typingAction = binding.action
            }
            for key in binding.keys {
                precondition(
                    actions.updateValue(binding.action, forKey: key) == nil,
                    "the key \(key.label()) is bound twice")
            }
        }
    }

    /// Creates a table with the keys of every list: movement, help, redraw, quit.
    ///
    /// ```swift
    /// KeyTable.standard(adding: own, keymap: ["page-up": [.control("u")], "search": []])
    /// ```
    ///
    /// - Parameters:
    ///   - own: The owner's bindings; they come first in the help and take precedence.
    ///   - section: The heading of the standard keys in the help, if `own` has headings.
    ///   - keymap: The user's keys by the names of bindings, possibly none. Other bindings lose
    ///     these keys; a key given to two names belongs to the first of the bindings. Ctrl-C always
    ///     quits, and F1 shows the help if no other key does. Unknown names are ignored.
    /// - Returns: The table.
    public static func standard(
        adding own: [KeyBinding] = [], section: String = "List", keymap: [String: [Key]] = [:]
    ) -> KeyTable {
        let taken = Set(own.flatMap(\.keys))
        var others = standardBindings.compactMap { $0.without(taken) }
        if own.contains(where: { $0.section != nil }) {
            for index in others.indices { others[index].section = section }
        }
        return KeyTable(keymap.isEmpty ? own + others : remapped(own + others, by: keymap))
    }

    /// Creates a table for a list beside which text is typed: the keys of
    /// ``standard(adding:section:keymap:)`` that are not characters, with F1 for the help.
    ///
    /// - Parameter own: The owner's bindings, one of them for typing; they come first in the help.
    /// - Returns: The table.
    public static func typing(adding own: [KeyBinding]) -> KeyTable {
        let others = standardBindings.map { standard in
            var binding = standard
            binding.keys = binding.isHelp ? [.function(1)] : binding.keys.filter { !$0.isCharacter }
            return binding
        }
        return KeyTable(own + others)
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

    /// Returns the bindings with a user's keys, without those that have no key left.
    private static func remapped(
        _ bindings: [KeyBinding], by keymap: [String: [Key]]
    ) -> [KeyBinding] {
        let interrupt = Key.control("c")
        var (bindings, taken) = (bindings, Set<Key>())
        for index in bindings.indices {
            guard let wanted = bindings[index].name.flatMap({ keymap[$0] }) else { continue }
            let isQuit = bindings[index].isQuit
            bindings[index].keys = wanted.filter {
                (isQuit || $0 != interrupt) && taken.insert($0).inserted
            }
            if isQuit, taken.insert(interrupt).inserted { bindings[index].keys.append(interrupt) }
        }
        for index in bindings.indices {
            let binding = bindings[index]
            if let name = binding.name, keymap[name] != nil { continue }
            bindings[index].keys.removeAll {
                $0 == interrupt ? !binding.isQuit : taken.contains($0)
            }
        }
        if let help = bindings.firstIndex(where: \.isHelp), bindings[help].keys.isEmpty {
            for index in bindings.indices { bindings[index].keys.removeAll { $0 == .function(1) } }
            bindings[help].keys = [.function(1)]
        }
        return bindings.filter { !$0.keys.isEmpty || $0.isTyping }
    }

    /// Whether a key acts on the row that a pane in place of the list shows.
    func actsInPane(_ key: Key) -> Bool {
        bindings.contains { $0.actsInPane && $0.keys.contains(key) }
    }

    /// Returns the action of a key.
    public func action(for key: Key) -> KeyAction? {
        actions[key] ?? (key.isCharacter ? typingAction : nil)
    }
}

extension Key {
    fileprivate var isCharacter: Bool { if case .character = self { true } else { false } }
}
