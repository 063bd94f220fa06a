// Tests `peerlist diff`: its output, and the exit statuses of diff(1).
import LabSupport
import PeerListTestSupport
import Testing

@testable import PeerModel
@testable import PeerRecording

@Suite(.timeLimit(.minutes(10))) struct DiffCommandTests {
    private let folder: RecordingFolder

    init() throws { folder = try RecordingFolder() }

    /// The files stand in the output without their folder, and times in UTC.
    private func diff(_ words: String...) async throws -> FinishedProcess {
        try await FinishedProcess(
            [BuiltProducts.peerlist, "diff"] + words,
            environment: ["LC_ALL": "C.UTF-8", "TZ": "UTC"])
    }

    private func shown(_ text: String) -> String {
        text.replacing(folder.path, with: "") + "\n"
    }

    @Test func `equal lists give no output and status 0`() async throws {
        let path = try folder.file("a", House.lines())
        let finished = try await diff(path, path)
        #expect(finished.status == 0)
        #expect(finished.output.isEmpty)
        #expect(finished.errors.isEmpty)
    }

    @Test(arguments: [(Grouping.device, "diff.txt"), (.type, "diff-by-type.txt")])
    func `differences are printed, with status 1`(grouping: Grouping, text: String)
        async throws
    {
        let lines = House.lines(grouping)
        let finished = try await diff(
            try folder.file("monday.jsonl", lines[..<5]),
            try folder.file("today.jsonl", lines[..<9]))
        #expect(finished.status == 1)
        #expect(finished.errors.isEmpty)
        try expectCommitted(shown(finished.output), text)
    }

    @Test func `--json prints one line that leads from the first list to the second`() async throws
    {
        let lines = House.lines()
        let finished = try await diff(
            try folder.file("a", lines[..<5]), try folder.file("b", lines[..<9]), "--json")
        #expect(finished.status == 1)
        let line = try RecordedLine(Array(finished.output.utf8), grouping: .device)
        #expect(line.kind == .diff && line.cause == .changed)
        #expect(!line.changes.isEmpty)
        #expect(line.time == Timestamp("2026-11-21T08:33:20.000000Z"))
    }

    @Test func `what a capture lacks is not said to have been absent`() async throws {
        let capture = BuiltProducts.package + "/docs/examples/lan.pcap"
        let house = try folder.file("house.jsonl", House.lines())
        let warning = "is a capture, which has only what others asked for"
        for (first, second) in [(capture, house), (house, capture)] {
            let finished = try await diff(first, second)
            #expect(finished.status == 1)
            #expect(finished.errors.hasPrefix("peerlist: \(capture) \(warning)"))
            #expect(!finished.errors.contains(house))
        }
        let finished = try await diff(house, try folder.file("none.jsonl", House.lines()[..<1]))
        #expect(finished.status == 1 && finished.errors.isEmpty)
    }

    @Test func `--at compares the lists at a time`() async throws {
        let path = try folder.file("a", House.lines())
        let early = try await diff("--at", "2026-11-21T08:30:02", path, path)
        #expect(early.status == 0)
        let other = try folder.file("b", House.lines()[..<2])
        #expect(try await diff("--at", "2026-11-21T08:30:00.3", path, other).status == 0)
        #expect(try await diff(path, other).status == 1)
        let late = try await diff("--at", "2026-11-21T08:30:02", path, other)
        #expect(shown(late.errors).contains("b ends before --at, at 2026-11-21 08:30:00 local"))

        let never = try await diff("--at", "2025-01-01", path, path)
        #expect(never.status == 2)
        #expect(shown(never.errors).contains("a begins after --at, at 2026-11-21 08:30:00 local"))
    }

    @Test func `a recording that cannot be compared gives status 2 and the position`() async throws
    {
        let lines = House.lines()
        let good = try folder.file("good", lines)
        let bad = try folder.file("bad", lines[..<3] + ["rubbish"] + lines[3...])
        let finished = try await diff(good, bad)
        #expect(finished.status == 2)
        #expect(finished.output.isEmpty)
        let place = lines[..<3].reduce(0) { $0 + $1.utf8.count + 1 }
        #expect(finished.errors.contains("line 4, byte \(place): "))
        #expect(
            finished.errors.contains(
                "the list at that point is not known, because lines are missing"))

        #expect(try await diff(good, folder.path + "none").status == 2)
        #expect(try await diff(good, try folder.file("empty", [])).status == 2)
        #expect(try await diff(good, try folder.file("other", House.lines(.type))).status == 2)
    }

    @Test func `a torn last line is reported, and the rest is compared`() async throws {
        let lines = House.lines()
        let whole = try folder.file("whole", lines[..<6])
        let text = lines[..<6].joined(separator: "\n") + "\n" + lines[6].prefix(60)
        let finished = try await diff(whole, try folder.file("torn", text: text))
        #expect(finished.status == 0)
        #expect(
            finished.errors.contains("line 7, byte \(text.utf8.count): the last line is cut off"))
    }
}
