// Tests that a capture is played in both directions, from copies of the state of its reader.
import DNSMessages
import Foundation
import LabSupport
import PeerModel
import TestSupport
import Testing

@testable import PeerCapture
@testable import PeerRecording

@Suite(.timeLimit(.minutes(10))) struct CapturePlaybackTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A capture of devices that come, change and leave, in fragments too, by a machine whose clock is set.
    private func capture(seed: UInt64, messages: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var capture = ScriptCapture(.pcapng, interfaces: [("eth0", 1), ("eth1", 1)])
        var time = 30.0
        for number in 0..<messages {
            if number == 5 { time += 1_700_000_000 }
            time += Double.random(in: 0...40, using: &generator)
            let device = UInt8.random(in: 1...12, using: &generator)
            let name = "Web \(device)"
            let isLarge = Int.random(in: 0..<4, using: &generator) == 0
            var records = ScriptRecord.service(
                name, "_http._tcp", on: "h\(device)", [192, 168, 1, device],
                ["number=\(isLarge ? String(repeating: "x", count: 200) : "\(number)")"])
            if Int.random(in: 0..<4, using: &generator) == 0 {
                records = [ScriptRecord.pointer("_http._tcp", name, ttl: 0)]
            }
            let packet = ScriptPacket(payload: message(records), source: [192, 168, 1, device])
            let half = packet.udp.count / 2 & ~7
            let parts =
                isLarge
                ? packet.fragments([0..<half, half..<packet.udp.count]).map { packet.ethernet($0) }
                : [packet.ethernet()]
            let interface = UInt32.random(in: 0...1, using: &generator)
            for part in parts {
                capture.add(part, at: time, interface: interface)
                time += 0.001
            }
        }
        // Cut off in its last packet.
        return capture.bytes.dropLast(3)
    }

    private func file(_ bytes: [UInt8]) throws -> String {
        let path = "\(directory.path)/\(UUID().uuidString).pcapng"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// A list with every field that counts, as bytes.
    private func text(_ list: RecordedList) -> [UInt8] {
        var encoder = LineEncoder()
        let header = LineHeader(capture: "a", at: Timestamp(microseconds: 0))
        return encoder.begin(
            header, sections: list.listSections, at: Timestamp(microseconds: 0))
    }

    /// The lists after each step that changes them, the empty one before all first.
    private func lists(_ path: String) throws -> [[UInt8]] {
        let recording = try Recording(path: path)
        var lists = [text(RecordedList())]
        while let step = try recording.next() {
            if step == .line, recording.changes != nil { lists.append(text(recording.list)) }
        }
        return lists
    }

    private func playback(_ path: String) throws -> Playback {
        let indexer = try RecordingIndexer(path: path)
        let playback = try Playback(indexer)
        indexer.run { index in
            playback.index = index
            return true
        }
        #expect(playback.index.isComplete)
        return playback
    }

    @Test func `the state of a capture after each step gives the steps that follow`() throws {
        let bytes = capture(seed: 1, messages: 40)
        let recording = Recording(bytes, named: "a.pcapng")
        var states: [RecordingCheckpoint] = []
        while let step = try recording.next() {
            if step == .line { states.append(recording.checkpoint) }
        }
        #expect(states.count > 50)
        let last = text(recording.list)
        for state in states {
            let rest = Recording(Array(bytes[state.offset...]), named: "a.pcapng")
            rest.resume(at: state)
            var damage = 0
            while let step = try rest.next() { damage += step == .line ? 0 : 1 }
            let isSame = text(rest.list) == last
            #expect(isSame && damage == 2, "after \(state.list.position.line)")
        }
    }

    @Test(arguments: seeds(3), [false, true])
    func `steps and leaps in a capture give the lists of the way forward`(
        seed: UInt64, isPacked: Bool
    ) async throws {
        var path = try file(capture(seed: seed, messages: 120))
        let lists = try lists(path)
        if isPacked {
            _ = try await FinishedProcess(["gzip", path])
            path += ".gz"
        }
        let playback = try playback(path)
        #expect(playback.index.changeCount == lists.count - 1 && lists.count > 130)
        #expect(playback.index.damage.count == 2)
        var generator = SeededGenerator(seed: seed)
        var place = 0
        for _ in 0..<(isPacked ? 50 : 150) {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                try playback.seekToStart()
                place = 0
            case 1:
                try playback.seekToEnd()
                place = lists.count - 1
            case 2:
                let span = try #require(playback.index.activity.span)
                let time = Int64.random(
                    in: span.lowerBound.microseconds...span.upperBound.microseconds,
                    using: &generator)
                try playback.seek(to: Timestamp(microseconds: time))
                place = playback.changeCount
            case 3..<6: place = try playback.stepForward() ? place + 1 : place
            default: place = try playback.stepBack() ? place - 1 : place
            }
            #expect(playback.changeCount == place)
            let isSame = text(playback.list) == lists[place]
            #expect(isSame, "after change \(place)")
        }
    }

    @Test func `a capture is played while it is indexed, up to where that has come`() throws {
        let path = try file(capture(seed: 5, messages: 4_500))
        let indexer = try RecordingIndexer(path: path)
        let playback = try Playback(indexer)
        #expect(try playback.nextTime() == nil)
        var counts: [Int] = []
        indexer.run { index in
            playback.index = index
            counts.append(index.changeCount)
            try? playback.seekToEnd()
            #expect(playback.changeCount == index.changeCount)
            return true
        }
        #expect(counts.count > 2 && counts.last == playback.changeCount)
        #expect(try playback.nextTime() == nil)
    }

    @Test func `what is kept of a large capture is bounded`() throws {
        let path = try file(capture(seed: 6, messages: 1_000))
        let recording = try Recording(path: path)
        var checkpoints = RecordingCheckpoints()
        var weight = 0
        while let step = try recording.next() {
            guard step == .line else { continue }
            // As many as are due in a capture of 64,000 messages.
            let checkpoint = recording.checkpoint
            checkpoints.add(checkpoint)
            weight += checkpoint.weight
            #expect(checkpoint.weight > 50 + recording.list.count)
            #expect(checkpoints.items <= RecordingCheckpoints.budget)
        }
        #expect(weight > 2 * RecordingCheckpoints.budget)
    }

    @Test func `a file without multicast DNS is damaged, and its list empty`() throws {
        var capture = ScriptCapture()
        capture.add([UInt8](repeating: 0, count: 60), at: 1)
        let playback = try playback(try file(capture.bytes))
        #expect(
            playback.index.damage.first?.message.contains("without multicast DNS") == true)
        try playback.seekToEnd()
        #expect(try playback.nextTime() == nil && playback.list.count == 0)
    }
}
