// The demo's loop: waits for the terminal, changes the list, draws.
import DiffCore
import Dispatch
import Glibc
import TerminalList

/// A list, its terminal, and what keys do to it.
@MainActor final class Demo {
    private let terminal: Terminal
    private let view: TerminalListView<Int, Int>
    private let things: Things
    private var timer: DispatchWorkItem?

    init(terminal: Terminal, count: Int) {
        self.terminal = terminal
        let view = TerminalListView<Int, Int>(columns: [
            ListColumn("Name", minimum: 12, ideal: 24, maximum: 40, weight: 2, rank: 3),
            ListColumn("Address", minimum: 9, ideal: 15, rank: 2),
            ListColumn("Kind", minimum: 6, ideal: 12, weight: 1, rank: 1),
            ListColumn("Changes", minimum: 7, ideal: 7, alignment: .trailing),
        ])
        view.charset = terminal.charset
        view.emptyMessage = ["Nothing here yet.", "Press a to add a row."]
        things = Things(view: view, count: count)
        self.view = view
        view.keys = .standard(adding: bindings)
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
            // The demo is there to show that the terminal survives this.
            binding("x", "crash") { fatalError("crash as asked") },
            binding("o", "crash by using up the stack") { _ = Self.fall(from: 1) },
            binding("e", "exit without giving the terminal back") { exit(3) },
            binding("X", "crash by a signal") { raise(SIGSEGV) },
        ]
    }

    private func binding(
        _ key: Character, _ help: String, hint: String? = nil, _ action: @escaping () -> Void
    ) -> KeyBinding {
        KeyBinding([.character(key)], help, hint: hint, action: .run(action))
    }

    /// Never comes back, and in a form that the compiler cannot turn into a loop.
    private static func fall(from height: Int) -> Int {
        height == 0 ? 0 : (fall(from: height &+ 1) ^ height) &* 31
    }

    /// Shows the list until it is left; returns the exit status.
    func run() async -> Int32 {
        draw()
        for await wakeUp in terminal.wakeUps {
            for event in terminal.events(at: wakeUp) {
                guard let status = take(event) else { continue }
                terminal.close()
                return status
            }
            draw()
        }
        return 0
    }

    private func take(_ event: TerminalEvent) -> Int32? {
        switch event {
        case .key(let key):
            switch view.handle(key) {
            case .quit: return 0
            case .redraw: terminal.redraw()
            case .handled, .unknown: break
            }
        case .suspendRequested: terminal.suspend()
        case .resized, .resumed: break
        case .terminated(let signal): return 128 + signal
        case .inputEnded: return 1
        }
        return nil
    }

    private func draw() {
        view.header = ListHeader("Invented things", status: "\(things.count) rows")
        terminal.draw(view.frame(size: terminal.size, now: .now))
        timer?.cancel()
        guard let deadline = view.nextDeadline else { return }
        let timer = DispatchWorkItem { [weak self] in MainActor.assumeIsolated { self?.draw() } }
        let wait = ContinuousClock.now.duration(to: deadline) / .seconds(1)
        DispatchQueue.main.asyncAfter(deadline: .now() + wait, execute: timer)
        self.timer = timer
    }
}
