// Who was there when, and what is counted: the contents of reports.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing
import TestSupport

@testable import PeerReport

@Suite(.timeLimit(.minutes(10))) struct ReportTests {
    private let folder: RecordingFolder
    private let tv = Peer.device("tv", "_googlecast._tcp")
    private let nas = Peer.device("nas", "_smb._tcp", "_ssh._tcp")
    private let mac = Peer.device("mac")

    init() throws { folder = try RecordingFolder() }

    private func presence(_ text: String) async throws -> RecordedPresence {
        let path = try folder.file("\(UUID())", text: text)
        return try await RecordedPresence.read(path)
    }

    private func presence(_ lines: some Sequence<String>) async throws -> RecordedPresence {
        try await presence(lines.map { $0 + "\n" }.joined())
    }

    private func report(
        _ recordings: [String]..., limits: Report.Limits = .init(),
        offset: @escaping @Sendable (Timestamp) -> Int64 = { _ in 0 }
    ) async throws -> Report {
        var presences: [RecordedPresence] = []
        for lines in recordings { presences.append(try await presence(lines)) }
        let made = Report(presences, limits: limits, offset: offset)
        return try #require(made)
    }

    private func interval(
        _ start: Double, _ end: Double, _ ends: (Bool, Bool) = (true, true)
    ) -> Interval {
        Interval(
            start: House.time(start), end: House.time(end), hasBeginning: ends.0, hasEnding: ends.1)
    }

    // MARK: Presence

    @Test func `a device is there from its arrival to its departure, and unanswered in between`()
        async throws
    {
        var script = RecordedScript()
        script.begin(0)
        script.change(100, [tv])
        script.change(200, .presence, [tv.with(\.presence, .unanswered)])
        script.change(260, .presence, [tv])
        script.change(300, .departed, [])
        script.end(400)
        let report = try await report(script.lines)
        let device = try #require(report.devices.first)
        #expect(report.devices.count == 1 && device.facts.name == "tv")
        #expect(device.log.there == [interval(100, 300)])
        #expect(device.log.unanswered == [interval(200, 260)])
        #expect(device.present.map(\.start) == [House.time(100), House.time(260)])
        #expect(device.present.length == 140_000_000)
        #expect((device.arrivals, device.departures, device.silences) == (1, 1, 1))
        #expect(report.coverage == [interval(0, 400, (false, false))])
    }

    @Test func `a device whose only observer was forgotten may have left at any time`()
        async throws
    {
        var script = RecordedScript()
        script.begin(0)
        let name = ObserverName(site: "office", observer: "hall")
        var view = PeerView(
            name: name, host: "hall.local", presence: .present, since: House.time(0))
        let seen = tv.with(\.views, [view])
        view.presence = .unknown
        script.change(100, [seen])
        script.change(200, .presence, [tv.with(\.views, [view]).with(\.presence, .unknown)])
        script.change(300, .departed, [])
        script.end(400)
        let report = try await report(script.lines)
        let device = try #require(report.devices.first)
        #expect(device.log.there == [interval(100, 300, (true, false))])
        #expect((report.arrivals, report.departures) == (1, 0))
    }

    @Test func `a device that was never heard itself has a remark about who answered for it`()
        async throws
    {
        let unheard = tv.with(\.vouchedBy, Vouching(.unheard))
        let proxied = tv.with(
            \.vouchedBy, Vouching(.proxy, sender: "10.0.0.1", name: "fritz.box"))
        let own = nas.with(\.vouchedBy, Vouching(.own, sender: "10.0.0.2"))
        let later = nas.with(\.vouchedBy, proxied.vouchedBy)
        var script = RecordedScript()
        script.begin(0, [unheard, own, mac])
        script.change(100, [proxied, later, mac])
        script.change(200, .presence, [proxied.with(\.presence, .proxied), later, mac])
        script.end(400)
        let report = try await report(script.lines)
        let texts = Dictionary(
            uniqueKeysWithValues: report.devices.map { ($0.facts.name, $0.facts.voucherText) })
        #expect(texts["tv"] == "only ever vouched for by fritz.box")
        #expect(texts["nas"] == .some(nil))
        #expect(texts["mac"] == .some(nil))
        let device = try #require(report.devices.first { $0.facts.name == "tv" })
        #expect(device.log.unanswered.map(\.start) == [House.time(200)])
        #expect(ReportPage(report, notices: []).text.contains("vouched for by fritz.box"))
    }

    @Test func `a device that is found at the start was there before, and one at the end stays`()
        async throws
    {
        var script = RecordedScript()
        script.begin(0)
        script.change(3, [tv])
        script.change(20, [tv, nas])
        script.end(400)
        let report = try await report(script.lines)
        #expect(report.devices.map(\.facts.name) == ["nas", "tv"])
        #expect(report.devices[1].log.there == [interval(0, 400, (false, false))])
        #expect(report.devices[0].log.there == [interval(20, 400, (true, false))])
        #expect((report.arrivals, report.departures, report.greatestCount) == (1, 0, 2))
    }

    @Test func `a device is there while one of its services is listed, also grouped by type`()
        async throws
    {
        var script = RecordedScript(.type)
        script.begin(0)
        script.change(100, [Peer.device("nas", "_smb._tcp")])
        script.change(200, [nas])
        script.change(300, .departed, [Peer.device("nas", "_ssh._tcp")])
        script.change(400, .departed, [])
        let device = try #require(try await report(script.lines).devices.first)
        #expect(device.log.there == [interval(100, 400)])
        #expect(device.facts.types == ["_smb._tcp", "_ssh._tcp"])
    }

    @Test
    func `a service whose host is not known is no device, and its device arrives with the host`()
        async throws
    {
        let report = try await report(House.lines())
        #expect(report.deviceCount == 3)
        #expect(report.devices.map(\.log.unknown.count) == [1, 1, 1])
    }

    @Test func `a device that goes on under another identifier is one device, and has not arrived`()
        async throws
    {
        var script = RecordedScript()
        script.begin(0, [nas])
        let renamed = nas.with(\.id, UUID()).with(\.host, "nas-2.local").with(\.name, "nas-2")
        script.change(100, .identity, [renamed])
        script.end(200)
        let report = try await report(script.lines)
        let device = try #require(report.devices.first)
        #expect(report.deviceCount == 1 && device.id == renamed.id)
        #expect(device.log.there == [interval(0, 200, (false, false))])
        #expect((report.arrivals, report.departures) == (0, 0))
    }

    @Test func `identifiers of a device that is being found are no devices`() async throws {
        var script = RecordedScript()
        script.begin(0, [])
        // Half of its services are known under its host name, then more of them under a MAC address.
        let found = [nas.id, UUID(), UUID()].map { nas.with(\.id, $0) }
        script.change(0.3, [found[0]])
        script.change(0.4, .identity, [found[1]])
        script.change(0.5, .identity, [found[2]])
        script.end(200)
        let report = try await report(script.lines)
        #expect(report.devices.map(\.id) == [found[2].id] && report.deviceCount == 1)
    }

    @Test func `what is lost in a recording is a gap, after which devices have not arrived`()
        async throws
    {
        var script = RecordedScript()
        script.begin(0)
        script.change(100, [tv])
        script.change(200, [tv, nas])
        script.change(300, [tv, nas, mac])
        script.begin(1000, [tv, mac])
        script.end(2000)
        let damaged = script.lines[..<3] + ["{rubbish"] + script.lines[3...]
        let presence = try await presence(damaged)
        #expect(presence.damage.count == 1)
        #expect(presence.damage.first?.contains(": line 4, byte ") == true)
        let report = try #require(Report([presence]))
        let outside = (false, false)
        #expect(report.coverage == [interval(0, 200, outside), interval(1000, 2000, outside)])
        #expect(report.devices.map(\.facts.name) == ["nas", "tv", "mac"])
        #expect(report.devices[2].log.there == [interval(1000, 2000, outside)])
        #expect(report.devices[0].log.there == [interval(200, 200, (true, false))])
        #expect(
            report.devices[1].log.there == [
                interval(100, 200, (true, false)), interval(1000, 2000, outside),
            ])
        #expect((report.arrivals, report.departures) == (2, 0))
    }

    @Test func `a cut-off last line is reported, and the rest counts`() async throws {
        let text = House.lines().joined(separator: "\n").dropLast(30)
        let presence = try await presence(String(text))
        #expect(presence.damage.first?.hasSuffix("the last line is cut off") == true)
        #expect(presence.coverage == [interval(0, 214, (false, false))])
    }

    @Test func `nothing that can be read gives no report`() async throws {
        #expect(Report([try await presence("\n")]) == nil)
        #expect(Report([try await presence("# A document\n\nof something else\n")]) == nil)
        #expect(Report([]) == nil)
    }

    @Test func `a clock that is set back lets no time pass`() async throws {
        var script = RecordedScript()
        script.begin(1000)
        script.change(1100, [tv])
        script.change(50, .departed, [])
        script.change(1200, [tv])
        script.end(1300)
        let report = try await report(script.lines)
        #expect(report.span == House.time(1000)...House.time(1300))
        #expect(report.devices[0].log.there.map(\.start) == [House.time(1100), House.time(1200)])
    }

    // MARK: Several recordings

    /// A failure names its seed, which also decides where the files are rotated.
    @Test(arguments: seeds(6))
    func `rotated files in any order give the report of one file`(seed: UInt64) async throws {
        let lines = RecordedWeek.lines(devices: 6, seed: seed)
        let whole = try await report(lines)
        // Each rotated file begins with the whole list.
        var files: [[String]] = []
        var current: [String] = []
        let recording = try Recording(path: try folder.file("whole", lines))
        while let step = try recording.next() {
            try #require(step == .line)
            let text = String(decoding: recording.text, as: UTF8.self)
            current.append(text.replacing(/"seq":[0-9]+/, with: "\"seq\":\(current.count)"))
            guard current.count > lines.count / Int(seed + 2) else { continue }
            files.append(current)
            var encoder = LineEncoder()
            let begin = encoder.begin(
                try #require(recording.list.header), sections: recording.list.listSections,
                at: try #require(recording.list.time))
            current = [String(decoding: begin.dropLast(), as: UTF8.self)]
        }
        files.append(current)
        #expect(files.count > 1)
        var presences: [RecordedPresence] = []
        for file in files.reversed() { presences.append(try await presence(file)) }
        let made = Report(presences, offset: { _ in 0 })
        let parts = try #require(made)
        #expect(parts.devices.map(\.log) == whole.devices.map(\.log))
        #expect(parts.hours == whole.hours)
        #expect(parts.coverage == whole.coverage)
    }

    @Test func `recordings of two observers are merged`() async throws {
        var (first, second) = (RecordedScript(), RecordedScript())
        first.begin(0)
        first.change(100, [new(tv, 100)])
        first.change(500, .departed, [])
        first.end(1000)
        second.begin(200, [tv], observer: "berta.local")
        second.change(700, .departed, [])
        second.change(800, [nas])
        second.end(2000)
        let report = try await report(second.lines, first.lines)
        #expect(report.observers == ["anna.local", "berta.local"])
        #expect(report.coverage == [interval(0, 2000, (false, false))])
        #expect(report.devices[1].log.there == [interval(100, 700)])
        #expect((report.arrivals, report.departures) == (2, 1))
        #expect(report.newcomers.shown.map(\.facts.name) == ["tv"])
        #expect(report.newcomers.shown.first?.facts.newSince == House.time(100))
    }

    /// Returns a device that is first seen at a time.
    private func new(_ peer: Peer, _ seconds: Double) -> Peer {
        peer.with(\.isNew, true).with(\.firstSeen, House.time(seconds))
    }

    @Test func `a device that is present for one observer is not unanswered or unknown`()
        async throws
    {
        var (first, second) = (RecordedScript(), RecordedScript())
        first.begin(0, [tv, nas])
        first.change(
            100, .presence, [tv.with(\.presence, .unanswered), nas.with(\.presence, .unknown)])
        first.change(300, .presence, [tv, nas])
        first.change(600, .presence, [tv.with(\.presence, .unanswered), nas])
        first.change(700, .presence, [tv, nas])
        first.end(1000)
        second.begin(0, [tv, nas], observer: "berta.local")
        second.change(200, .departed, [nas])
        second.change(500, [tv, nas])
        second.end(1000)
        let report = try await report(first.lines, second.lines)
        // The one that changed comes first.
        #expect(report.devices.map(\.facts.name) == ["tv", "nas"])
        #expect(report.devices[1].log.unknown == [])
        #expect(report.devices[0].log.unanswered == [interval(200, 300)])
        #expect(report.devices[0].silences == 1)
        #expect(report.devices[1].present == [interval(0, 1000, (false, false))])
        #expect(report.devices[0].present.length == 900_000_000)
    }

    @Test func `another address, name or service is no change of presence, and is shown`()
        async throws
    {
        var script = RecordedScript()
        script.begin(0, [tv, nas])
        let moved = nas.with(\.addresses, ["10.0.0.77"]).with(\.name, "vault")
        let more = Peer.device("nas", "_ssh._tcp", "_http._tcp").services
        script.change(100, .changed, [tv, moved])
        script.change(200, .changed, [tv, moved.with(\.services, more)])
        script.change(300, .departed, [moved.with(\.services, more)])
        script.end(1000)
        let report = try await report(script.lines)
        #expect(report.devices.map(\.facts.name) == ["tv", "vault"])
        #expect(report.devices.map(\.hasChanged) == [true, false])
        #expect(report.devices[1].facts.addresses == ["10.0.0.77"])
        #expect(report.devices[1].facts.types == ["_http._tcp", "_smb._tcp", "_ssh._tcp"])
    }

    @Test func `a newcomer is one of the span, and first seen once, however files are rotated`()
        async throws
    {
        var (first, second) = (RecordedScript(), RecordedScript())
        first.begin(0)
        first.change(100, [new(tv, 100)])
        first.end(500)
        second.begin(500, [new(tv, 100)])
        second.change(700, [new(tv, 100), new(nas, 700)])
        second.end(1000)
        let both = try await report(second.lines, first.lines).newcomers.shown
        #expect(both.map(\.facts.name) == ["nas", "tv"])
        #expect(both.map(\.facts.newSince) == [House.time(700), House.time(100)])
        let late = try await report(second.lines).newcomers
        #expect(late.shown.map(\.facts.name) == ["nas"] && late.count == 1)
    }

    // MARK: Numbers

    @Test func `arrivals and departures are counted in hours of local time`() async throws {
        // Summer time ends on 25 October 2026 at 01:00 UTC, in the middle of the recording.
        let change = try #require(Timestamp("2026-10-25T01:00:00.000000Z"))
        let day = try #require(Timestamp("2026-10-25T00:00:00.000000Z"))
        let shift = Double(day.microseconds - House.time(0).microseconds) / 1_000_000
        var script = RecordedScript()
        script.begin(shift - 7200)
        script.change(shift - 3600, [tv])  // 01:00 in summer time
        script.change(shift + 1800, .departed, [])  // 02:30 in summer time
        script.change(shift + 5400, [nas])  // 02:30 in winter time
        script.change(shift + 90_000, .departed, [])  // 02:00 on the next day
        let report = try await report(script.lines, offset: { $0 < change ? 7200 : 3600 })
        func hour(_ start: Double, _ arrivals: Int, _ departures: Int) -> Report.Hour {
            Report.Hour(
                start: House.time(shift + start), arrivals: arrivals, departures: departures)
        }
        #expect(
            report.hours == [
                hour(-3600, 1, 0), hour(0, 0, 1), hour(3600, 1, 0), hour(90_000, 0, 1),
            ])
        #expect(report.zones.map(\.start) == [House.time(shift - 7200), change])
        #expect(report.zones.map(\.offset) == [7200, 3600])
    }

    @Test func `the devices that fell silent most often come first`() async throws {
        var script = RecordedScript()
        script.begin(0, [tv, nas, mac])
        for (index, peer) in [nas, tv, nas, nas, tv].enumerated() {
            let others = [tv, nas, mac].filter { $0.id != peer.id }
            script.change(
                Double(index) * 100 + 10, .presence, others + [peer.with(\.presence, .unanswered)])
            script.change(Double(index) * 100 + 50, .presence, [tv, nas, mac])
        }
        let report = try await report(script.lines)
        #expect(report.unanswered.shown.map(\.facts.name) == ["nas", "tv"])
        #expect(report.unanswered.shown.map(\.silences) == [3, 2])
    }

    @Test func `services and kinds are counted by their devices`() async throws {
        var script = RecordedScript()
        script.begin(
            0, [tv.with(\.kind, .tv), nas.with(\.kind, .nas), mac, Peer.device("pc")])
        let report = try await report(script.lines)
        #expect(
            report.services.shown.map(\.type) == ["_ssh._tcp", "_googlecast._tcp", "_smb._tcp"])
        #expect(report.services.shown[0].kinds.map(\.count) == [2, 1])
        #expect(report.services.shown[0].kinds.map(\.kind) == [nil, .nas])
        #expect(report.kinds.map(\.kind) == [nil, .nas, .tv])
        #expect(report.kinds[1].types.map(\.type) == ["_smb._tcp", "_ssh._tcp"])
    }

    @Test func `beyond the limits those that matter most are kept`() async throws {
        var script = RecordedScript()
        let peers = (0..<9).map { Peer.device("h\($0)", "_x\($0)._tcp") }
        script.begin(0)
        for count in 1...9 { script.change(Double(count) * 100, Array(peers[..<count])) }
        script.end(4 * 86_400)
        let report = try await report(
            script.lines, limits: .init(devices: 3, hours: 2, types: 4))
        #expect(report.devices.map(\.facts.name) == ["h0", "h1", "h2"])
        #expect(report.deviceCount == 9 && report.arrivals == 9)
        #expect(report.hours.count == 1)
        #expect((report.services.shown.count, report.services.count) == (4, 9))
    }

    @Test func `what a device announces is kept short and without control characters`() async throws
    {
        var script = RecordedScript()
        let types = (0..<200).map { "_x\($0)._tcp" }
        let services = types.map {
            Service(id: UUID(), name: "x", type: $0, domain: "local", port: 1)
        }
        script.begin(
            0,
            HostileText.all.enumerated().map { index, text in
                Peer.device(text, host: "\(index)\(text)").with(\.model, text).with(
                    \.services, services
                )
                .with(\.addresses, [String](repeating: text, count: 9))
            })
        for device in try await report(script.lines).devices {
            let facts = device.facts
            for text in [facts.name, facts.host ?? "", facts.description] + facts.addresses {
                #expect(text.utf8.count <= 1000)
                #expect(
                    text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
                #expect(!text.contains("\u{202e}"))
            }
            #expect(facts.addresses.count == 5 && facts.addresses[4] == "and 5 more")
            #expect(facts.types.count == 64)
        }
    }

    // MARK: Intervals

    /// A failure names its seed, and the seed alone decides the intervals.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `union and difference of intervals are those of sets of seconds`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func intervals() -> [Interval] {
            (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                let start = Int.random(in: 0..<40, using: &generator)
                let length = Int.random(in: 1...8, using: &generator)
                return interval(Double(start), Double(start + length))
            }
        }
        func seconds(_ intervals: [Interval]) -> Set<Int64> {
            Set(
                intervals.flatMap {
                    stride(from: $0.start.microseconds, to: $0.end.microseconds, by: 1_000_000)
                })
        }
        let (left, right) = (intervals(), intervals())
        let union = left.joined(bridging: 0)
        #expect(seconds(union) == seconds(left))
        #expect(zip(union, union.dropFirst()).allSatisfy { $0.end < $1.start })
        let rest = union.subtracting(right)
        #expect(seconds(rest) == seconds(left).subtracting(seconds(right)))
        #expect(zip(rest, rest.dropFirst()).allSatisfy { $0.end <= $1.start })
        let coarse = union.omitting(pauses: 3_000_000)
        #expect(seconds(coarse).isSuperset(of: seconds(union)))
        #expect(coarse.first?.start == union.first?.start && coarse.last?.end == union.last?.end)
        #expect(
            zip(coarse, coarse.dropFirst()).allSatisfy { last, next in
                next.start.microseconds - last.end.microseconds > 3_000_000
            })
    }

    @Test func `a restart within a minute is no absence, and an observed departure is one`() {
        let parts = [interval(0, 10, (true, false)), interval(60, 80, (false, true))]
        #expect(parts.joined(bridging: Report.bridge) == [interval(0, 80)])
        let far = [interval(0, 10, (true, false)), interval(90, 99, (false, true))]
        #expect(far.joined(bridging: Report.bridge) == far)
        let seen = [interval(0, 10), interval(20, 30)]
        #expect(seen.joined(bridging: Report.bridge) == seen)
    }
}
