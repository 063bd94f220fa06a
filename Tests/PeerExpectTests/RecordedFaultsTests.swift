// Tests of the times in recordings at which expectations were broken, computed by hand.
import FoundationEssentials
import PeerExpect
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import PeerSession
import PeerText
import Synchronization
import Testing

/// A recording that a test makes step by step; times are in seconds.
private struct LineScript {
    private var encoder = LineEncoder()
    private var list = ListScript()
    private(set) var lines: [String] = []

    mutating func begin(_ time: Double, _ peers: [Peer] = [], backend: String = "daemon") {
        let header = LineHeader(
            run: UUID(), observerHost: "anna.local", observerID: UUID(), backend: backend,
            grouping: .device)
        let sections = peers.sections(.device)
        _ = list.change(.changed, at: House.time(time), to: sections)
        append(encoder.begin(header, sections: sections, at: House.time(time)))
    }

    mutating func change(_ time: Double, _ peers: [Peer]) {
        change(time, .arrived, .removed, peers)
    }

    mutating func change(_ time: Double, _ cause: PeerListUpdate.Cause, _ peers: [Peer]) {
        change(time, cause, .removed, peers)
    }

    mutating func change(
        _ time: Double, _ cause: PeerListUpdate.Cause, _ reason: Departure,
        _ peers: [Peer]
    ) {
        let update = list.change(
            cause, reason: reason, at: House.time(time), to: peers.sections(.device))
        if let line = encoder.update(update) { append(line) }
    }

    mutating func happen(_ event: SourceHappening.Event, _ name: String, _ time: Double) {
        let happening = SourceHappening(event, name, count: 1, at: House.time(time))
        append(encoder.happening(.source(happening), at: House.time(time)))
    }

    mutating func end(_ time: Double) { append(encoder.end(.interrupted, at: House.time(time))) }

    private mutating func append(_ line: [UInt8]) {
        lines.append(String(decoding: line.dropLast(), as: UTF8.self))
    }
}

@Suite struct RecordedFaultsTests {
    private let folder: RecordingFolder
    private let nas = device("nas", "smb", address: "10.0.0.5")
    private let tv = device("tv", "googlecast", address: "10.0.0.6")
    private let printer = device("printer", "http", "ipp", address: "10.0.0.7")
    private let guest = device("guest", "ssh", address: "10.0.0.99")

    private static let expectations = """
        [device nas]
        [device tv]
        for = 5m
        [device printer]
        services = ipp, http
        [network]
        newcomers = report
        """

    init() throws { folder = try RecordingFolder() }

    /// Returns the result of recordings, and the spans of its faults, in seconds.
    private func faults(
        _ text: String = expectations, _ recordings: [String]...
    ) async throws -> (result: ExpectationResult, spans: [String]) {
        let (file, errors) = ExpectationFile.parse(Array(text.utf8))
        #expect(errors == [])
        let paths = try recordings.enumerated().map { try folder.file("\($0)", $1) }
        let found = Mutex<ExpectationResult?>(nil)
        let output = RecordedFaults(file) { result in found.withLock { $0 = result } }
        let session = Session(source: try RecordingSource(paths), outputs: [output])
        let damage = await session.play().damage
        #expect(damage.first?.contains("not JSON") ?? true, "\(damage)")
        let judged = found.withLock(\.self)
        let result = try #require(judged)
        func seconds(_ time: Timestamp) -> Double {
            Double(time.microseconds - House.time(0).microseconds) / 1_000_000
        }
        let spans = result.faults.map { fault in
            let end = fault.until.map { "\(seconds($0))" } ?? "now"
            return "\(fault.kind) \(fault.expectation ?? "-") \(seconds(fault.since)) \(end)"
        }
        return (result, spans)
    }

    /// A week of two runs with a gap; each comment is what has to be found.
    private func week() -> (first: [String], second: [String]) {
        let day = 86_400.0
        var script = LineScript()
        script.begin(0)
        script.change(1, [nas, tv, printer])
        // The printer restarts for two minutes: none.
        script.change(day, .departed, [nas, tv])
        script.change(day + 120, [nas, tv, printer])
        // The NAS is away for an hour: missing 172800 to 176400.
        script.change(2 * day, .departed, [tv, printer])
        script.change(2 * day + 3_600, [nas, tv, printer])
        // The TV does not answer for ten minutes: missing 259200 to 259800, and for four: none.
        var silent = tv
        silent.presence = .unanswered
        script.change(3 * day, .presence, [nas, silent, printer])
        script.change(3 * day + 600, .presence, [nas, tv, printer])
        script.change(3 * day + 7_200, .presence, [nas, silent, printer])
        script.change(3 * day + 7_440, .presence, [nas, tv, printer])
        // A guest stays for half an hour: unexpected 345600 to 347400.
        script.change(4 * day, [nas, tv, printer, guest])
        script.change(4 * day + 1_800, .departed, [nas, tv, printer])
        // The daemon is away for ten minutes: none.
        let unknown = [nas, tv, printer].map { peer in
            var peer = peer
            peer.presence = .unknown
            return peer
        }
        script.change(5 * day, .backend, unknown)
        script.change(5 * day + 600, .backend, [nas, tv, printer])
        // The NAS leaves for three hours, during which the list is started again: missing 518000 to 530000.
        script.change(518_000, .departed, [tv, printer])
        script.end(518_400)
        let first = script.lines
        script = LineScript()
        script.begin(520_000, [tv, printer])
        script.change(530_000, [nas, tv, printer])
        // The printer loses a service until the end: missing 600000 to now.
        script.change(600_000, .changed, [nas, tv, device("printer", "ipp", address: "10.0.0.7")])
        script.end(604_800)
        return (first, script.lines)
    }

    private let spans = [
        "missing nas 172800.0 176400.0", "missing tv 259200.0 259800.0",
        "unexpected - 345600.0 347400.0", "missing nas 518000.0 530000.0",
        "missing printer 600000.0 now",
    ]

    @Test func `the faults of a week are those computed by hand`() async throws {
        let (first, second) = week()
        let (result, found) = try await faults(Self.expectations, first, second)
        #expect(found == spans)
        #expect(result.faults.last?.text == "'printer' lacks _http._tcp: 'printer'")
        #expect(result.verdict == .faulty)
    }

    @Test func `the text of a week has a line for each fault`() async throws {
        let (first, second) = week()
        let result = try await faults(Self.expectations, first, second).result
        let text = result.text(.plugin) { LocalTime($0, offset: 0) }
        #expect(
            text == """
                PEERLIST CRITICAL - 4 missing, 1 unexpected | present=3
                missing from 2026-11-23 08:30:00 to 09:30:00 (60 minutes): 'nas' is missing; it said goodbye
                missing from 2026-11-24 08:30:00 to 08:40:00 (10 minutes): 'tv' is missing; it does not answer
                unexpected from 2026-11-25 08:30:00 to 09:00:00 (30 minutes): \
                'guest' (guest.local, 10.0.0.99) is not expected
                missing from 2026-11-27 08:23:20 to 11:43:20 (3 hours): 'nas' is missing; it said goodbye
                missing since 2026-11-28 07:10:00: 'printer' lacks _http._tcp: 'printer'

                """)
    }

    @Test func `what was there before lines that are missing is not known after them`() async throws
    {
        var script = LineScript()
        script.begin(0, [nas, tv, printer])
        script.change(100, .departed, [tv, printer])
        let lines = script.lines
        script.begin(5_000, [nas, tv, printer])
        script.end(6_000)
        // Missing for less than three minutes before the damage.
        let (_, found) = try await faults(
            Self.expectations, lines + ["rubbish"] + script.lines[2...])
        #expect(found == [])
    }

    @Test func `while an interface is down nothing is missing`() async throws {
        var script = LineScript()
        script.begin(0, [nas, tv, printer])
        script.happen(.linkLost, "eth0", 100)
        script.change(400, .link, .link, [])
        script.happen(.linkBack, "eth0", 2_000)
        script.change(2_005, .link, [tv, printer])
        script.end(3_000)
        let (_, found) = try await faults(Self.expectations, script.lines)
        #expect(found == ["missing nas 2015.0 now"])
    }

    @Test func `the list of a moment is judged as it is`() async throws {
        var script = LineScript()
        script.begin(0, [tv, printer, guest])
        script.end(0)
        let (result, found) = try await faults(Self.expectations, script.lines)
        #expect(found == ["missing nas 0.0 now", "unexpected - 0.0 now"])
        #expect(
            result.text(.plugin).hasPrefix(
                "PEERLIST CRITICAL - 1 missing, 1 unexpected | present=3\n"))
    }

    @Test func `what is broken at the end for less than its time is pending`() async throws {
        var script = LineScript()
        script.begin(0, [tv, printer, guest])
        script.change(8, .departed, [printer, guest])
        script.end(10)
        let (result, found) = try await faults(Self.expectations, script.lines)
        #expect(found == [])
        #expect(result.verdict == .unknown)
        #expect(
            result.text(.plugin) { LocalTime($0, offset: 0) } == """
                PEERLIST UNKNOWN - 3 pending; 'nas' is missing | present=2
                pending since 2026-11-21 08:30:00, for less than its time: 'nas' is missing
                pending since 2026-11-21 08:30:08, for less than its time: 'tv' is missing; it said goodbye
                pending since 2026-11-21 08:30:00, for less than its time: \
                'guest' (guest.local, 10.0.0.99) is not expected

                """)
        let verdict = try schemaVerdict(result.text(.json), of: "expect")
        #expect(verdict.isGood, "\(verdict.text)")
    }

    @Test func `a list that cannot be heard at its end is not known`() async throws {
        var script = LineScript()
        script.begin(0, [nas])
        let unknown = [nas].map { peer in
            var peer = peer
            peer.presence = .unknown
            return peer
        }
        script.happen(.backendLost, "daemon", 500)
        script.change(500, .backend, unknown)
        script.end(900)
        let text = "[device nas]\n[device tv]\npresent = never\n[network]\nnewcomers = report"
        let (result, found) = try await faults(text, script.lines)
        #expect(found == [])
        #expect(
            result.undecided.map(\.text) == [
                "'nas' is not known: the backend is away", "'tv' is not known: the backend is away",
                "unexpected devices are not known: the backend is away",
            ])
    }

    @Test
    func `a device that was never heard in a capture is not known, and one that left is missing`()
        async throws
    {
        var script = LineScript()
        script.begin(0, [tv, printer], backend: LineHeader.captureBackend)
        script.change(1_000, .departed, [printer])
        script.end(2_000)
        let text = Self.expectations.replacing("services = ipp, http", with: "services = ipp, ssh")
        let (result, found) = try await faults(text, script.lines)
        #expect(found == ["missing tv 1000.0 now"])
        #expect(
            result.undecided.map(\.text) == [
                "'nas' was not heard in the capture",
                "not enough was heard of 'printer' to know its services or who vouches for it",
            ])
        // A short one is no moment.
        script = LineScript()
        script.begin(0, [tv], backend: LineHeader.captureBackend)
        script.end(1)
        #expect(try await faults("[device nas]", script.lines).result.verdict == .unknown)
        #expect(try await faults("[device tv]", script.lines).result.verdict == .asExpected)
        // What went was there.
        script = LineScript()
        script.begin(0, [printer], backend: LineHeader.captureBackend)
        script.change(100, .changed, [device("printer", "ipp", address: "10.0.0.7")])
        script.end(1_000)
        #expect(
            try await faults(Self.expectations, script.lines).spans == ["missing printer 100.0 now"]
        )
    }

    @Test func `a set in a capture is short only by what went`() async throws {
        let other = device("printer-2", "ipp", address: "10.0.0.8")
        let text = "[devices printers]\ntype = ipp\ncount = 2"
        var script = LineScript()
        script.begin(0, [printer], backend: LineHeader.captureBackend)
        script.change(1_000, .departed, [tv])
        script.change(1_300, [printer, tv])
        script.end(2_000)
        let (result, found) = try await faults(text, script.lines)
        #expect(found == ["missing printers 1000.0 1300.0"])
        #expect(
            result.undecided.map(\.text) == ["only 1 of 'printers' was heard in the capture"])
        script = LineScript()
        script.begin(0, [printer, other], backend: LineHeader.captureBackend)
        script.change(1_000, .departed, [other])
        script.end(2_000)
        #expect(try await faults(text, script.lines).spans == ["missing printers 1000.0 now"])
    }

    @Test func `a list that begins with devices that cannot be heard is not known`() async throws {
        let unknown = [nas, tv].map { peer in
            var peer = peer
            peer.presence = .unknown
            return peer
        }
        for end in [0, 9_000.0] {
            var script = LineScript()
            script.begin(0, unknown)
            script.end(end)
            let (result, found) = try await faults("[device nas]\n[device tv]", script.lines)
            #expect(found == [] && result.verdict == .unknown, "\(end)")
        }
        var script = LineScript()
        script.begin(0, unknown)
        script.change(1_000, .departed, [unknown[0]])
        script.end(2_000)
        let (result, found) = try await faults("[device nas]\n[device tv]", script.lines)
        #expect(found == ["missing tv 1000.0 now"])
        #expect(result.undecided.map(\.expectation) == ["nas"])
    }

    @Test(arguments: [
        "[device nas]\npresent = never", "[device nas]\npresent = sometimes",
        "[network]\nnewcomers = report",
    ])
    func `a capture in which nothing was heard says nothing`(text: String) async throws {
        var script = LineScript()
        script.begin(0, backend: LineHeader.captureBackend)
        script.end(1_000)
        let result = try await faults(text, script.lines).result
        #expect(result.verdict == .unknown)
        #expect(result.text(.plugin).contains("nothing was heard in the capture"))
        #expect(!result.text(.prometheus).contains("peerlist_unexpected_devices"))
    }

    @Test func `a device that is found in the last moment after an outage was not missing`()
        async throws
    {
        var script = LineScript()
        script.begin(0, [nas, tv])
        script.happen(.linkLost, "eth0", 100)
        script.change(400, .link, .link, [])
        script.happen(.linkBack, "eth0", 2_000)
        script.change(2_014.6, .link, [nas, tv])
        script.end(3_000)
        #expect(try await faults("[device nas]\nfor = 0s", script.lines).spans == [])
    }

    @Test func `a device that is heard only in the second of two captures was never missing`()
        async throws
    {
        var script = LineScript()
        script.begin(0, [printer], backend: LineHeader.captureBackend)
        script.end(1_000)
        let first = script.lines
        script = LineScript()
        script.begin(1_001, [printer], backend: LineHeader.captureBackend)
        script.change(2_000, [nas, printer])
        script.end(3_000)
        let text = "[device nas]\n[device printer]"
        #expect(try await faults(text, first).result.verdict == .unknown)
        let (result, found) = try await faults(text, first, script.lines)
        #expect(found == [] && result.verdict == .asExpected)
    }

    @Test func `the fill of a list that was empty is no fault`() async throws {
        var script = LineScript()
        script.begin(0)
        script.change(0.5, [tv])
        script.change(1.4, [nas, tv, printer])
        script.end(500)
        let (result, found) = try await faults(
            Self.expectations.replacing("5m", with: "0s"), script.lines)
        #expect(found == [])
        #expect(result.verdict == .asExpected)
    }

    @Test func `without a line there is no result`() async throws {
        let output = RecordedFaults(ExpectationFile()) { _ in Issue.record("there is no list") }
        let source = try RecordingSource([try folder.file("none", [])])
        #expect(await Session(source: source, outputs: [output]).play().end == .finished)
    }
}
