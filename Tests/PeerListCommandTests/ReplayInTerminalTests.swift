// Tests `peerlist replay` in a real terminal, in both directions.
import LabSupport
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: ShellWindow.obstacle == nil, "\(ShellWindow.obstacle ?? "")"))
struct ReplayInTerminalTests {
    private let folder: RecordingFolder

    init() throws { folder = try RecordingFolder() }

    /// Shows a recording, does something there, leaves it, and sees that the terminal is as before.
    private func replay(
        _ words: String, columns: Int = 80, rows: Int = 24, path: String = "$PATH",
        locale: String = "C.UTF-8", ends: Bool = true, _ body: (ShellWindow) async throws -> Void
    ) async throws {
        let window = try await ShellWindow(
            columns: columns, rows: rows, environment: "LC_ALL=\(locale) TZ=UTC")
        do {
            try await window.run(
                "PATH=\(path) \(BuiltProducts.peerlist) replay \(words); echo status $?")
            try await window.wait(for: " quit")
            try await body(window)
            if ends { try await window.press("q") }
            try await window.wait(for: "status 0")
        } catch {
            await window.close()
            throw error
        }
        await window.close()
    }

    @Test func `--speed 0 plays to the end, and each key seeks as its help says`() async throws {
        let lines = House.lines()
        let count = lines.filter { !$0.contains(#""type":"notice""#) }.count
        let path = try folder.file("house.jsonl", lines)
        try await replay("--speed 0 \(path)") { window in
            try await window.wait(for: "■ end")
            try await window.wait(for: "\(count) of \(count)")
            try await window.press("Left")
            try await window.wait(for: "\(count - 1) of \(count)")
            try await window.wait(for: "⏸ paused")
            try await window.press("Home")
            try await window.wait(for: "0 of \(count)")
            try await window.wait(for: "0 peers")
            // All that happened at once is one step.
            try await window.press("Right")
            try await window.wait(for: "4 of \(count)")
            try await window.wait(for: " 2 peers,")
            try await window.press("Right")
            try await window.wait(for: "5 of \(count)")
            try await window.wait(for: " 3 peers,")
            try await window.press("End")
            try await window.wait(for: "\(count) of \(count)")
            try await window.wait(for: "Space play")
            try await window.press("Space")
            try await window.wait(for: "■ end")
            try await window.press("?")
            try await window.wait(for: "one step back")
            try await window.press("Escape")
            try await window.wait { !$0.contains("one step back") }
        }
    }

    @Test(arguments: ["C.UTF-8", "C"])
    func `a key that the menu shows runs its line, q quits, and Esc only leaves`(locale: String)
        async throws
    {
        let path = try folder.file("house.jsonl", House.lines())
        try await replay("--at 2026-11-21T08:30:10 \(path)", locale: locale, ends: false) {
            window in
            try await window.wait(for: "brn30055c")
            try await window.wait(for: ": menu")
            try await window.press("/", "z", "z")
            try await window.wait(for: "0 of 3")
            try await window.press("Escape")
            try await window.wait { !$0.contains("0 of 3") }
            try await window.wait(for: ": menu")
            try await window.press("g")
            try await window.wait(for: "Internet printing")
            try await window.press(":")
            try await window.wait(for: " Menu: press a key, or / to search ")
            try await window.press("g")
            try await window.wait { !$0.contains("Menu") && !$0.contains("Internet printing") }
            try await window.press("F10", "/", "h", "e", "l", "p")
            try await window.wait { $0.contains("> this help") && !$0.contains("verify") }
            try await window.press("Escape")
            try await window.wait(for: " Menu: press a key")
            try await window.press("q")
        }
    }

    @Test(arguments: [(40, 10), (80, 24)])
    func `one types in the box of types, Enter shows only that, and Esc shows all again`(
        columns: Int, rows: Int
    ) async throws {
        let path = try folder.file("house.jsonl", House.lines())
        try await replay(
            "--at 2026-11-21T08:30:10 \(path)", columns: columns, rows: rows
        ) { window in
            try await window.wait(for: "brn30055c")
            try await window.press("t")
            try await window.wait(for: "Service types")
            try await window.press("p", "r", "i", "n", "t", "i", "n")
            try await window.wait {
                $0.contains("> [x] Internet") && !$0.contains("Google Cast")
            }
            try await window.press("Enter")
            try await window.wait { $0.contains("1 of 3") && !$0.contains("Service types") }
            try await window.press("Escape")
            try await window.wait { $0.contains("3 peers") && !$0.contains("1 of 3") }
        }
    }

    @Test func `the selection survives an empty list, and stays on its device when it is sorted`()
        async throws
    {
        let path = try folder.file("house.jsonl", House.lines())
        try await replay("--at 2026-11-21T08:30:10 \(path)") { window in
            try await window.wait(for: ">  ▸ brn30055c")
            try await window.press("Home")
            try await window.wait(for: "0 peers")
            try await window.press("Right", "Right", "Right")
            try await window.wait(for: ">  ▸ anna")
            try await window.wait(for: " 3 peers")
            try await window.press("Down")
            let before = try await window.wait(for: ">  ▸ brn30055c")
            let name = before.split(separator: "\n").first { $0.hasPrefix(">") }?.prefix(20)
            for _ in 0..<5 { try await window.press("s") }
            try await window.wait(for: "sorted by name")
            let after = try await window.wait { $0.contains("\n> ") }
            #expect(after.split(separator: "\n").first { $0.hasPrefix(">") }?.prefix(20) == name)
        }
    }

    /// The exit statuses are those of xdg-open(1).
    @Test(arguments: [
        ("3", "xdg-open found no program: "), ("4", "the program of xdg-open failed: "),
        ("1", "xdg-open failed (1): "), ("", "xdg-open is not installed: "),
    ])
    func `an address that cannot be opened is shown, with the reason`(
        status: String, reason: String
    ) async throws {
        let path = try folder.file("house.jsonl", House.lines())
        let programs = try TemporaryDirectory()
        if !status.isEmpty {
            try await programs.writeProgram("exit \(status)", to: "xdg-open")
        }
        try await replay(
            "--at 2026-11-21T08:33:20 \(path)", columns: 100, path: programs.path
        ) { window in
            try await window.wait(for: "brn30055c")
            try await window.press("/")
            for letter in "brn" { try await window.press("\(letter)") }
            try await window.press("Enter", "o")
            try await window.wait(for: "─ Open")
            try await window.press("Enter")
            let screen = try await window.wait(for: reason)
            #expect(screen.contains("\(reason)http://brn30055c.local/ (c copies it)"))
        }
        await programs.remove()
    }

    @Test func `M releases the mouse and takes it back, and a menu has what the keys do`()
        async throws
    {
        let path = try folder.file("house.jsonl", House.lines())
        let mouse = "#{mouse_any_flag}"
        try await replay("--at 2026-11-21T08:30:10 \(path)") { window in
            try await window.wait(for: " 3 peers,")
            #expect(try await window.property(mouse) == "1")
            try await window.press("M")
            try await window.wait(for: "the mouse selects text")
            #expect(try await window.property(mouse) == "0")
            try await window.press("M")
            try await window.wait(for: "the mouse acts on the list")
            #expect(try await window.property(mouse) == "1")
            try await window.press(":")
            try await window.wait(for: "─ Menu: ")
            try await window.press("Escape")
            try await window.wait { !$0.contains("─ Menu: ") }
            try await window.pressBytes([0x1b] + Array("[<2;8;4M".utf8))
            try await window.wait(for: "─ Menu: ")
            try await window.press("Enter")
            try await window.wait(for: "Esc back")
            try await window.press("Escape")
            try await window.wait(for: " quit")
        }
        try await replay("--no-mouse --at 2026-11-21T08:30:10 \(path)") { window in
            #expect(try await window.property(mouse) == "0")
            try await window.press("M")
            try await window.wait(for: "the mouse acts on the list")
            #expect(try await window.property(mouse) == "1")
        }
    }

    /// script(1) has the other side of the terminal, and is killed, as a connection of ssh that is cut.
    @Test func `the list ends when its terminal is gone`() async throws {
        let path = try folder.file("house.jsonl", House.lines())
        let directory = try TemporaryDirectory()
        let status = directory.path + "/status"
        let list =
            "trap '' HUP; \(BuiltProducts.peerlist) replay \(path); echo status $? >\(status)"
        let file = directory.path + "/typescript"
        let script = try RunningProcess(["env", "TERM=xterm", "script", "-qfc", list, file])
        // Each escape sequence as a line.
        let follow =
            "tail --pid=$$ -n +1 --follow=name --retry '\(file)' | stdbuf -oL tr '\\033' '\\n'"
        let shown = try RunningProcess(["sh", "-c", follow])
        try await shown.line(within: .seconds(60)) { $0.hasPrefix("[?1049h") }
        await script.send(9)
        let ended = try RunningProcess(["tail", "-n", "+1", "--follow=name", "--retry", status])
        let line = try await ended.line(within: .seconds(60)) { $0.hasPrefix("status") }
        #expect(line == "status 0" || line == "status 130")
        for process in [shown, ended] { await process.send(15) }
        await directory.remove()
    }

    @Test func `playback keeps the timing, and a key doubles the speed`() async throws {
        let path = try folder.file("house.jsonl", House.lines())
        try await replay(path) { window in
            try await window.wait(for: "▶ ×1 ")
            try await window.press("+", "+")
            try await window.wait(for: "▶ ×4 ")
            try await window.press("Space")
            try await window.wait(for: "⏸ paused")
        }
    }

    @Test func `seeking advances through a time without changes`() async throws {
        // 300 seconds, in which nothing happens from the ninth to the 132nd.
        let path = try folder.file("house.jsonl", House.lines())
        try await replay("--at 2026-11-21T08:30:03 \(path)") { window in
            try await window.wait(for: "  2026-11-21 08:30:02")
            for _ in 0..<5 { try await window.press("]") }
            try await window.wait(for: "  2026-11-21 08:31:17 local time")
            for _ in 0..<7 { try await window.press("[") }
            try await window.wait(for: "  2026-11-21 08:30:00")
        }
    }

    @Test(arguments: ["2026-11-21T08:30:03", "08:30:03"])
    func `--at pauses at the time`(time: String) async throws {
        let path = try folder.file("house.jsonl", House.lines())
        try await replay("--at \(time) \(path)") { window in
            try await window.wait(for: "  2026-11-21 08:30:02")
            try await window.wait(for: " 3 peers,")
        }
    }

    @Test func `a compressed pipe can be played in both directions in a small window`()
        async throws
    {
        let path = try folder.file("house.jsonl", House.lines(.type))
        try await replay("--speed 0 - < <(gzip -c \(path))", columns: 40, rows: 10) { window in
            try await window.wait(for: "■ end")
            try await window.press("Left", "Left")
            try await window.wait(for: "⏸ paused")
            try await window.press("End")
            try await window.wait(for: "■ end")
        }
    }

    @Test func `damage is a warning above the list`() async throws {
        let lines = House.lines()
        let path = try folder.file("bad.jsonl", lines[..<4] + ["rubbish"] + lines)
        try await replay("--speed 0 \(path)") { window in
            try await window.wait(for: "! skipped: line 5, byte ")
        }
    }

    @Test func `lines appended to a followed file are shown`() async throws {
        let lines = House.lines()
        let path = try folder.file("growing.jsonl", lines[..<2])
        try await replay("--follow \(path)") { window in
            try await window.wait(for: "2 of 2 so far")
            try TextFile.write(lines[..<5].map { $0 + "\n" }.joined(), to: path)
            try await window.wait(for: "▶ waiting")
        }
    }
}
