// The exit statuses of the commands that read recordings, for each kind of damage.
import LabSupport
import PeerListTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DamagedRecordingTests {
    private static let lines = House.lines()
    /// The first lines, and a part of the next one without line feed.
    private static let torn = lines[..<6].map { $0 + "\n" }.joined() + lines[6].prefix(60)
    /// Damage, after which the list is unknown.
    private static let lost = (lines[..<3] + ["rubbish"] + lines[3...6]).map { $0 + "\n" }.joined()
    /// Damage, and then a run of which all lines can be used.
    private static let followed = lost + lines[..<6].map { $0 + "\n" }.joined()

    /// The commands, with the exit statuses of docs/recording.md.
    private static let commands: [(words: [String], torn: Int32, followed: Int32, lost: Int32)] = [
        (["replay", "--json", "FILE"], 0, 3, 3), (["replay", "--plain", "FILE"], 0, 3, 3),
        (["replay", "--at", "2026-11-21T08:33", "FILE"], 0, 3, 3),
        (["export", "--format", "csv", "FILE"], 0, 3, 3),
        (["export", "--format", "csv", "--at", "2026-11-21T08:33", "FILE"], 0, 3, 3),
        (["diff", "FILE", "whole"], 0, 0, 2), (["diff", "whole", "FILE"], 0, 0, 2),
        (["diff", "FILE", "start"], 1, 1, 2), (["report", "--output", "-", "FILE"], 0, 0, 0),
    ]

    private let folder: RecordingFolder

    init() throws {
        folder = try RecordingFolder()
        _ = try folder.file("whole", Self.lines[..<6])
        _ = try folder.file("start", Self.lines[..<2])
    }

    private func run(_ words: [String], on file: String) async throws -> FinishedProcess {
        let words = words.map { $0 == "FILE" ? file : $0 }
        return try await FinishedProcess(
            ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path, BuiltProducts.peerlist] + words,
            environment: ["LC_ALL": "C.UTF-8", "TZ": "UTC"])
    }

    @Test(arguments: commands.indices)
    func `a last line that is cut off is reported, and changes neither status nor output`(
        index: Int
    ) async throws {
        let command = Self.commands[index]
        _ = try folder.file("torn", text: Self.torn)
        let finished = try await run(command.words, on: "torn")
        #expect(finished.status == command.torn, "\(finished.errors)")
        let message = "torn: line 7, byte \(Self.torn.utf8.count): the last line is cut off"
        #expect(finished.errors.contains(message), "\(finished.errors)")
        // The page has the message too, and `diff` the name of the file.
        guard !["report", "diff"].contains(command.words[0]) else { return }
        let whole = try await run(command.words, on: "whole")
        #expect(whole.status == command.torn)
        #expect(finished.output == whole.output)
    }

    @Test(arguments: commands.indices)
    func `other damage is a failure where the lines themselves or the list are printed`(
        index: Int
    ) async throws {
        let command = Self.commands[index]
        _ = try folder.file("followed", text: Self.followed)
        _ = try folder.file("lost", text: Self.lost)
        let followed = try await run(command.words, on: "followed")
        #expect(followed.status == command.followed, "\(followed.errors)")
        #expect(followed.errors.contains("followed: line 4, byte "), "\(followed.errors)")
        let lost = try await run(command.words, on: "lost")
        #expect(lost.status == command.lost, "\(lost.errors)")
        #expect(lost.errors.contains("lost: line 4, byte "), "\(lost.errors)")
        let printsPart = command.words.contains("--json") || command.words.contains("--plain")
        #expect(lost.output.isEmpty || printsPart || command.words[0] == "report")
    }

    @Test func `a recording of one line that is cut off is not called empty`() async throws {
        _ = try folder.file("stump", text: String(Self.lines[0].prefix(60)))
        for words in [["replay", "--at", "08:30", "FILE"], ["export", "-f", "csv", "FILE"]] {
            let finished = try await run(words, on: "stump")
            #expect(finished.status == 3)
            #expect(
                finished.errors.hasSuffix("peerlist: stump holds no list that can be read\n"),
                "\(finished.errors)")
        }
    }

    @Test func `an item that is not as stated is named as in the lines`() async throws {
        let id = "7245b828-31b2-5091-93d7-819bebb1c864"
        let lines = Self.lines.map { line in
            line.contains(#""op":"delete""#) && line.contains(id)
                ? line.replacing(#""name":"tv""#, with: #""name":"vt""#) : line
        }
        _ = try folder.file("other", lines)
        let finished = try await run(["replay", "--json", "FILE"], on: "other")
        #expect(finished.status == 3)
        #expect(
            finished.errors.contains("\(id) is not what is said to leave"), "\(finished.errors)")
    }
}
