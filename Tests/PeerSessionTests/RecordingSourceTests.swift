// Tests what a session that plays recordings tells its outputs, and when.
import FoundationEssentials
import PeerHappenings
import PeerListTestSupport
import PeerModel
import PeerRecording
import Synchronization
import Testing

@testable import PeerSession

@Suite struct RecordingSourceTests {
    private let folder: RecordingFolder
    private let tv = device("tv", "googlecast", address: "10.0.0.6", arrived: 0)
    private let nas = device("nas", "smb", address: "10.0.0.5", arrived: 0)
    private let guest = device("guest", "ssh", address: "10.0.0.99", arrived: 60)

    init() throws { folder = try RecordingFolder() }

    /// The lines of a list that changes at times in seconds, in a run or in several.
    private func lines(
        _ runs: (header: LineHeader, start: Double, [(time: Double, peers: [Peer])])...
    ) -> [String] {
        var (encoder, list, bytes) = (LineEncoder(), ListScript(), [UInt8]())
        for (header, start, steps) in runs {
            let sections = steps[0].time == start ? steps[0].peers.sections(.device) : []
            _ = list.change(.changed, at: House.time(start), to: sections)
            bytes += encoder.begin(header, sections: sections, at: House.time(start))
            for (time, peers) in steps where time > start {
                let update = list.change(
                    .changed, reason: .removed, at: House.time(time), to: peers.sections(.device))
                bytes += encoder.update(update) ?? []
            }
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Returns the events that outputs get of recordings, each with its time in seconds.
    private func events(_ files: [String]...) async throws -> [String] {
        let paths = try files.enumerated().map { try folder.file("\($0)", $1) }
        let log = EventLog()
        let session = Session(
            source: try RecordingSource(paths), outputs: [RecordedEvents(log)])
        #expect(await session.play().end == .finished)
        return log.entries.withLock(\.self)
    }

    private var other: LineHeader {
        var header = House.header(.device)
        header.run = UUID()
        return header
    }

    @Test func `what settles between two lines is said at its time`() async throws {
        let events = try await events(
            lines((House.header(.device), 0, [(0.5, [tv]), (60, [tv, guest]), (900, [guest])])))
        #expect(
            events == [
                "0.0 begin", "0.5 1 changed", "1.5 there tv", "4.0 filled 1", "60.0 1 changed",
                "61.0 arrived guest", "900.0 1 changed", "900.0 left tv", "900.0 end",
            ])
    }

    @Test func `before another run, what was not said is said, and the list is not known`()
        async throws
    {
        let first = lines((House.header(.device), 0, [(60, [guest]), (100, [])]))
        let second = lines((other, 500, [(500, [nas])]))
        let expected = [
            "0.0 begin", "4.0 filled 0", "60.0 1 changed", "61.0 arrived guest",
            "100.0 1 changed", "100.0 left guest", "100.0 lost", "500.0 begin", "500.0 1 changed",
            "500.0 there nas",
            "500.0 end",
        ]
        #expect(try await events(first + second) == expected)
        #expect(try await events(second, first) == expected, "in the order of their lines")
    }

    @Test func `the fill of a run that ended in it has no end, also not in the next run`()
        async throws
    {
        let first = lines((House.header(.device), 0, [(1, [tv])]))
        let second = lines((other, 3_600, [(3_600, [nas])]))
        #expect(
            try await events(first + second) == [
                "0.0 begin", "1.0 1 changed", "1.0 there tv", "1.0 lost", "3600.0 begin",
                "3600.0 1 changed", "3600.0 there nas", "3600.0 end",
            ])
    }

    /// The fill of the header, and the events of the end of the fill: earlier versions do not promise to tell it.
    @Test(
        arguments: [
            (nil, ["4.0 filled 1"]), (.running, ["6.0 filled 1"]), (.over, []),
        ] as [(LineHeader.Fill?, [String])])
    func `the end of the fill is said once, when the lines tell it if they promise to`(
        fill: LineHeader.Fill?, expected: [String]
    ) async throws {
        var header = House.header(.device)
        header.fill = fill
        var stated = lines((header, 0, [(0.5, [tv]), (60, [tv, guest])]))
        let filled = SourceHappening(.filled, "", count: 1, at: House.time(6))
        var encoder = LineEncoder()
        _ = encoder.begin(House.header(.device), at: House.time(0))
        _ = encoder.end(.finished, at: House.time(0))
        let line = encoder.happening(.source(filled), at: House.time(6))
        stated.insert(String(decoding: line.dropLast(), as: UTF8.self), at: 2)
        stated[3] = stated[3].replacing("\"seq\":2", with: "\"seq\":3")
        let path = try folder.file("stated", stated)
        let log = EventLog()
        let session = Session(
            source: try RecordingSource([path]), outputs: [RecordedEvents(log)])
        #expect(await session.play().damage.count == 0)
        let entries = log.entries.withLock(\.self)
        #expect(entries.filter { $0.hasSuffix("filled 1") } == expected)
    }

    @Test func `a run that goes on in the next file says what happened meanwhile`() async throws {
        let first = lines((House.header(.device), 0, [(0, [tv, nas])]))
        let second = lines((House.header(.device), 500, [(500, [nas])]))
        #expect(
            try await events(first, second) == [
                "0.0 begin", "0.0 2 changed", "1.0 there nas", "1.0 there tv", "500.0 begin",
                "500.0 1 changed", "500.0 left tv", "500.0 end",
            ])
    }

    @Test func `after damage, what is there was there before`() async throws {
        let first = lines((House.header(.device), 0, [(0, [tv])]))
        let second = lines((House.header(.device), 500, [(500, [tv, nas])]))
        #expect(
            try await events(first + ["rubbish"] + second) == [
                "0.0 begin", "0.0 1 changed", "0.0 there tv", "0.0 lost", "0.0 lost",
                "500.0 begin", "500.0 2 changed", "500.0 there nas", "500.0 there tv", "500.0 end",
            ])
    }
}

private final class EventLog: Sendable {
    let entries = Mutex<[String]>([])
}

/// An output that notes what it gets.
private final class RecordedEvents: ListOutput {
    private let log: EventLog

    init(_ log: EventLog) { self.log = log }

    func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        let texts: [String] =
            switch event {
            case .began: ["begin"]
            case .lost: ["lost"]
            case .updated(let items, _):
                ["\(items.arrivals.count + items.departures.count + items.changes.count) changed"]
            case .happened(let events):
                events.map { event in
                    switch event {
                    case .item(let item): "\(item.event.rawValue) \(item.item.name)"
                    case .source(let source): "\(source.event.rawValue) \(source.count)"
                    }
                }
            case .ended: ["end"]
            default: []
            }
        let seconds = Double(time.microseconds - House.time(0).microseconds) / 1_000_000
        log.entries.withLock { $0 += texts.map { "\(seconds) \($0)" } }
    }

    func close(within limit: Duration) async -> LineFailure? { nil }
}
