// Tests that playback in both directions gives the lists of reading forward.
import Foundation
import PeerModel
import PeerListTestSupport
import TestSupport
import Testing

@testable import PeerRecording

@Suite(.timeLimit(.minutes(10))) final class PlaybackTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "peerlist-playback-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func file(_ text: [UInt8]) throws -> String {
        let path = folder.appending(path: "\(UUID().uuidString).jsonl")
        try Data(text).write(to: path)
        return path.path(percentEncoded: false)
    }

    /// A recording of random differences, with a notice now and then.
    private func randomText(seed: UInt64, _ grouping: Grouping, changes: Int) -> [UInt8] {
        var random = RandomList(seed: seed, grouping: grouping)
        var encoder = LineEncoder()
        var text = encoder.begin(.example(grouping), at: Timestamp(microseconds: 0))
        for number in 0..<changes {
            let update = random.change()
            text += encoder.update(update) ?? []
            if number % 7 == 3 {
                text += encoder.notice(Notice(.backendLost, "gone", time: update.items.time))
            }
        }
        return text
    }

    /// A recording that was read to its end, ready to be played.
    private func playback(_ text: [UInt8]) throws -> Playback {
        let indexer = try RecordingIndexer(path: try file(text))
        let playback = try Playback(indexer)
        indexer.run { index in
            playback.index = index
            return true
        }
        return playback
    }

    /// A list with every field that counts, as bytes.
    private func bytes(_ list: RecordedList, _ grouping: Grouping) -> [UInt8] {
        var encoder = LineEncoder()
        return encoder.begin(
            .example(grouping), sections: list.listSections, at: Timestamp(microseconds: 0))
    }

    /// The lists after each line that changes them, the empty one before all first.
    private func lists(_ text: [UInt8], _ grouping: Grouping) throws -> [[UInt8]] {
        let recording = try Recording(path: try file(text))
        var lists = [bytes(RecordedList(), grouping)]
        while let step = try recording.next() {
            guard step == .line, recording.changes != nil else { continue }
            lists.append(bytes(recording.list, grouping))
        }
        return lists
    }

    @Test(arguments: seeds(3), Grouping.allCases)
    func `a step back gives the list of the way forward`(
        seed: UInt64, grouping: Grouping
    ) throws {
        let text = randomText(seed: seed, grouping, changes: 90)
        let lists = try lists(text, grouping)
        let playback = try playback(text)
        #expect(playback.index.changeCount == lists.count - 1)
        #expect(playback.index.isComplete)

        for list in lists.dropFirst() {
            #expect(try playback.stepForward())
            #expect(bytes(playback.list, grouping) == list)
        }
        #expect(try !playback.stepForward())
        for (place, list) in lists.enumerated().reversed().dropFirst() {
            #expect(try playback.stepBack())
            #expect(bytes(playback.list, grouping) == list, "before \(place + 1)")
            #expect(playback.changeCount == place)
        }
        #expect(try !playback.stepBack())
    }

    @Test(arguments: seeds(4))
    func `random steps give the list that reading forward gives`(seed: UInt64) throws {
        let text = randomText(seed: seed, .device, changes: 200)
        let lists = try lists(text, .device)
        let playback = try playback(text)
        var generator = SeededGenerator(seed: seed)
        var place = 0
        for _ in 0..<100 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                try playback.seekToStart()
                place = 0
            case 1:
                try playback.seekToEnd()
                place = lists.count - 1
            case 2..<6:
                place = try playback.stepForward() ? place + 1 : place
            default:
                place = try playback.stepBack() ? place - 1 : place
            }
            #expect(playback.changeCount == place)
            #expect(bytes(playback.list, .device) == lists[place], "seed \(seed)")
        }
    }

    @Test(arguments: seeds(4))
    func `seeking to a time gives the list that reading up to it gives`(seed: UInt64) throws {
        let text = randomText(seed: seed, .device, changes: 300)
        let path = try file(text)
        let playback = try playback(text)
        let span = try #require(playback.index.activity.span)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let range = span.lowerBound.microseconds - 5...span.upperBound.microseconds + 5
            let time = Timestamp(microseconds: Int64.random(in: range, using: &generator))
            let recording = try Recording(path: path)
            while try recording.next(upTo: time) != nil {}
            try playback.seek(to: time)
            #expect(bytes(playback.list, .device) == bytes(recording.list, .device))
            #expect(try playback.nextTime() == recording.nextTime)
        }
    }

    @Test(arguments: [(20, 6), (100, 6), (100, 70)])
    func `damage is skipped in both directions`(changes: Int, place: Int) throws {
        let lines = randomText(seed: 1, .device, changes: changes).split(separator: 0x0A)
        let text = Array(
            (lines[..<place] + [Array("rubbish".utf8)[...]] + lines[place..<place + 6] + lines[...])
                .joined(separator: [0x0A]) + [0x0A])
        let lists = try lists(text, .device)
        let playback = try playback(text)
        #expect(playback.index.damage.count == 1)
        #expect(playback.index.damage.first?.line == place + 1)
        while try playback.stepForward() {}
        #expect(playback.changeCount == lists.count - 1)
        for list in lists.reversed().dropFirst() {
            #expect(try playback.stepBack())
            #expect(bytes(playback.list, .device) == list)
        }
    }

    @Test func `checkpoints are bounded, and so is the distance between them`() {
        var checkpoints = RecordingCheckpoints()
        var random = RandomList(seed: 1, grouping: .device)
        var list = RecordedList()
        var encoder = LineEncoder()
        for line in [encoder.begin(.example(.device), at: Timestamp(microseconds: 0))]
            + (0..<30).compactMap({ _ in encoder.update(random.change()) })
        {
            try? list.apply(RecordedLine(line, grouping: .device))
        }
        #expect(list.count > 3)
        var kept = 0
        for line in 1...200_000 where checkpoints.isDue(after: line) {
            list.position.line = line
            list.position.time = Timestamp(microseconds: Int64(line))
            checkpoints.add(RecordingCheckpoint(list: list))
            kept += 1
        }
        #expect(kept < 10_000)
        for line in stride(from: 1, through: 200_000, by: 997) {
            let found = checkpoints.last { $0.line <= line }.list.position.line
            #expect(found <= line && line - found < 1024)
            let time = Timestamp(microseconds: Int64(line))
            #expect(checkpoints.last { $0.time ?? time <= time }.list.position.line == found)
        }
    }

    @Test func `activity keeps its counts while slices are merged`() throws {
        var activity = RecordingActivity()
        var generator = SeededGenerator(seed: 3)
        var time: Int64 = 0
        for _ in 0..<20_000 {
            time += Int64.random(in: 0..<200_000_000, using: &generator)
            activity.add(.init(arrivals: 2, departures: 1), at: Timestamp(microseconds: time))
        }
        for count in [1, 7, 80, 5000] {
            let columns = activity.columns(count)
            #expect(columns.count == count)
            #expect(columns.reduce(0) { $0 + $1.arrivals } == 40_000)
            #expect(columns.reduce(0) { $0 + $1.departures } == 20_000)
        }
        #expect(activity.column(of: Timestamp(microseconds: time), among: 80) == 79)
        #expect(activity.column(of: Timestamp(microseconds: -1), among: 80) == 0)
        // A stranger's clock may be anywhere.
        for text in ["9999-12-31T23:59:59.999999Z", "0000-01-01T00:00:00.000000Z"] {
            let time = try #require(Timestamp(text))
            activity.add(.init(arrivals: 1, departures: 0), at: time)
        }
        #expect(activity.columns(80).reduce(0) { $0 + $1.arrivals } == 40_002)
    }

    @Test func `lines from before the first time count at the start`() throws {
        var activity = RecordingActivity()
        for text in [
            "9999-12-31T23:59:59.000000Z", "0000-01-01T00:00:00.000000Z",
            "9999-12-31T23:59:59.000001Z",
        ] {
            let time = try #require(Timestamp(text))
            activity.add(.init(arrivals: 1, departures: 0), at: time)
            #expect((0..<80).contains(try #require(activity.column(of: time, among: 80))))
        }
        let early = try #require(Timestamp("0000-01-01T00:00:00.000000Z"))
        #expect(activity.column(of: early, among: 80) == 0)
    }

    @Test func `while lines are missing the list is empty and unknown`() throws {
        let lines = randomText(seed: 2, .device, changes: 24).split(separator: 0x0A)
        let text = Array(
            (lines[..<8] + lines[9...] + lines[..<2]).joined(separator: [0x0A]) + [0x0A])
        let playback = try playback(text)
        let lost = try RecordedLine(Array(lines[10]), grouping: .device)
        try playback.seek(to: lost.time)
        #expect(playback.isLost)
        #expect(playback.list.count == 0)
        #expect(playback.list.header != nil)
        try playback.seekToStart()
        #expect(!playback.isLost)
    }

    @Test(arguments: [false, true])
    func `the part of a file that was read is known on the way`(isPipe: Bool) throws {
        var encoder = LineEncoder()
        var text = encoder.begin(.example(.device), at: Timestamp(microseconds: 0))
        for number in 1...4_500 {
            let time = Timestamp(microseconds: Int64(number))
            text += encoder.notice(Notice(.backendLost, "gone", time: time))
        }
        let path = try file(text)
        let indexer = try RecordingIndexer(path: isPipe ? "/dev/null" : path)
        var parts: [Double?] = []
        indexer.run { index in
            if !index.isComplete { parts.append(index.readPart) }
            return true
        }
        let known = parts.compactMap(\.self)
        #expect(isPipe ? parts.isEmpty : known.count > 1 && known == known.sorted())
        #expect(known.count == parts.count && known.allSatisfy { 0.01...1 ~= $0 })
    }

    @Test func `a truncated compressed recording is played up to its end`() async throws {
        let path = try file(randomText(seed: 3, .device, changes: 400))
        let gzip = Process()
        gzip.executableURL = URL(filePath: "/usr/bin/env")
        gzip.arguments = ["gzip", path]
        try gzip.run()
        gzip.waitUntilExit()
        let packed = try Data(contentsOf: URL(filePath: path + ".gz"))
        try packed.dropLast(packed.count / 3).write(to: URL(filePath: path + ".gz"))

        let indexer = try RecordingIndexer(path: path + ".gz")
        let playback = try Playback(indexer)
        indexer.run { index in
            playback.index = index
            return true
        }
        #expect(playback.index.isComplete)
        #expect(playback.index.damage.first?.message.hasSuffix("it is cut off") == true)
        try playback.seekToEnd()
        #expect(playback.changeCount > 100)
        #expect(playback.list.count > 0)
    }
}
