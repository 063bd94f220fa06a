// Tests `peerlist replay` without a terminal: unchanged, as sentences, and at a time.
import Foundation
import LabSupport
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@Suite(.timeLimit(.minutes(10))) struct ReplayCommandTests {
    private let folder: RecordingFolder

    init() throws { folder = try RecordingFolder() }

    private func replay(
        _ words: String..., to file: String? = nil, zone: String = "UTC"
    ) async throws -> FinishedProcess {
        try await replay(words, to: file, zone: zone)
    }

    private func replay(
        _ words: [String], to file: String? = nil, zone: String = "UTC"
    ) async throws -> FinishedProcess {
        // Into a file, because a pipe's last line feed is not to be seen in what was read from it.
        let shell = file.map { "exec \"$0\" \"$@\" > '\($0)'" } ?? "exec \"$0\" \"$@\""
        return try await FinishedProcess(
            ["sh", "-c", shell, BuiltProducts.peerlist, "replay"] + words,
            environment: ["LC_ALL": "C.UTF-8", "TZ": zone])
    }

    @Test(arguments: Grouping.allCases)
    func `--json prints the lines unchanged, from a file, a compressed one and a pipe`(
        grouping: Grouping
    ) async throws {
        let path = try folder.file("house", House.lines(grouping) + House.lines(grouping))
        let text = try Data(contentsOf: URL(filePath: path))
        let out = folder.path + "out"
        #expect(try await replay(path, "--json", to: out).status == 0)
        #expect(try Data(contentsOf: URL(filePath: out)) == text)

        let packed = try await FinishedProcess(["gzip", "--keep", path])
        #expect(packed.status == 0)
        #expect(try await replay(path + ".gz", "-j", to: out).status == 0)
        #expect(try Data(contentsOf: URL(filePath: out)) == text)

        let piped = try await FinishedProcess([
            "sh", "-c", "cat '\(path)' | '\(BuiltProducts.peerlist)' replay - --json > '\(out)'",
        ])
        #expect(piped.status == 0)
        #expect(try Data(contentsOf: URL(filePath: out)) == text)
    }

    @Test(arguments: [
        ("xx_XX.UTF-8", true), ("xx_XX.utf8@euro", true), ("xx_XX.ISO-8859-1", false), ("C", false),
    ])
    func `a locale of UTF-8 that is not installed shows every character`(
        locale: String, isShown: Bool
    ) async throws {
        let path = try folder.file(
            "kitchen", [House.lines()[0], House.lines()[1].replacing("anna", with: "Küche")])
        let replayed = try await FinishedProcess(
            [BuiltProducts.peerlist, "replay", "--plain", path], environment: ["LC_ALL": locale])
        #expect(replayed.output.contains("Küche") == isShown, "\(replayed.output)")
        #expect(replayed.output.contains("K\\u{fc}che") != isShown, "\(replayed.output)")
    }

    @Test(arguments: Grouping.allCases)
    func `the sentences are those of the original run`(grouping: Grouping) async throws {
        let replayed = try await replay(try folder.file("house", House.lines(grouping)))
        #expect(replayed.status == 0)
        #expect(replayed.errors.isEmpty)
        try expectCommitted(
            replayed.output + "\n", grouping == .device ? "plain.txt" : "plain-by-type.txt",
            of: "PeerSessionTests")
    }

    @Test func `--at prints a table, or a begin line with the whole list`() async throws {
        let path = try folder.file("house", House.lines())
        let table = try await replay(path, "--at", "2026-11-21T08:30:00.3")
        #expect(table.status == 0)
        #expect(table.output.hasPrefix("NAME "))

        let line = try await replay(path, "--at", "2026-11-21T08:30:00.3", "--json")
        let recording = try Recording(path: try folder.file("moment", text: line.output + "\n"))
        guard case .line? = try recording.next() else {
            Issue.record("the line cannot be read: \(line.output)")
            return
        }
        #expect(recording.list.count == table.output.split(separator: "\n").count - 1)

        let early = try await replay(path, "--at", "2025-01-01")
        #expect(early.status == 3)
        #expect(
            early.errors.hasSuffix(" begins after --at, at 2026-11-21 08:30:00 local time\n"))
    }

    @Test func `a time after the end is answered with the last list, and the end is said`()
        async throws
    {
        let path = try folder.file("house", House.lines())
        let end = try await replay(path, "--at", "08:35:00")
        #expect(end.status == 0 && end.errors.isEmpty, "the last line is of that time")
        for (words, zone, time) in [
            (["--at", "2030-01-01"], "UTC", "2026-11-21 08:35:00"),
            (["--at", "09:35:00.1", "--json"], "Europe/Berlin", "2026-11-21 09:35:00"),
        ] {
            let late = try await replay([path] + words, zone: zone)
            #expect(late.status == 0 && late.output.contains("anna.local"))
            #expect(
                late.errors == "peerlist: \(path) ends before --at, at \(time) local time\n")
        }
    }

    @Test func `--at prints nothing for an empty list, and the status is 1`()
        async throws
    {
        let path = try folder.file("house", House.lines())
        let empty = try await replay(path, "--at", "08:30:00")
        #expect(empty.status == 1)
        #expect(empty.output.isEmpty)
        #expect(empty.errors.hasSuffix(": the list is empty at that time\n"))

        let none = try await replay(try folder.file("none", []), "--at", "08:30")
        #expect(none.status == 3)
        #expect(none.errors == "peerlist: \(folder.path)none is empty\n")
    }

    @Test(arguments: [
        ("UTC", "2026-11-21T08:30:00.3"), ("UTC", "08:30:00.3"),
        ("Europe/Berlin", "2026-11-21 09:30:00.3"), ("Europe/Berlin", "09:30:00.3"),
        ("Europe/Berlin", "2026-11-21T08:30:00.3Z"), ("Europe/Berlin", "08:30:00.3Z"),
        ("Europe/Berlin", "2026-11-21T10:30:00.3+02:00"),
        ("Pacific/Auckland", "21:30:00.3"), ("Pacific/Auckland", "2026-11-20T21:30:00.3-1100"),
    ])
    func `a time is local unless it has an offset, and without a day is on the first one`(
        zone: String, time: String
    ) async throws {
        let path = try folder.file("house", House.lines())
        let expected = try await replay(path, "--at", "2026-11-21T08:30:00.3Z", "--json")
        #expect(expected.status == 0)
        let replayed = try await replay(path, "--at", time, "--json", zone: zone)
        #expect(replayed.status == 0, "\(replayed.errors)")
        #expect(replayed.output == expected.output)
    }

    @Test func `damage is reported, skipped, and gives status 3`() async throws {
        let lines = House.lines()
        let bad = try folder.file("bad", lines[..<3] + ["rubbish"] + lines[3...] + lines)
        let finished = try await replay(bad, "--json")
        #expect(finished.status == 3)
        #expect(finished.output == (lines[..<3] + lines).joined(separator: "\n"))
        #expect(finished.errors.contains("line 4, byte "))

        #expect(try await replay(folder.path + "none").status == 3)
    }

    @Test func `--speed keeps the timing, and --follow reads a growing file`() async throws {
        let lines = House.lines()
        let path = try folder.file("growing", lines[..<2])
        let process = try RunningProcess(
            [BuiltProducts.peerlist, "replay", "--follow", "--json", "--speed", "1000000", path])
        _ = try await process.line(within: .seconds(20)) { $0 == lines[1] }
        let end = try FileHandle(forWritingTo: URL(filePath: path))
        try end.seekToEnd()
        try end.write(contentsOf: Data((lines[2] + "\n").utf8))
        try end.close()
        _ = try await process.line(within: .seconds(20)) { $0 == lines[2] }
        #expect(await process.status == nil)
        await process.send(15)
        #expect(try await process.end(within: .seconds(20)) == 128 + 15)
    }

    /// `earlier.jsonl` was written by the version before there was an account of what happened, while
    /// `earlier-live.txt` was printed beside it. That version withdrew an identifier at once.
    @Test func `a recording of an earlier version has the account that was live beside it`()
        async throws
    {
        let screens = BuiltProducts.package + "/Tests/PeerListCommandTests/Screens/"
        let recording = screens + "earlier.jsonl"
        let live = try String(contentsOfFile: screens + "earlier-live.txt", encoding: .utf8)
        func lines(_ text: String) -> (timed: [Substring], identified: [Substring]) {
            let lines = text.split(separator: "\n")
            let isIdentified = { (line: Substring) in line.contains("It is now known by mac:") }
            return (
                lines.filter { !isIdentified($0) },
                lines.filter(isIdentified).map { $0.dropFirst("2026-11-25 23:43:57 ".count) }
            )
        }
        let (replayed, expected) = (lines(try await replay(recording).output), lines(live))
        #expect(replayed.timed == expected.timed)
        #expect(replayed.identified == expected.identified)
        #expect(expected.timed.count > 20 && expected.identified.count == 1)

        let report = try await FinishedProcess([BuiltProducts.peerlist, "report", recording])
        let text = report.output.replacing(/<\/?a\b.*?>/, with: "")
        let figures = text.matches(of: /<dt>(.+?)<\/dt><dd>(.+?)<\/dd>/).map { "\($0.2) \($0.1)" }
        for (sentence, figure) in [("Left", "departure"), ("Arrived", "arrival")] {
            let count = expected.timed.count { $0.contains(" \(sentence): ") }
            #expect(figures.contains { $0.hasPrefix("\(count) \(figure)") }, "\(figures)")
        }
    }
}
