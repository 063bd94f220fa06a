// Tests of the examples in a real terminal.
import LabSupport
import Testing

/// A terminal in which an example is run; the shell around it must be as good as new afterwards.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: ShellWindow.obstacle == nil, "\(ShellWindow.obstacle ?? "")"))
struct ExamplesInTerminalTests {
    /// Runs an example in a window, does something there, leaves it and looks at what is left.
    private func run(
        _ name: String, leavingWith key: String, _ body: (ShellWindow) async throws -> Void
    ) async throws {
        let window = try await ShellWindow()
        do {
            try await window.run("stty -g > before; \(BuiltProducts.path(name)); echo status $?")
            try await window.wait(for: " quit")
            try await body(window)
            try await window.press(key)
            try await window.wait(for: "status 0")
            try await window.run("clear; stty -g > after; cmp before after && echo as before")
            try await window.wait(for: "as before")
            #expect(try await window.property("#{alternate_on} #{cursor_flag}") == "0 1")
        } catch {
            await window.close()
            throw error
        }
        await window.close()
    }

    @Test func `mountain search accepts any letter, and Ctrl-C quits`() async throws {
        try await run("mountain-search", leavingWith: "C-c") { window in
            try await window.press("s", "p", "i")
            try await window.wait { $0.contains("Zugspitze") && !$0.contains("Aconcagua") }
            try await window.press("q")
            try await window.wait(for: "No mountain here has “spiq” in its name.")
            try await window.press("BSpace", "BSpace", "BSpace", "BSpace")
            try await window.wait(for: "Aconcagua")
        }
    }

    @Test func `networks change without a key`() async throws {
        try await run("wifi-settings", leavingWith: "q") { window in
            try await window.wait { $0.contains("\n + ") || $0.contains("\n - ") }
        }
    }

    @Test func `insertion sort continues by itself after r, and starts again`() async throws {
        try await run("insertion-sort", leavingWith: "q") { window in
            try await window.press("r")
            try await window.wait(for: "in order, steps: ")
            try await window.wait { !$0.contains("in order") && !$0.contains("steps: 0") }
        }
    }

    @Test func `recipes keep their selection`() async throws {
        try await run("recipes", leavingWith: "q") { window in
            try await window.press("Down", "f")
            try await window.wait(for: ">~ Bruschetta")
        }
    }

    @Test func `favourites are dragged with the mouse`() async throws {
        try await run("recipes", leavingWith: "q") { window in
            try await window.press("c", "Down", "Enter")
            try await window.wait { $0.hasPrefix("Favourites") && $0.contains(">  Mushroom") }
            for report in ["[<0;9;3M", "[<32;9;4M", "[<32;9;5M"] {
                try await window.pressBytes([0x1b] + Array(report.utf8))
            }
            try await window.wait(for: "→  Apple crumble")
            try await window.pressBytes([0x1b] + Array("[<0;9;5m".utf8))
            try await window.wait { screen in
                let names = ["Beetroot", "Apple", ">  Mushroom", "Lentil"]
                let places = names.compactMap { screen.firstRange(of: $0)?.lowerBound }
                return places.count == names.count && places == places.sorted()
            }
        }
    }

    @Test func `the right arrow expands a folder of the sidebar`() async throws {
        try await run("sidebar", leavingWith: "q") { window in
            try await window.press("Down", "Down", "Down", "Down", "Right")
            try await window.wait(for: "Norway")
        }
    }

    @Test func `an example without a terminal ends with an error`() async throws {
        let finished = try await FinishedProcess([BuiltProducts.path("recipes")])
        #expect(finished.status == 1)
        #expect(finished.errors.contains("is not a terminal"))
    }
}
