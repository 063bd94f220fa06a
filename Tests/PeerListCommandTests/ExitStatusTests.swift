// The exit statuses of the commands that need no network.
import LabSupport
import PeerListTestSupport
import Testing

@testable import PeerListCommand

@Suite(.timeLimit(.minutes(10))) struct ExitStatusTests {
    private func run(_ words: [String], to file: String? = nil) async throws -> FinishedProcess {
        let shell = file.map { "exec \"$0\" \"$@\" > '\($0)'" } ?? "exec \"$0\" \"$@\""
        return try await FinishedProcess(["sh", "-c", shell, BuiltProducts.peerlist] + words)
    }

    private static let commands = CommandName.allCases.map { $0 == .list ? [] : [$0.rawValue] }

    @Test(arguments: commands)
    func `wrong usage exits with status 2 and a message on standard error`(command: [String])
        async throws
    {
        let finished = try await run(command + ["--bogus"])
        #expect(finished.status == 2)
        #expect(finished.output.isEmpty)
        #expect(finished.errors.hasPrefix("peerlist: there is no option '--bogus'"))
    }

    @Test(arguments: commands)
    func `help exits with status 0, and 3 on a full disk`(command: [String]) async throws {
        let finished = try await run(command + ["--help"])
        #expect(finished.status == 0)
        #expect(finished.errors.isEmpty)
        #expect(try await run(command + ["--help"], to: "/dev/full").status == 3)
    }

    @Test func `a full disk exits with status 3, and diff with status 2`() async throws {
        let folder = try RecordingFolder()
        let first = try folder.file("first", House.lines())
        let second = try folder.file("second", House.lines()[..<3])
        for words in [
            ["--man"], ["--version"], ["config", "--print"], ["completions", "zsh"],
            ["replay", first],
            ["replay", "--json", first], ["replay", "--at", "23:59", first],
        ] {
            let finished = try await run(words, to: "/dev/full")
            #expect(finished.status == 3, "\(words)")
            #expect(finished.errors.contains("full"), "\(finished.errors)")
        }
        #expect(try await run(["diff", first, second], to: "/dev/full").status == 2)
    }
}
