// Tests of a list in some lines of the main screen, below what is there.
import LabSupport
import Testing

@testable import TerminalList

@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: ShellWindow.obstacle == nil, "\(ShellWindow.obstacle ?? "")"))
struct InlineScreenTests {
    /// Shows the demo in ten lines below `count` lines of other output.
    private func below(
        _ count: Int, _ body: (ShellWindow) async throws -> Void
    ) async throws {
        let demo = "sh -c 'echo $$ > pid; exec \(DemoWindow.program) 100 standard 10'"
        try await DemoWindow.with(
            "clear; stty -g > before; seq \(count); \(demo); echo status $?;"
                + " stty -g | cmp - before && echo as before", body)
    }

    private func lines(_ screen: String) -> [Substring] {
        screen.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// With room below the prompt, and at the end of a full screen.
    @Test(arguments: [3, 40], [("C-c", "status 0"), ("TERM", "status 143"), ("x", "status 132")])
    func `the list is below what was there, and leaves nothing behind`(
        count: Int, end: (key: String, status: String)
    ) async throws {
        try await below(count) { window in
            #expect(try await window.property(DemoWindow.state) == "0 0 0")
            let shown = lines(try await window.wait(for: "Printer 0"))
            let last = try #require(shown.firstIndex { $0 == "\(count)" })
            #expect(shown[last + 1].contains("Invented"))
            #expect(shown[last + 10].contains("q quit"))
            try await window.press("G", "g", "Down")
            try await window.wait(for: ">  Küche 1")
            #expect(try await window.property("#{cursor_y}") == "\(last + 4)", "the selected row")
            if end.key == "TERM" {
                try window.signalProgram(15)
            } else {
                try await window.press(end.key)
            }
            let left = try await window.wait(for: "as before")
            #expect(left.contains(end.status))
            // A crash has a message of its own.
            if end.key != "x" { #expect(left.contains("\n\(count)\n\(end.status)\n")) }
            #expect(try await window.property(DemoWindow.state) == "0 1 0")
        }
    }

    @Test func `a stop erases the list, and fg shows it below`() async throws {
        try await below(3) { window in
            try window.signalProgram(20)
            let stopped = try await window.wait(for: "Stopped")
            #expect(!stopped.contains("Invented"))
            try await window.run("clear; fg")
            let shown = lines(try await window.wait(for: "q quit"))
            let first = try #require(shown.firstIndex { $0.contains("Invented") })
            #expect(first < 4)
            try await window.press("q")
            try await window.wait { !$0.contains("Invented") }
        }
    }

    @Test func `the list follows the width, and a low window`() async throws {
        try await below(3) { window in
            try await window.resize(columns: 60, rows: 9)
            try await window.wait(for: "1-6 of 100")
            try await window.resize(columns: 100, rows: 24)
            try await window.wait(for: "1-7 of 100")
            try await window.press("q")
            try await window.wait { !$0.contains("Invented") && $0.contains("as before") }
        }
    }

    /// The titles are underlined up to the edge, so that narrower windows wrap their line, and tmux moves the lines
    /// above out of the window.
    @Test(arguments: [12, 40])
    func `a resize leaves nothing of the former lines`(count: Int) async throws {
        try await below(count) { window in
            // Rows get shorter than those that they take the place of.
            try await window.press("G", "g", "G")
            for (columns, rows) in [(60, 24), (50, 24), (90, 24), (80, 24)] {
                try await window.resize(columns: columns, rows: rows)
                let screen = try await window.wait { screen in
                    let shown = lines(screen)
                    let first = shown.firstIndex { $0.contains("Invented") }
                    return first.map { $0 == 0 || shown[$0 - 1] == "\(count)" } ?? false
                }
                #expect(screen.ranges(of: "Invented").count == 1)
            }
            try await window.press("q")
            let left = try await window.wait(for: "as before")
            #expect(left.hasPrefix("status 0\n") || left.contains("\n\(count)\nstatus 0\n"))
        }
    }

    @Test func `a height is a number of lines or a part of the window`() {
        #expect(ScreenHeight.window.rows(ofWindow: 24) == 24)
        #expect(ScreenHeight.lines(10).rows(ofWindow: 24) == 10)
        #expect(ScreenHeight.lines(3).rows(ofWindow: 24) == 8)
        #expect(ScreenHeight.lines(.max).rows(ofWindow: 24) == 24)
        #expect(ScreenHeight.percent(50).rows(ofWindow: 24) == 12)
        #expect(ScreenHeight.percent(10).rows(ofWindow: 6) == 6)
    }

    @Test func `lines that tmux has wrapped in a narrower window are erased`() {
        var frame = Frame(size: FrameSize(columns: 20, rows: 4))
        frame.write("the whole width here", row: 0, column: 0)
        frame.write("wide at the edge 界", row: 1, column: 0)
        (frame.cursorRow, frame.cursorColumn) = (3, 0)
        for (isTmux, columns, lines) in [
            (true, 18, 5), (true, 19, 4), (true, 6, 9), (false, 6, 3),
        ] {
            var screen = InlineScreen(isTmux: isTmux)
            _ = screen.draw(frame) { _ in "" }
            let next = screen.draw(Frame(size: FrameSize(columns: columns, rows: 4))) { _ in "" }
            let erasing = isTmux ? "\u{1b}7\u{1b}[1B\u{1b}[J\u{1b}8" : "\u{1b}[J"
            #expect(next.hasPrefix("\r\u{1b}[\(lines)A\(erasing)"), "\(isTmux) \(columns)")
        }
        func isTmux(_ variables: [String: String]) -> Bool {
            InlineScreen.isTmux { variables[$0] }
        }
        #expect(isTmux(["TERM": "tmux-256color", "TMUX": "s"]))
        #expect(isTmux(["TERM": "screen", "TMUX": "s"]))
        #expect(!isTmux(["TERM": "screen"]), "GNU screen")
        #expect(!isTmux(["TERM": "xterm-256color", "TMUX": "s"]), "a terminal started from tmux")
    }

    @Test func `only lines that differ are sent`() {
        let size = FrameSize(columns: 20, rows: 3)
        var screen = InlineScreen()
        var frame = Frame(size: size)
        frame.write("first", row: 0, column: 0)
        let start = screen.draw(frame) { _ in "" }
        #expect(start.hasPrefix("\r\n\r\n\r\u{1b}[2A\u{1b}[2Kfirst"))
        frame.write("last", row: 2, column: 0)
        (frame.cursorRow, frame.cursorColumn) = (2, 4)
        #expect(screen.draw(frame) { _ in "" } == "\r\u{1b}[2B\u{1b}[2Klast\r\u{1b}[4C")
        #expect(screen.draw(frame) { _ in "" } == "\r\u{1b}[4C")
        #expect(screen.erase() == "\r\u{1b}[2A\u{1b}[J")
        #expect(screen.erase().isEmpty)
    }
}
