// Runs the recipes of docs/recording.md.
import LabSupport
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@Suite(.timeLimit(.minutes(10))) struct RecipeTests {
    private let folder: RecordingFolder

    init() throws {
        folder = try RecordingFolder()
        let lines = House.lines()
        _ = try folder.file("monday.jsonl", lines[..<3])
        _ = try folder.file("today.jsonl", lines[..<9])
    }

    /// The recipes of a kind.
    private func recipes(_ kind: String) throws -> [String] {
        try TextFile.blocks(kind, under: "## Recipes", of: "recording.md")
    }

    /// Runs a recipe where the recordings are, with the built command.
    private func run(_ recipe: String) async throws -> FinishedProcess {
        let path = BuiltProducts.peerlist.split(separator: "/").dropLast().joined(separator: "/")
        let shell = "cd '\(folder.path)' && PATH=/\(path):$PATH && \(recipe)"
        return try await FinishedProcess(
            ["bash", "-c", shell],
            environment: ["LC_ALL": "C.UTF-8", "TZ": "UTC"])
    }

    @Test(arguments: [
        ("diff --json", ["tv", "brn30055c"]), ("select(.type == \"diff\")", ["anna", "tv"]),
        ("unanswered", ["1 "]),
    ])
    func `the one-liners print what they promise`(part: String, names: [String]) async throws {
        let recipe = try #require(try recipes("sh").first { $0.contains(part) })
        let finished = try await run(recipe)
        #expect(finished.status == 0, "\(finished.errors)")
        for name in names { #expect(finished.output.contains(name), "\(finished.output)") }
    }

    @Test func `the line of the crontab prints new peers`() async throws {
        let line = try #require(try recipes("crontab").first)
        let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        #expect(!line.contains("%"), "cron would end the command there")
        let finished = try await run(String(fields[5]))
        #expect(finished.status == 0, "\(finished.errors)")
        let names = finished.output.split(separator: "\n").map { $0.prefix(4) }
        #expect(names.count == 3 && names.allSatisfy { $0.hasPrefix("+ ") })
    }

    @Test func `logger gets every line whole`() async throws {
        let recipe = try #require(try recipes("sh").first { $0.contains("logger") })
        // To its standard error in place of the log, and with an end.
        let finished = try await run(
            recipe.replacing("logger", with: "logger --no-act --stderr --socket-errors=off")
                .replacing("peerlist replay", with: "timeout 3 peerlist replay"))
        let lines = House.lines()[..<9]
        for line in lines { #expect(finished.errors.contains(line)) }
    }
}
