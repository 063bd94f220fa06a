// The line about long work on a terminal, and what an interruption leaves behind.
import FoundationEssentials
import LabSupport
import PeerListTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ProgressTests {
    private static let erasure = "\r\u{1b}[K"
    private static let line = "\(erasure)standard input: 0.0 kB"
    private let folder: RecordingFolder

    init() throws {
        folder = try RecordingFolder()
        _ = try folder.file("home.expect", text: "[device nas]\n")
    }

    /// Runs a command in a pseudo-terminal, with a recording that ends empty after two seconds, and returns what
    /// the terminal gets.
    private func terminalOutput(_ command: String, _ environment: [String: String] = [:])
        async throws -> String
    {
        let pipeline =
            "cd '\(folder.path)'; timeout 2 tail -f /dev/null | \(BuiltProducts.peerlist) \(command)"
        return try await FinishedProcess(
            ["script", "-qec", pipeline, "/dev/null"],
            environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm"].merging(environment) { $1 }
        ).output
    }

    @Test(arguments: [
        "diff - /dev/null", "export -f csv -", "replay --json --at 2026-11-21T08:30 -",
        "report -o /dev/null -", "expect home.expect -", "expect --write - -",
    ])
    func `reading shows its line, which goes before anything else is printed`(
        command: String
    ) async throws {
        let text = try await terminalOutput(command)
        let parts = text.split(separator: Self.line, maxSplits: 1)
        try #require(parts.count == 2 || text.hasPrefix(Self.line))
        #expect(parts.count == 1 || parts[0].isEmpty)
        #expect(parts.last?.hasPrefix("\(Self.erasure)peerlist: ") == true)
        #expect(try await !terminalOutput(command + " --no-progress").contains("\u{1b}"))
    }

    @Test func `a replay at once shows its line, and one at a speed does not`() async throws {
        let text = try await terminalOutput("replay --json /dev/stdin")
        #expect(text == "\(Self.erasure)/dev/stdin: 0.0 kB\(Self.erasure)")
        for silent in ["--speed 2 /dev/stdin", "-", "--no-progress /dev/stdin"] {
            #expect(try await terminalOutput("replay --json \(silent)").isEmpty)
        }
    }

    /// The broker accepts connections, and never answers.
    @Test func `the search of a fleet has a line, which goes before anything else is printed`()
        async throws
    {
        let server = """
            import socket, subprocess, sys
            server = socket.create_server(("127.0.0.1", 0))
            command = sys.argv[1].format(server.getsockname()[1])
            subprocess.call(["script", "-qec", command, "/dev/null"])
            """
        let command = "\(BuiltProducts.peerlist) fleet --once --timeout 2 mqtt://127.0.0.1:{}"
        let text = try await FinishedProcess(
            ["python3", "-c", server, command],
            environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm"]
        ).output
        #expect(text.hasPrefix("\(Self.erasure)reading the fleet, at most 2 s more"))
        let last = try #require(text.ranges(of: Self.erasure).last)
        #expect(text[last.upperBound...].hasPrefix("peerlist: "))
    }

    @Test func `a terminal that cannot remove the line gets none`() async throws {
        for terminal in ["dumb", ""] {
            let text = try await terminalOutput("diff - /dev/null", ["TERM": terminal])
            #expect(!text.contains("\u{1b}") && text.contains("peerlist: - is empty"))
        }
        let file = try await FinishedProcess([
            "sh", "-c", "timeout 2 tail -f /dev/null | \(BuiltProducts.peerlist) diff - /dev/null",
        ])
        #expect(file.errors == "peerlist: - is empty\n")
    }

    @Test(.enabled(if: ShellWindow.obstacle == nil, "\(ShellWindow.obstacle ?? "")"))
    func `an interruption removes the line, and leaves no file`() async throws {
        func lines(_ screen: String) -> [Substring] {
            screen.split(separator: "\n").map { line in
                line[...(line.lastIndex { $0 != " " } ?? line.startIndex)]
            }
        }
        let window = try await ShellWindow(columns: 60)
        // The shell keeps the pipe open.
        try await window.run("mkfifo recording; exec 9<>recording; clear")
        try await window.run("\(BuiltProducts.peerlist) report -o page.html - <recording")
        try await window.wait { lines($0).last == "standard input: 0.0 kB" }
        try await window.press("C-c")
        let screen = try await window.wait { lines($0).last == "$" }
        #expect(!screen.contains("standard input"))
        try await window.run("clear; ls -A | grep -v tmux; echo end")
        try await window.wait { lines($0) == ["recording", "end", "$"] }
        await window.close()
    }
}
