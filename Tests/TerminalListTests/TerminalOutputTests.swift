// Tests of the bytes sent to a terminal, and of unsuitable terminals.
import LabSupport
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: ShellWindow.obstacle == nil, "\(ShellWindow.obstacle ?? "")"))
struct TerminalOutputTests {
    private static let demo = BuiltProducts.path("TerminalListDemo")

    private func inWindow(
        environment: String = "LC_ALL=C.UTF-8", _ body: (ShellWindow) async throws -> Void
    ) async throws {
        let window = try await ShellWindow(environment: environment)
        do { try await body(window) } catch {
            await window.close()
            throw error
        }
        await window.close()
    }

    @Test func `an arrival in a list of a thousand costs less than 4 KiB`() async throws {
        try await inWindow { window in
            try await window.run("\(Self.demo) 1000")
            try await window.wait(for: "q quit")
            try await window.press("G", "g")
            try await window.wait(for: ">  Printer 0 ")
            try await window.recordOutput()
            try await window.press("A")
            try await window.wait(for: "1001 rows")
            try await window.wait { $0.contains("   Printer 1000") && !$0.contains("+ Printer") }
            let bytes = try await window.sentOutput(with: "Printer 1000").utf8.count
            #expect(bytes < 4096, "the arrival and both stages of its fading")
        }
    }

    @Test func `sequences in hostile names are not sent`() async throws {
        try await inWindow { window in
            try await window.recordOutput()
            try await window.run("\(Self.demo) 100")
            try await window.wait(for: "tv␛]0;owned␇ 5")
            try await window.press("G")
            try await window.wait(for: "of 100")
            let sent = try await window.sentOutput(with: "80-100")
            #expect(sent.contains("owned"))
            #expect(!sent.contains("\u{1b}]"))
            #expect(!sent.contains("\u{7}"))
            #expect(!sent.unicodeScalars.contains("\u{202e}"))
        }
    }

    /// In the list, in a checklist and its title, beside the list, in its place, in a strip and in
    /// what is typed.
    @Test func `sequences in hostile text around the list are not sent`() async throws {
        try await inWindow { window in
            try await window.recordOutput()
            try await window.run("\(Self.demo) 8")
            try await window.wait(for: "q quit")
            try await window.press("c", "t")
            try await window.wait(for: "─ Kinds␛]0;owned␇: ")
            try await window.press("Tab")
            try await window.wait(for: "[ ] tv␛]0;owned␇ 5")
            try await window.press("Escape")
            try await window.wait(for: "q quit")
            try await window.press("/")
            try await window.wait(for: "/▏")
            try await window.pressBytes(Array("tv\u{202e}\u{200b}\u{9b}".utf8))
            try await window.wait(for: "/tv\\u{202e}\\u{200b}\\u{9b}▏")
            try await window.press("Enter", "Down", "p")
            try await window.wait(for: "5  tv␛]0;owned␇ 5")
            try await window.press("Enter")
            let screen = try await window.wait(for: "Esc back")
            #expect(screen.contains("+  ▁▄ █ ␛]0;owned␇"))
            try await window.press("Escape")
            try await window.wait(for: "q quit")
            try await window.press("u")
            try await window.wait(for: "  1")
            let sent = try await window.sentOutput(with: "back")
            #expect(sent.contains("owned"))
            #expect(!sent.contains("\u{1b}]"))
            #expect(sent.unicodeScalars.allSatisfy { $0.isASCII || $0.isHarmless })
            #expect(!sent.contains("\u{7}"))
        }
    }

    @Test(arguments: ["", "1"])
    func `NO_COLOR disables colours unless it is empty`(value: String) async throws {
        try await inWindow(environment: "LC_ALL=C.UTF-8 NO_COLOR=\(value)") { window in
            try await window.recordOutput()
            try await window.run("\(Self.demo) 8")
            try await window.wait(for: "q quit")
            let sent = try await window.sentOutput(with: "quit")
            #expect(sent.contains("\u{1b}[38;5;37m") == value.isEmpty, "the title's colour")
        }
    }

    @Test(arguments: [
        ("screen", "default", "\u{1b}[36m"), ("screen", "bright", "\u{1b}[36m"),
        ("xterm-256color", "bright", "\u{1b}[96m"), ("xterm-256color", "mono", nil),
    ])
    func `a theme's colours are sent, or coarser ones on terminals with fewer`(
        type: String, theme: String, color: String?
    ) async throws {
        try await inWindow(environment: "NO_COLOR= LC_ALL=C.UTF-8 TERM=\(type)") { window in
            try await window.recordOutput()
            try await window.run("\(Self.demo) 8 \(theme)")
            try await window.wait(for: "q quit")
            let sent = try await window.sentOutput(with: "quit")
            let colors = ["\u{1b}[36m", "\u{1b}[96m"].filter(sent.contains)
            #expect(colors == [color].compactMap { $0 })
            #expect(sent.contains(";1mInvented things") || color != nil, "bold is no colour")
        }
    }

    @Test func `the C locale uses ASCII and straight columns`() async throws {
        try await inWindow(environment: "LC_ALL=C") { window in
            try await window.run("\(Self.demo) 8")
            let screen = try await window.wait(for: "q quit")
            let rows = screen.split(separator: "\n").dropFirst(2).prefix(8)
            #expect(rows.map { $0.dropFirst(42).prefix(7) }.allSatisfy { $0 == "10.0.0." })
            #expect(screen.contains("   K\\u{fc}che 1 "))
            #expect(screen.contains("   tv^[]0;owned^G 5 "))
        }
    }

    @Test func `no locale means UTF-8`() async throws {
        try await inWindow(environment: "-u LC_ALL -u LANG -u LC_CTYPE") { window in
            try await window.run("\(Self.demo) 8")
            // The bytes sent matter, not how tmux displays them.
            try await window.wait(for: "Küche 1")
        }
    }

    @Test(arguments: [
        ("TERM=dumb", "a terminal of type \"dumb\" cannot show a list"),
        ("env -u TERM", "TERM is not set"),
        ("TERM=", "TERM is not set"),
        ("TERM=no-such-thing", "the terminal type \"no-such-thing\" (TERM) is not known here"),
    ])
    func `an unsuitable terminal type is an error with the reason`(
        setting: String, reason: String
    ) async throws {
        try await inWindow { window in
            try await window.run("clear; \(setting) \(Self.demo); echo status $?")
            let screen = try await window.wait(for: "status 1")
            #expect(
                screen.split(separator: "\n").contains { $0 == "terminal-list-demo: \(reason)" })
        }
    }

    @Test func `a terminal without cursor addressing is an error, and its modes are unchanged`()
        async throws
    {
        try await inWindow { window in
            try window.directory.write(
                "paper|prints on paper, cols#80, bel=^G, cr=\\r, ind=\\n,\n", to: "paper.ti")
            try await window.run(
                "TERMINFO=$PWD/info tic -o $PWD/info paper.ti && clear; stty -g > a")
            try await window.run("TERMINFO=$PWD/info TERM=paper \(Self.demo); stty -g > b")
            try await window.wait(for: "a terminal of type \"paper\" cannot show a list")
            try await window.run("clear; cmp a b && echo as before")
            try await window.wait(for: "as before")
        }
    }

    @Test func `standard input and output must both be the terminal`() async throws {
        try await inWindow { window in
            try await window.run("clear; \(Self.demo) < /dev/null")
            try await window.wait(for: "standard input is not a terminal")
            try await window.run("clear; \(Self.demo) | cat")
            try await window.wait(for: "standard output is not a terminal")
        }
    }
}
