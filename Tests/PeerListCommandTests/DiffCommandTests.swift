// The built command compares recordings: what it prints, and the statuses of diff(1).
import Foundation
import LabSupport
import PeerListTestSupport
import Testing

@testable import PeerList

@Suite(.timeLimit(.minutes(3))) final class DiffCommandTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "peerlist-diff-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func file(_ name: String, _ lines: some Sequence<String>) throws -> String {
        let path = folder.appending(path: name)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: path)
        return path.path(percentEncoded: false)
    }

    private func house(_ grouping: Grouping = .device) -> [String] {
        var encoder = LineEncoder()
        let begin = encoder.begin(House.header(grouping), at: House.time(0))
        let updates = House.steps(grouping).compactMap { step in
            switch step {
            case .update(let update, _): encoder.update(update)
            case .notice(let notice): encoder.notice(notice)
            }
        }
        return ([begin] + updates).map { String(decoding: $0.dropLast(), as: UTF8.self) }
    }

    /// The files stand in the output without their folder, and times in UTC.
    private func diff(_ words: String...) async throws -> FinishedProcess {
        try await FinishedProcess(
            [BuiltProducts.peerlist, "diff"] + words,
            environment: ["LC_ALL": "C.UTF-8", "TZ": "UTC"])
    }

    private func shown(_ text: String) -> String {
        text.replacing(folder.path(percentEncoded: false) + "/", with: "") + "\n"
    }

    @Test func `lists that are the same are told by nothing, and status 0`() async throws {
        let path = try file("a", house())
        let finished = try await diff(path, path)
        #expect(finished.status == 0)
        #expect(finished.output.isEmpty)
        #expect(finished.errors.isEmpty)
    }

    @Test(arguments: [(Grouping.device, "diff.txt"), (.type, "diff-by-type.txt")])
    func `what differs is told in words, and status 1`(grouping: Grouping, text: String)
        async throws
    {
        let lines = house(grouping)
        let finished = try await diff(
            try file("monday.jsonl", lines[..<5]), try file("today.jsonl", lines[..<9]))
        #expect(finished.status == 1)
        #expect(finished.errors.isEmpty)
        try expectCommitted(shown(finished.output), text)
    }

    @Test func `in JSON it is one line that leads from the first list to the second`() async throws
    {
        let lines = house()
        let finished = try await diff(
            try file("a", lines[..<5]), try file("b", lines[..<9]), "--json")
        #expect(finished.status == 1)
        let line = try RecordedLine(Array(finished.output.utf8), grouping: .device)
        guard case .difference(.changed, let changes) = line.content else {
            Issue.record("\(line)")
            return
        }
        #expect(!changes.isEmpty)
        #expect(line.time == Timestamp("2026-11-21T08:33:20.000000Z"))
    }

    @Test func `at a time both are as they were then`() async throws {
        let path = try file("a", house())
        let early = try await diff("--at", "2026-11-21T08:30:02", path, path)
        #expect(early.status == 0)
        let other = try file("b", house()[..<2])
        #expect(try await diff("--at", "2026-11-21T08:30:00.3", path, other).status == 0)
        #expect(try await diff(path, other).status == 1)

        let never = try await diff("--at", "2025-01-01", path, path)
        #expect(never.status == 2)
        #expect(shown(never.errors).contains("a cannot be compared: it begins later than --at"))
    }

    @Test func `what cannot be compared is trouble, with the place, and status 2`() async throws {
        let lines = house()
        let good = try file("good", lines)
        let bad = try file("bad", lines[..<3] + ["rubbish"] + lines[3...])
        let finished = try await diff(good, bad)
        #expect(finished.status == 2)
        #expect(finished.output.isEmpty)
        let place = lines[..<3].reduce(0) { $0 + $1.utf8.count + 1 }
        #expect(finished.errors.contains("line 4, byte \(place): "))
        #expect(finished.errors.contains("lines are missing, so its list is not known"))

        #expect(try await diff(good, folder.path + "/none").status == 2)
        #expect(try await diff(good, try file("empty", [])).status == 2)
        #expect(try await diff(good, try file("other", house(.type))).status == 2)
    }

    @Test func `a last line that a power cut tore is told, and the rest is compared`() async throws
    {
        let lines = house()
        let whole = try file("whole", lines[..<6])
        let path = folder.appending(path: "torn")
        let text = lines[..<6].joined(separator: "\n") + "\n" + lines[6].prefix(60)
        try Data(text.utf8).write(to: path)
        let finished = try await diff(whole, path.path(percentEncoded: false))
        #expect(finished.status == 0)
        #expect(
            finished.errors.contains("line 7, byte \(text.utf8.count): the last line is cut off"))
    }
}
