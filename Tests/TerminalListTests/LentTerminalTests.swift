// Tests running programs, the mouse and the clipboard in a real terminal.
import Glibc
import LabSupport
import TerminalList
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: ShellWindow.obstacle == nil, "\(ShellWindow.obstacle ?? "")"))
struct LentTerminalTests {
    private static let demo = DemoWindow.program

    private func demo(
        environment: String = "LC_ALL=C.UTF-8", _ body: (ShellWindow) async throws -> Void
    ) async throws {
        try await DemoWindow.with(
            "\(Self.demo) 8", environment: environment, recordsOutput: true, body)
    }

    @Test func `a program gets the terminal, and the list returns with its status`() async throws {
        try await demo { window in
            try await window.press("s")
            let screen = try await window.wait(for: "in the child")
            #expect(screen.contains("$ sh -c"))
            #expect(!screen.contains("Invented"))
            #expect(try await window.property("#{alternate_on} #{mouse_any_flag}") == "0 0")
            try await window.run("hello")
            try await window.wait { $0.contains("status 7") && $0.contains("Printer 0") }
            #expect(try await window.property("#{alternate_on} #{mouse_any_flag}") == "1 1")
            try await window.press("Down")
            try await window.wait(for: ">  Printer 0")
            try await window.press("q")
            try await window.wait(for: "got hello")
        }
    }

    @Test func `the output of a failed program stays until Enter if requested`() async throws {
        try await demo { window in
            try await window.press("F")
            let screen = try await window.wait(for: "(status 3; Enter goes back)")
            #expect(screen.contains("it went wrong"))
            try await window.press("Enter")
            try await window.wait { $0.contains("status 3") && $0.contains("Printer 0") }
        }
    }

    @Test func `Ctrl-C goes back from the output of a program`() async throws {
        try await demo { window in
            for _ in 0..<2 {
                try await window.press("F")
                try await window.wait(for: "(status 3; Enter goes back)")
                try await window.press("C-c")
                try await window.wait { $0.contains("status 3") && $0.contains("Printer 0") }
            }
        }
    }

    @Test func `Ctrl-C is sent to the program`() async throws {
        try await demo { window in
            try await window.press("s")
            try await window.wait(for: "in the child")
            try await window.press("C-c")
            try await window.wait { $0.contains("status 130") && $0.contains("Printer 0") }
        }
    }

    @Test func `Ctrl-Z stops the program and the list, and fg continues both`() async throws {
        try await demo { window in
            try await window.press("s")
            try await window.wait(for: "in the child")
            try await window.press("C-z")
            try await window.wait(for: "Stopped")
            try await window.run("clear; fg")
            // The output of `fg` may be wrapped anywhere.
            try await window.wait { screen in
                // The line of the stopped program has this text too.
                !screen.contains("Stopped")
                    && screen.filter { !$0.isWhitespace }.contains("TerminalListDemo8")
            }
            try await window.run("hello again")
            try await window.wait { $0.contains("status 7") && $0.contains("Printer 0") }
            try await window.press("q")
            try await window.wait(for: "got hello again")
        }
    }

    @Test func `a command is run without a shell and printed escaped`()
        async throws
    {
        try await demo { window in
            try await window.press("P")
            try await window.wait(for: "status 0")
            try await window.press("q")
            let screen = try await window.wait(for: "<$(echo no) 'shell' ; | reads")
            #expect(screen.contains("$ printf <%s>\\n $(echo no) 'shell' ; | reads ␛"))
        }
    }

    @Test func `a missing program is an error, and the list returns`() async throws {
        try await demo { window in
            try await window.press("N")
            try await window.wait {
                $0.contains("no-such-program is not installed") && $0.contains("Printer 0")
            }
        }
    }

    @Test func `a background program has no terminal and returns its status`() async throws {
        let check = "test -t 0 && exit 1; tty && exit 2; read x; echo unseen; exit 5"
        #expect(try await Terminal.runInBackground(["sh", "-c", check]) == 5)
        #expect(try await Terminal.runInBackground(["sh", "-c", "kill -TERM $$"]) == 143)
        for command in [["no-such-program"], [""], []] {
            await #expect(throws: TerminalError.self) {
                try await Terminal.runInBackground(command)
            }
        }
    }

    @Test func `a program does not ignore the signals that this process ignores for itself`()
        async throws
    {
        let before = signal(SIGTERM, SIG_IGN)
        defer { signal(SIGTERM, before) }
        #expect(try await Terminal.runInBackground(["sh", "-c", "kill -TERM $$; exit 5"]) == 143)
    }

    /// A press of the first button (0), its release (3), a notch of the wheel (64, 65): as the
    /// bytes that xterm sends.
    private func mouse(_ button: Int, row: Int, column: Int, in window: ShellWindow) async throws {
        let bytes = [0x1b, 0x5b, 0x4d, 32 + button, 33 + column, 33 + row]
        try await window.pressBytes(bytes.map(UInt8.init))
    }

    @Test func `clicks and wheel events have the right positions`() async throws {
        try await demo { window in
            try await mouse(0, row: 4, column: 7, in: window)
            try await mouse(3, row: 4, column: 7, in: window)
            try await window.wait(for: ">  プリンター 2")
            try await mouse(0, row: 4, column: 7, in: window)
            try await mouse(3, row: 4, column: 7, in: window)
            try await window.wait(for: "Esc back")
            try await mouse(65, row: 6, column: 7, in: window)
            try await window.wait { $0.contains("\n3  ") && !$0.contains("\n2  ") }
            try await mouse(64, row: 6, column: 7, in: window)
            try await window.wait(for: "\n0  ")
        }
    }

    @Test func `a paste is text, whatever its contents`() async throws {
        try await demo(environment: "LC_ALL=C.UTF-8 TERM=tmux-256color") { window in
            let paste = "\u{1b}[200~q\rq\u{1b}[A\u{1b}]0;owned\u{7}\u{1b}[201~"
            try await window.pressBytes(Array(paste.utf8))
            try await window.press("/")
            try await window.wait(for: "/▏")
            try await window.pressBytes(Array(paste.utf8))
            try await window.wait(for: "/q q␛]0;owned␇▏")
            try await window.press("Escape")
            try await window.wait(for: "q quit")
            try await window.press("q")
            try await window.wait { !$0.contains("Invented") }
            let sent = try await window.sentOutput(with: "\u{1b}[?2004l")
            #expect(sent.contains("\u{1b}[?2004h"))
        }
    }

    @Test func `inside tmux a copied text is in its paste buffer, whatever its settings`()
        async throws
    {
        try await demo(environment: "LC_ALL=C.UTF-8 TERM=tmux-256color") { window in
            for _ in 0..<6 { try await window.press("Down") }
            try await window.wait(for: ">  tv")
            try await window.press("y")
            try await window.wait(for: "copy: buffered")
            #expect(try await window.buffer() == "tv\u{1b}]0;owned\u{7} 5")
        }
    }

    /// The window is the terminal of the inner tmux, and takes what it is sent into its own buffer.
    @Test(arguments: ["on", "off"])
    func `tmux with a terminal that can copy sends the text there, whatever its settings`(
        setting: String
    ) async throws {
        let window = try await ShellWindow()
        do {
            // As it is set, the window's tmux takes only what its own programs load.
            try await window.run("tmux set -s set-clipboard on")
            try await window.run(
                "printf 'set -s set-clipboard \(setting)\\nset -g status off\\nset -g destroy-unattached on\\n' > conf; env -u TMUX"
                    + " TERM=xterm-256color tmux -S inner -f conf new '\(Self.demo) 8'")
            try await window.wait(for: "q quit")
            try await window.press("Down", "y")
            try await window.wait { screen in
                screen.split(separator: "\n").last == "copy: bufferedAndSent"
            }
            #expect(try await window.buffer() == "Printer 0")
            try await window.press("q")
            try await window.wait(for: "[exited]")
        } catch {
            await window.close()
            throw error
        }
        await window.close()
    }

    @Test func `without the program tmux the text is sent to tmux`() async throws {
        try await demo(environment: "LC_ALL=C.UTF-8 TERM=tmux-256color") { window in
            try await window.press("q")
            try await window.wait { !$0.contains("Invented") }
            try await window.run("PATH=/none \(Self.demo) 8")
            try await window.wait(for: "q quit")
            try await window.press("Down", "y")
            try await window.wait(for: "copy: sentToTmux")
            let sent = try await window.sentOutput(with: "copy: ")
            #expect(sent.contains("\u{1b}]52;c;UHJpbnRlciAw\u{7}"))
        }
    }

    /// Terminals outside tmux; `linux` does not say that it can copy.
    @Test(arguments: [("xterm-256color", "sent"), ("linux", "unsupported")])
    func `outside tmux a text is copied with OSC 52 if the terminal supports it`(
        type: String, outcome: String
    ) async throws {
        try await demo(environment: "-u TMUX LC_ALL=C.UTF-8 TERM=\(type)") { window in
            try await window.press("Down", "y")
            try await window.wait(for: "copy: \(outcome)")
            let sent = try await window.sentOutput(with: "copy: ")
            #expect(sent.contains("\u{1b}]52;c;UHJpbnRlciAw\u{7}") == (outcome == "sent"))
        }
    }
}
