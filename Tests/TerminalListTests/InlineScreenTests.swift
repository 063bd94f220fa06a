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

    @Test func `a height is a number of lines or a part of the window`() {
        #expect(ScreenHeight.window.rows(ofWindow: 24) == 24)
        #expect(ScreenHeight.lines(10).rows(ofWindow: 24) == 10)
        #expect(ScreenHeight.lines(3).rows(ofWindow: 24) == 8)
        #expect(ScreenHeight.lines(.max).rows(ofWindow: 24) == 24)
        #expect(ScreenHeight.percent(50).rows(ofWindow: 24) == 12)
        #expect(ScreenHeight.percent(10).rows(ofWindow: 6) == 6)
    }

    @Test func `only lines that differ are sent`() {
        let size = FrameSize(columns: 20, rows: 3)
        var screen = InlineScreen()
        var frame = Frame(size: size)
        frame.write("first", row: 0, column: 0)
        let start = screen.draw(frame) { _ in "" }
        #expect(start.hasPrefix("\r\n\r\n\r\u{1b}[2Afirst\u{1b}[K"))
        frame.write("last", row: 2, column: 0)
        (frame.cursorRow, frame.cursorColumn) = (2, 4)
        #expect(screen.draw(frame) { _ in "" } == "\r\u{1b}[2Blast\u{1b}[K\r\u{1b}[4C")
        #expect(screen.draw(frame) { _ in "" } == "\r\u{1b}[4C")
        #expect(screen.erase() == "\r\u{1b}[2A\u{1b}[J")
        #expect(screen.erase().isEmpty)
    }
}
