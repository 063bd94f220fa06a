// Bindings of keys to actions, and the table in which keys are looked up.

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
    /// Shows the rows below the selected row in an outline, or selects the first of them.
    case expand
    /// Hides the rows below the selected row in an outline, or selects its parent.
    case collapse
    /// Shows or hides the rows below the selected row in an outline.
    case toggle
    /// Moves the selected item by a row, if the data source's reordering handlers allow it: up for a
    /// negative number, else down.
    case moveItem(Int)
    /// Deletes the selected item, if the data source's editing handlers allow it.
    case deleteItem
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

    /// Returns the number of lines by which a movement key scrolls, with `page` lines in a screen;
    /// `nil` for other keys. For a key that moves to an end, the number exceeds the length of any
    /// text.
    func distance(page: Int) -> Int? {
        switch self {
        case .moveBy(let count): count
        case .pageBy(let count): count * page
        case .first: -(1 << 32)
        case .last: 1 << 32
        default: nil
        }
    }
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
    public var hint: String?
    /// The importance of the hint: where space is short, the least important ones are dropped.
    public var hintRank: Int
    /// Whether the keys act on the row that a pane in place of the list shows.
    public let actsInPane: Bool
    /// The heading above the binding in the help. Bindings with the same heading must be adjacent.
    public var section: String?
    /// Whether the help leaves the binding out, as its keys have no effect now.
    public var isHidden = false
    /// The action.
    public let action: KeyAction

    /// Binds keys to an action, or else to a function of the owner.
    public init(
        _ keys: [Key], name: String? = nil, _ help: String, hint: String? = nil,
        hintRank: Int = 0, actsInPane: Bool = false, section: String? = nil,
        action: KeyAction? = nil, run: @escaping () -> Void = {}
    ) {
        self.hintRank = hintRank
        self.actsInPane = actsInPane
        self.keys = keys
        self.name = name
        self.help = help
        self.hint = hint
        self.section = section
        self.action = action ?? .run(run)
    }

    /// Binds each character without another binding, for text being typed.
    public init(typing help: String, hint: String? = nil, type: @escaping (Character) -> Void) {
        self.init([], help, hint: hint, action: .type(type))
    }

    /// Returns the binding without some of its keys, or `nil` if none is left.
    public func without(_ taken: Set<Key>) -> KeyBinding? {
        var binding = self
        binding.keys.removeAll(where: taken.contains)
        return binding.keys.isEmpty ? nil : binding
    }

    /// Returns the labels of the keys.
    func labels(charset: Charset) -> [String] {
        guard !isTyping else { return ["A-Z"] }
        let labels = keys.map { $0.label(charset: charset) }
        guard labels.count > Self.labelLimit, let first = labels.first, let last = labels.last
        else {
            return labels
        }
        return ["\(first)-\(last)"]
    }

    /// The number of keys above which the help names only the first and the last key, as in `1-9`.
    private static let labelLimit = 4

    var isHelp: Bool { if case .help = action { true } else { false } }
    var isTyping: Bool { if case .type = action { keys.isEmpty && name == nil } else { false } }
    var isQuit: Bool { if case .quit = action { true } else { false } }
}

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
            if binding.isTyping {
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
    ///   - keymap: The user's keys by the names of bindings. Other bindings lose these keys; a key
    ///     given to two names belongs to the first binding. Ctrl-C always quits, and F1 shows the
    ///     help if no other key does. Unknown names are ignored.
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

    /// Creates a table for a list beside which text is typed: the owner's bindings, including one
    /// for typing, and the standard keys that are not characters, with F1 for the help.
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

    /// The bindings of lists with outlines, and of lists whose rows the user can move or delete.
    static var outlineBindings: [KeyBinding] {
        [
            KeyBinding(
                [.right, .character("l")], "show the rows below", hint: "expand", action: .expand),
            KeyBinding(
                [.left, .character("h")], "hide the rows below", hint: "collapse",
                action: .collapse),
            KeyBinding([.enter], "show or hide the rows below", action: .toggle),
        ]
    }
    static var editingBindings: [KeyBinding] {
        [KeyBinding([.delete], "delete the row", hint: "delete", action: .deleteItem)]
    }
    static var reorderingBindings: [KeyBinding] {
        [
            KeyBinding([.altUp, .shiftUp], "move the row up", hint: "move", action: .moveItem(-1)),
            KeyBinding([.altDown, .shiftDown], "move the row down", action: .moveItem(1)),
        ]
    }

    /// Returns the table with more bindings before the help; their keys that are bound already are
    /// dropped.
    func adding(_ others: [KeyBinding]) -> KeyTable {
        let index = bindings.firstIndex(where: \.isHelp) ?? bindings.endIndex
        let taken = others.flatMap(\.keys).filter { action(for: $0) != nil }
        var added = others.compactMap { $0.without(Set(taken)) }
        for index in added.indices { added[index].section = bindings.last?.section }
        return KeyTable(bindings[..<index] + added + bindings[index...])
    }

    /// Returns the bindings with a user's keys; bindings that have no key left are dropped.
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
