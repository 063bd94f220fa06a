// The demo's list and key bindings.
import DiffCore
import Glibc
import TerminalList

/// A list, its terminal, and its key bindings.
@MainActor final class Demo {
    let terminal: Terminal
    let view: TerminalListView<Int, Int>
    private let things: Things

    init(terminal: Terminal, count: Int) {
        self.terminal = terminal
        let view = TerminalListView<Int, Int>(columns: [
            ListColumn("Name", minimum: 12, ideal: 24, maximum: 40, rank: 3),
            ListColumn("Address", minimum: 9, ideal: 15, rank: 2),
            ListColumn("Kind", minimum: 6, ideal: 12, maximum: .max, rank: 1),
            ListColumn("Changes", minimum: 7, ideal: 7, alignment: .trailing),
        ])
        view.emptyMessage = ["Nothing here yet.", "Press a to add a row."]
        things = Things(view: view, count: count)
        self.view = view
        view.keys = .standard(adding: bindings + overlayBindings)
    }

    private var bindings: [KeyBinding] {
        [
            binding("a", "add a row in the middle", hint: "add") { [things] in
                things.add(at: things.count / 2)
            },
            binding("A", "add a row below the first three") { [things] in things.add(at: 3) },
            binding("d", "delete the selected row", hint: "delete") { [things] in things.delete() },
            binding("u", "change the selected row") { [things] in things.update() },
            binding("w", "write to standard error") {
                unsafe perror("a warning of some library")
            },
            // A crash on purpose, to test that the terminal is restored.
            binding("x", "crash") { fatalError("crash as asked") },
            binding("o", "crash by using up the stack") { _ = Self.fall(from: 1) },
            binding("e", "exit without closing the terminal") { exit(3) },
            binding("X", "crash by a signal") { raise(SIGSEGV) },
        ]
    }

    func binding(
        _ key: Character, _ help: String, hint: String? = nil, _ action: @escaping () -> Void
    ) -> KeyBinding {
        KeyBinding([.character(key)], help, hint: hint, action: .run(action))
    }

    /// Recurses without end, in a form that the compiler cannot turn into a loop.
    private static func fall(from height: Int) -> Int {
        height == 0 ? 0 : (fall(from: height &+ 1) ^ height) &* 31
    }

    /// Shows the list until the user quits; returns the exit status.
    func run() async -> Int32 { await view.run(in: terminal) }
}
