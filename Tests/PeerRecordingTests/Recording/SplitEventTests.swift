// Tests that the lines of an event that is divided among several are read as one step.
import Foundation
import PeerModel
import PeerListTestSupport
import TestSupport
import Testing

@testable import PeerRecording

@Suite(.timeLimit(.minutes(10))) final class SplitEventTests {
    private let folder: LinesFolder

    init() throws { folder = try LinesFolder() }

    /// The lines of random differences, whole and divided among lines, and the list after each of them.
    private func recording(
        seed: UInt64, changes: Int
    ) -> (whole: [[UInt8]], split: [[UInt8]], lists: [[ListSection]]) {
        var random = RandomList(seed: seed, grouping: .device)
        var (whole, split) = (LineEncoder(), LineEncoder(.init(begin: 500, diff: 200)))
        let start = Timestamp(microseconds: 0)
        for _ in 0..<20 { _ = random.change() }
        var lines = (whole: [[UInt8]](), split: [[UInt8]](), lists: [random.sections])
        lines.whole.append(whole.begin(.example(.device), sections: random.sections, at: start))
        lines.split.append(split.begin(.example(.device), sections: random.sections, at: start))
        while lines.whole.count <= changes {
            let update = random.change()
            guard let line = whole.update(update), let parts = split.update(update) else {
                continue
            }
            lines.whole.append(line)
            lines.split.append(parts)
            lines.lists.append(random.sections)
        }
        return lines
    }

    private func open(_ lines: [[UInt8]], _ name: String = "lines") throws -> Recording {
        let text = String(decoding: lines.joined(), as: UTF8.self)
        try folder.write(text, to: name)
        return try Recording(path: folder.path(name))
    }

    private func bytes(_ sections: [ListSection]) -> [UInt8] {
        var encoder = LineEncoder()
        return encoder.begin(.example(.device), sections: sections, at: Timestamp(microseconds: 0))
    }

    private func lineCount(_ lines: [[UInt8]]) -> Int {
        lines.joined().count { $0 == newline }
    }

    @Test(arguments: seeds(40))
    func `an event of several lines is one step, with the changes of a single line`(
        seed: UInt64
    ) throws {
        let lines = recording(seed: seed, changes: 20)
        #expect(lineCount(lines.split) > lines.split.count)
        let (whole, split) = (try open(lines.whole), try open(lines.split, "split"))
        for list in lines.lists {
            #expect(try whole.next() == .line)
            #expect(try split.next() == .line)
            #expect(bytes(split.list.listSections) == bytes(list))
            #expect(split.list.time == whole.list.time)
            #expect(split.beginsRun == whole.beginsRun)
            let (one, other) = (try #require(split.changes), try #require(whole.changes))
            #expect(one.time == other.time)
            #expect(one.arrivals == other.arrivals)
            #expect(one.changes == other.changes)
            #expect(Set(one.departures.keys) == Set(other.departures.keys))
        }
        #expect(try split.next() == nil)
    }

    @Test func `lines that are not joined are read one by one, as they are`() throws {
        let lines = recording(seed: 1, changes: 20).split
        let recording = try open(lines)
        recording.joinsEvents = false
        var texts: [[UInt8]] = []
        while let step = try recording.next() {
            #expect(step == .line)
            texts.append(recording.text + [newline])
        }
        #expect(texts == lines.flatMap { $0.split(separator: newline).map { $0 + [newline] } })
    }

    @Test func `an event whose last lines are missing at the end is taken back`() throws {
        let lines = recording(seed: 2, changes: 20)
        let number = try #require(lines.split.lastIndex { lineCount([$0]) > 1 })
        let parts = lines.split[number].split(separator: newline).dropLast()
        let torn = Array(lines.split[..<number]) + [Array(parts.joined(separator: [newline]))]
        for ending in [[], [newline], [newline] + Array("{\"type".utf8)] {
            let recording = try open(torn + [ending])
            var damage: [RecordingDamage] = []
            while let step = try recording.next() {
                if case .damage(let found) = step { damage.append(found) }
            }
            #expect(damage.map(\.isCutOff) == [true])
            #expect(!recording.isLost)
            #expect(bytes(recording.list.listSections) == bytes(lines.lists[number - 1]))
        }
    }

    @Test func `an event is given up where a list begins again, and is damage elsewhere`() throws {
        let lines = recording(seed: 2, changes: 20)
        let number = try #require(lines.split.lastIndex { lineCount([$0]) > 1 })
        let first = lines.split[number].split(separator: newline)[0] + [newline]
        let start = Array(lines.split[..<number]) + [Array(first)]

        let again = try open(start + [lines.whole[0]])
        while let step = try again.next() { #expect(step == .line) }
        #expect(bytes(again.list.listSections) == bytes(lines.lists[0]))

        let sequence = lineCount(start)
        let notice = """
            {"type":"notice","seq":\(sequence - 1),"time":"2026-11-21T08:30:00.000000Z",\
            "code":"deadline","message":"late"}

            """
        let damaged = try open(start + [Array(notice.utf8)])
        var damage: [RecordingDamage] = []
        while let step = try damaged.next() {
            if case .damage(let found) = step { damage.append(found) }
        }
        #expect(damage.map(\.message) == ["more changes were expected"])
        #expect(damaged.isLost)
    }

    @Test(arguments: seeds(4))
    func `steps of a playback do not stop within an event`(seed: UInt64) throws {
        let lines = recording(seed: seed, changes: 60)
        try folder.write(String(decoding: lines.split.joined(), as: UTF8.self))
        let indexer = try RecordingIndexer(path: folder.path())
        let playback = try Playback(indexer)
        indexer.run { index in
            playback.index = index
            return true
        }
        #expect(playback.index.changeCount == lines.lists.count)
        for list in lines.lists {
            #expect(try playback.stepForward())
            #expect(bytes(playback.list.listSections) == bytes(list))
        }
        for list in lines.lists.reversed().dropFirst() {
            #expect(try playback.stepBack())
            #expect(bytes(playback.list.listSections) == bytes(list))
        }
        try playback.seekToEnd()
        #expect(bytes(playback.list.listSections) == bytes(lines.lists.last ?? []))
        #expect(playback.changeCount == lines.lists.count)
    }
}
