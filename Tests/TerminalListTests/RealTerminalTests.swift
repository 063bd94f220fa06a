// Tests of drawing, resizing, stopping, ending and crashing in a real terminal.
import Glibc
import LabSupport
import Testing

/// The demo in a terminal whose shell must be unaffected afterwards.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: ShellWindow.obstacle == nil, "\(ShellWindow.obstacle ?? "")"))
struct RealTerminalTests {
    private static let demo = DemoWindow.program

    private func demo(
        _ count: Int = 8, rows: Int = 24, _ body: (ShellWindow) async throws -> Void
    ) async throws {
        let command =
            "stty -g > before; sh -c 'echo $$ > pid; exec \(Self.demo) \(count)'; echo $? > status"
        try await DemoWindow.with(command, rows: rows, body)
    }

    /// Expects the shell's prompt on the main screen, with the terminal's former modes.
    private func expectGivenBack(_ window: ShellWindow, status: Int32?) async throws {
        try await window.wait { !$0.contains("Invented things") && $0.contains("$") }
        try await window.run(
            "clear; stty -g > after; cmp before after && echo modes as before")
        try await window.wait(for: "modes as before")
        #expect(try await window.property(DemoWindow.state) == "0 1 0")
        guard let status else { return }
        try await window.run("clear; echo status $(cat status)")
        try await window.wait(for: "status \(status)")
    }

    @Test func `q restores the terminal`() async throws {
        try await demo { window in
            #expect(try await window.property(DemoWindow.state) == "1 0 1")
            let screen = try await window.wait(for: "プリンター 2")
            #expect(screen.contains("   tv␛]0;owned␇ 5                         10.0.0.5"))
            #expect(screen.contains("   👨 home 4                              10.0.0.4"))
            try await window.press("q")
            try await expectGivenBack(window, status: nil)
        }
    }

    @Test(arguments: ["xterm-ghostty", "alacritty-of-tomorrow", "screen.unheard-of"])
    func `a terminal that this machine does not know is used by the description of its family`(
        type: String
    ) async throws {
        let environment = "LC_ALL=C.UTF-8 TERM=\(type)"
        let command = "TERMINFO=/nowhere \(Self.demo) 8; echo ended, with $TERM and ${TERMINFO-no}"
        try await DemoWindow.with(command, environment: environment) { window in
            try await window.wait(for: "プリンター 2")
            try await window.press("Down", "q")
            try await window.wait(for: "ended, with \(type) and no")
        }
    }

    @Test func `a terminal of no known family is said to be unknown`() async throws {
        let window = try await ShellWindow(environment: "LC_ALL=C.UTF-8 TERM=slate-1")
        try await window.run(Self.demo)
        try await window.wait(for: "the terminal type \"slate-1\" (TERM) is not known here")
        await window.close()
    }

    /// The keys that otherwise send signals would end or stop the shell of the pipeline, too.
    @Test func `on the controlling terminal a list leaves standard input and output to data`()
        async throws
    {
        let window = try await ShellWindow()
        let demo = "\(Self.demo) 8 standard controlling"
        try await window.run(
            "stty -g > before; x=$(echo data | (\(demo); cat)); echo $? $x > status")
        try await window.wait(for: "q quit")
        #expect(try await window.property(DemoWindow.state) == "1 0 1")
        try await window.press("C-z", "C-\\", "Down")
        try await window.wait { $0.contains("> ") }
        try await window.resize(columns: 60, rows: 20)
        try await window.wait {
            $0.split(separator: "\n", omittingEmptySubsequences: false)[19]
                .contains("q quit")
        }
        try await window.press("C-c")
        try await expectGivenBack(window, status: nil)
        try await window.run("clear; echo status $(cat status)")
        try await window.wait(for: "status 0 data")
        await window.close()
    }

    @Test func `without a controlling terminal there is no list`() async throws {
        let finished = try await FinishedProcess(
            ["setsid", "--wait", Self.demo, "8", "standard", "controlling"])
        #expect(finished.status == 1)
        #expect(finished.output.contains("there is no terminal"))
    }

    @Test func `marks and departed rows expire without a key`() async throws {
        try await demo(3) { window in
            try await window.press("a")
            try await window.wait(for: " + nas 3")
            try await window.press("Down", "d")
            try await window.wait(for: ">- Printer 0")
            try await window.wait { !$0.contains("Printer 0") && $0.contains(">  nas 3") }
        }
    }

    @Test func `the list follows the window's size, down to its minimum`() async throws {
        try await demo(100) { window in
            try await window.resize(columns: 40, rows: 10)
            try await window.wait(for: "1-7 of 100")
            try await window.resize(columns: 30, rows: 5)
            try await window.wait(for: "30x5 is too small, 40x8 needed")
            try await window.resize(columns: 100, rows: 40)
            try await window.wait(for: "1-37 of 100")
        }
    }

    /// Presses, releases, motion, tilt and garbage, whole and cut off, in SGR and X10 form. A key
    /// follows none of them: what is drawn afterwards is drawn because of the window's size.
    @Test(arguments: [
        ["[<0;10;3m"], ["[<0;10;3M", "[<0;10;3m"], ["[<2;10;3M", "[<2;10;3m"], ["[<1;10;3M"],
        ["[<66;10;3M", "[<67;10;3M"], ["[<35;10;3M"], ["[<3;10;3M"], ["[<0;10;3"], ["[<"],
        ["[<99;z"], ["[M#*#"], ["[M!*#"], ["[M\"*#"], ["[Mb*#"], ["[M"], ["[M *"],
        ["[M \u{80}\u{ff}"], ["[<0;0;0M"], ["[200~"],
    ])
    func `any mouse report leaves the list usable`(reports: [String])
        async throws
    {
        try await demo(100) { window in
            for report in reports { try await window.pressBytes([0x1b] + report.latin1) }
            try await window.resize(columns: 60, rows: 10)
            try await window.wait(for: "1-7 of 100")
            try window.signalProgram(SIGTERM)
            try await expectGivenBack(window, status: 143)
        }
    }

    /// `q` would end the list, `a` would add a row.
    @Test func `unknown sequences and Alt with a letter do nothing`() async throws {
        try await demo(3) { window in
            for sequence in [
                "[O", "[I", "q", "a", "Oq", "[1;9q", "]0;qa\u{7}", "[200~qa\u{1b}[201~",
            ] {
                try await window.pressBytes([0x1b] + sequence.latin1)
            }
            try await window.press("Down")
            let screen = try await window.wait(for: ">  Printer 0")
            #expect(screen.contains("3 rows") && !screen.contains("nas 3"))
        }
    }

    @Test func `the arrows with Alt and Shift and the mouse move rows`() async throws {
        try await demo(3) { window in
            func order(_ names: String...) async throws {
                try await window.wait { screen in
                    let places = names.compactMap { screen.firstRange(of: $0)?.lowerBound }
                    return places.count == names.count && places == places.sorted()
                }
            }
            try await window.press("Down", "M-Down")
            try await order("Küche 1", "Printer 0", "プリンター 2")
            try await window.press("S-Down", "S-Up")
            try await order("Küche 1", "Printer 0", "プリンター 2")
            for report in ["[<0;10;3M", "[<32;10;5M", "[<0;10;5m"] {
                try await window.pressBytes([0x1b] + report.latin1)
            }
            try await order("Printer 0", "プリンター 2", "Küche 1")
        }
    }

    @Test func `Ctrl-Z restores the terminal for the shell, and fg reclaims it`() async throws {
        try await demo { window in
            for _ in 0..<2 {
                try await window.press("C-z")
                try await window.wait { $0.contains("Stopped") && !$0.contains("Invented") }
                try await window.run("clear; stty -g > after; cmp before after && echo as before")
                try await window.wait(for: "as before")
                #expect(try await window.property(DemoWindow.state) == "0 1 0")
                try await window.run("fg")
                try await window.wait(for: "Printer 0")
                #expect(try await window.property(DemoWindow.state) == "1 0 1")
            }
            try await window.press("Down")
            try await window.wait(for: ">  Printer 0")
        }
    }

    @Test func `a list continued in the background stops again`()
        async throws
    {
        try await demo { window in
            try await window.press("C-z")
            try await window.wait(for: "Stopped")
            try await window.run("clear; bg; wait; echo waited")
            let screen = try await window.wait(for: "waited")
            #expect(!screen.contains("Invented"))
            try await window.run("fg")
            try await window.wait(for: "Printer 0")
        }
    }

    @Test func `SIGTSTP restores the terminal for the shell`() async throws {
        try await demo { window in
            try window.signalProgram(SIGTSTP)
            try await window.wait { $0.contains("Stopped") && !$0.contains("Invented") }
            try await window.run("clear; fg")
            try await window.wait(for: "Printer 0")
            try await window.press("q")
            try await expectGivenBack(window, status: nil)
        }
    }

    @Test func `a list started in the background waits, and keeps the modes of the shell`()
        async throws
    {
        let window = try await ShellWindow()
        try await window.run("stty -g > before; \(Self.demo) 8 &")
        try await window.run("clear; until jobs | grep Stopped; do :; done")
        try await window.wait { $0.contains("Stopped  ") }
        try await window.run("clear; fg; echo $? > status")
        try await window.wait(for: "q quit")
        try await window.press("q")
        try await expectGivenBack(window, status: 0)
        await window.close()
    }

    /// The list is in an orphaned process group, or ignores SIGTTOU.
    @Test(arguments: [
        "(sh -c 'until [ -e go ]; do :; done; exec DEMO 8' < /dev/tty &)",
        "sh -c 'trap \"\" TTOU; exec DEMO 8' &",
    ])
    func `a list in a background that is not stopped ends, and leaves the terminal alone`(
        command: String
    ) async throws {
        let window = try await ShellWindow()
        try await window.run(command.replacing("DEMO", with: Self.demo))
        try await window.run("touch go")
        let screen = try await window.wait(for: "the terminal cannot be used (error \(EIO))")
        #expect(!screen.contains("Invented"))
        await window.close()
    }

    @Test func `a list stopped by SIGSTOP reclaims the terminal when continued`()
        async throws
    {
        try await demo { window in
            try window.signalProgram(SIGSTOP)
            try await window.wait(for: "Stopped")
            try await window.run("fg")
            try await window.wait { !$0.contains("Stopped") && $0.contains("Printer 0") }
            try await window.press("Down")
            try await window.wait(for: ">  Printer 0")
            try await window.press("q")
            try await expectGivenBack(window, status: nil)
        }
    }

    @Test func `a stopped list can be terminated`() async throws {
        try await demo { window in
            try await window.press("C-z")
            try await window.wait(for: "Stopped")
            try await window.run("clear; kill %1; fg; echo status $?")
            try await window.wait(for: "status 143")
            #expect(try await window.property(DemoWindow.state) == "0 1 0")
        }
    }

    @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 0)] as [(Int32, Int32)])
    func `a signal ends the list and restores the terminal`(signal: Int32, status: Int32)
        async throws
    {
        try await demo(5) { window in
            try window.signalProgram(signal)
            try await expectGivenBack(window, status: status)
        }
    }

    @Test(arguments: [("x", 132), ("X", 139), ("o", 139), ("e", 3), ("C-\\", 131)])
    func `a crash restores the terminal`(key: String, status: Int32) async throws {
        try await demo(5) { window in
            try await window.press(key)
            try await expectGivenBack(window, status: status)
        }
    }

    @Test func `standard error is shown after the list has closed`()
        async throws
    {
        try await demo { window in
            try await window.press("w", "a")
            let screen = try await window.wait(for: " + Printer 8")
            #expect(!screen.contains("a warning of some library"))
            try await window.press("q")
            try await window.wait(for: "a warning of some library")
        }
    }

    @Test func `the message of a crash is shown`() async throws {
        try await demo(rows: 90) { window in
            try await window.press("x")
            try await window.wait(for: "Fatal error: crash as asked")
        }
    }

    @Test func `Ctrl-L repairs an overwritten screen`() async throws {
        try await demo { window in
            try await window.disturb()
            try await window.wait(for: "somebody else")
            try await window.press("C-l")
            try await window.wait { !$0.contains("somebody else") && $0.contains("Printer 0") }
        }
    }
}

extension String {
    /// The text with a byte for each scalar, as a terminal sends it that knows no UTF-8.
    fileprivate var latin1: [UInt8] { unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
}
