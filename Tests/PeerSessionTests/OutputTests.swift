// Tests of texts for people: sentences about changes, advice, and times.
import Foundation
import Glibc
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import PeerSystem
import TerminalText
import Testing

@testable import PeerSession
@testable import PeerText

@Suite struct PlainLinesTests {
    /// All that happens in the house, in words.
    private func text(_ grouping: Grouping, charset: Charset = .unicode) -> String {
        var plain = PlainScript(charset, .over(House.time(4)))
        plain.lines.begin(House.header(grouping), at: House.time(0))
        for step in House.steps(grouping) {
            switch step {
            case .update(let update, _): plain.update(update)
            case .notice(let notice): plain.lines.add(notice)
            }
        }
        return plain.removeAll()
    }

    @Test func `arrivals, changes and departures of devices are sentences`() throws {
        try expectCommitted(text(.device), "plain.txt")
    }

    @Test func `arrivals, changes and departures of services are sentences`() throws {
        try expectCommitted(text(.type), "plain-by-type.txt")
    }

    @Test func `with the ASCII character set all lines are ASCII`() {
        #expect(text(.device, charset: .ascii).utf8.allSatisfy { $0 < 0x7F })
    }

    @Test func `every line starts with its date and time`() {
        for grouping in Grouping.allCases {
            for line in text(grouping).split(separator: "\n") {
                #expect(
                    line.contains(#/^2026-11-21 08:3\d:\d\d [A-Z][a-z ]+: /#), "\(line)")
            }
        }
    }

    @Test func `every line is whole sentences without symbols`() {
        for line in (text(.device) + text(.type)).split(separator: "\n") {
            #expect(line.hasSuffix("."), "\(line)")
            #expect(!line.contains("->") && !line.contains(";  ") && !line.contains("  "))
        }
    }

    @Test func `sentences name what a device is, and what is learned of it`() throws {
        var script = ListScript()
        var plain = PlainScript(.unicode)
        var header = House.header(.device)
        header.filter.kinds = [.mediaPlayer, .tv]
        plain.lines.begin(header, at: House.time(0))
        var tv = try #require(Scene.devices.first { $0.name == "Living Room TV" })
            .peer(since: House.time(1))
        plain.update(script.change(.arrived, at: House.time(1), to: [tv].sections(.device)))
        (tv.kind, tv.name) = (.tv, "Television")
        plain.update(script.change(.changed, at: House.time(3), to: [tv].sections(.device)))
        plain.update(script.change(.departed, at: House.time(4), to: []))
        try expectCommitted(plain.removeAll(), "plain-kinds.txt")
    }

    @Test func `names are not cut`() {
        let family = "👨\u{200d}👩\u{200d}👧"
        var script = ListScript()
        var plain = PlainScript(.unicode)
        let section = ListSection(id: "local", items: [.peer(device(family))])
        plain.update(script.change(.arrived, at: House.time(1), to: [section]))
        #expect(plain.removeAll().contains(" Arrived: \(family) "))
    }

    @Test func `a device with many services is one short line`() throws {
        guard var peer = House.devices().first?.items.first?.peer else {
            Issue.record("the house is empty")
            return
        }
        peer.services = (0..<1000).map {
            Service(id: UUID(), name: "s\($0)", type: "_http._tcp", domain: "local", port: 80)
        }
        var script = ListScript()
        var plain = PlainScript(.unicode)
        let section = ListSection(id: "local", items: [.peer(peer)])
        let arrival = script.change(.arrived, at: House.time(1), to: [section])
        plain.update(arrival)
        #expect(plain.removeAll().utf8.count < 200)
        peer.services = []
        let emptied = ListSection(id: "local", items: [.peer(peer)])
        plain.update(script.change(.changed, at: House.time(5), to: [emptied]))
        let text = plain.removeAll()
        #expect(text.contains("And 992 more changes."))
        #expect(text.utf8.count < 400)
    }
}

/// Sentences about what happens in a list that is changed step by step.
private struct PlainScript {
    var lines: PlainLines
    private var account = Happenings()

    init(_ charset: Charset, _ fill: InitialFill = .none) {
        lines = PlainLines(charset: charset, localTime: utc)
        account.fill = fill
    }

    mutating func update(_ update: PeerListUpdate) {
        add(account.removeDue(at: update.items.time))
        account.apply(update.items)
    }

    /// Returns all lines.
    mutating func removeAll() -> String {
        add(account.removeAll())
        return String(decoding: lines.removeAll(), as: UTF8.self)
    }

    private mutating func add(_ events: [Happening]) {
        for event in events { lines.add(event) }
    }
}

/// A moment in UTC, so that the texts do not depend on where the tests run.
private func utc(_ time: Timestamp) -> LocalTime {
    let parts = time.description.split { $0 == "T" || $0 == "." }
    return LocalTime(day: String(parts[0]), clock: String(parts[1]))
}

@Suite struct DeviceTextTests {
    @Test(
        arguments: [
            (nil, nil, nil, "", ""), (.printer, nil, nil, "printer", "printer"),
            (
                .printer, "Brother", "HL-L2350DW", "printer, Brother HL-L2350DW",
                "Brother HL-L2350DW"
            ),
            (
                .speaker, "Google Inc.", "Google Nest Hub", "speaker, Google Nest Hub",
                "Google Nest Hub"
            ),
            (.printer, "EPSON", "EPSON ET-2850", "printer, EPSON ET-2850", "EPSON ET-2850"),
            (.camera, "Axis Communications AB", "AXIS M1065", "camera, AXIS M1065", "AXIS M1065"),
            (.printer, "Hewlett-Packard", "HP M252dw", "printer, HP M252dw", "HP M252dw"),
            (
                .nas, "QNAP Systems, Inc.", "TS-464C", "NAS, QNAP Systems TS-464C",
                "QNAP Systems TS-464C"
            ),
            (
                .router, "Freebox", "FreeboxServer7,1", "router, FreeboxServer7,1",
                "FreeboxServer7,1"
            ),
            (.computer, "Micro-Star INTL CO., LTD.", nil, "computer, Micro-Star INTL", "computer"),
            (nil, "Espressif Inc.", nil, "Espressif", "Espressif"),
            (
                .speaker, "Bose Corporation", "SoundTouch", "speaker, Bose SoundTouch",
                "Bose SoundTouch"
            ),
        ] as [(DeviceKind?, String?, String?, String, String)])
    func `a device is said by kind, maker and model, each once`(
        kind: DeviceKind?, maker: String?, model: String?, text: String, short: String
    ) {
        var peer = device("thing")
        (peer.kind, peer.maker, peer.model) = (kind, maker, model)
        #expect(peer.deviceText == text)
        #expect(peer.shortDeviceText == short)
    }

    @Test func `what the name says is said again only if the kind is not known`() {
        var peer = device("Brother ADS-1700W")
        (peer.maker, peer.model) = ("Brother", "ADS-1700W")
        #expect(peer.deviceText == "Brother ADS-1700W")
        peer.kind = .scanner
        #expect(peer.deviceText == "scanner")
        #expect(peer.shortDeviceText == "scanner")
        peer.label = "Attic"
        #expect(peer.deviceText == "scanner, Brother ADS-1700W")
        #expect(ListItem.peer(peer).title == "Attic (scanner, Brother ADS-1700W)")
    }
}

@Suite struct NothingFoundTests {
    @Test func `the advice to leave out a filter comes first`() throws {
        let filter = LineHeader.Filter(
            types: ["_ssh._tcp", "_ipp._tcp"], interface: "eth0", family: .ipv6, domain: "local")
        let filtered = NothingFound(filter)
        #expect(filtered.message == "no device offers _ssh._tcp, _ipp._tcp")
        #expect(
            filtered.advice.prefix(4) == [
                "leave out --type to list devices with other services",
                "leave out --interface eth0 to browse on all interfaces",
                "leave out -6 to browse over IPv4 and IPv6",
                "leave out --domain local to browse the default domain",
            ])
        let printers = NothingFound(LineHeader.Filter(kinds: [.printer, .tv]))
        #expect(printers.message == "no printer or TV found")
        #expect(printers.advice.first?.contains("--kind") == true)
        let both = NothingFound(LineHeader.Filter(types: ["_ssh._tcp"], kinds: [.nas]))
        #expect(both.message == "no NAS offers _ssh._tcp")
        let all = NothingFound(LineHeader.Filter())
        #expect(all.message == "no devices found")
        #expect(all.advice.first == "wait longer: --timeout 15")
    }
}

@Suite struct RecordingTimeTests {
    @Test(arguments: [
        ("2026-11-21Z", "2026-11-21T00:00:00.000000Z"),
        ("2026-11-21T08:30Z", "2026-11-21T08:30:00.000000Z"),
        ("2026-11-21 08:30:05.25Z", "2026-11-21T08:30:05.250000Z"),
        ("2026-11-21T08:30+05:30", "2026-11-21T03:00:00.000000Z"),
        ("2026-11-21T08:30-05", "2026-11-21T13:30:00.000000Z"),
        ("08:30Z", "2026-11-20T08:30:00.000000Z"),
        // The recording begins on the 21st where clocks are two hours ahead.
        ("08:30+0200", "2026-11-21T06:30:00.000000Z"),
    ])
    func `an offset is subtracted, and a time of day is on the recording's first day`(
        text: String, expected: String
    ) throws {
        let time = try #require(RecordingTime(text))
        let start = try #require(Timestamp("2026-11-20T23:00:00.000000Z"))
        #expect(time.timestamp(inRecordingFrom: start).description == expected)
    }

    @Test(arguments: [
        "", "noon", "8:30", "08:3", "24:00", "08:60", "08:30:", "08:30.5", "T08:30", "2026-11",
        "2026-02-30", "2026-11-21T", "2026-11-21T8:30", "2026-11-21T08", "2026-11-21+01:00",
        "2026-11-21T08:30+1", "2026-11-21T08:30+24:00", "2026-11-21T08:30+01:60",
        "2026-11-21T08:30ZZ", "2026-11-21T08:30Z+01:00", "08:30:00.1234567", "08:30 Z",
    ])
    func `other texts are refused`(text: String) { #expect(RecordingTime(text) == nil) }
}

@Suite(.timeLimit(.minutes(10))) struct StandardStreamsTests {
    @Test func `all bytes are written to a non-blocking descriptor`() async {
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        // Full before anything is read, so that the next write finds no room.
        var filled = 0
        while unsafe write(writing, "x", 1) == 1 { filled += 1 }
        let (counts, entry) = AsyncStream<Int>.makeStream()
        Thread.detachNewThread {
            var (all, block) = (0, [UInt8](repeating: 0, count: 4096))
            while case let count = unsafe read(reading, &block, block.count), count > 0 {
                all += count
            }
            entry.yield(all)
        }
        let count = 4 << 20
        #expect(writeAll(Array(repeating: 0x61, count: count), to: writing) == nil)
        close(writing)
        #expect(await counts.first { _ in true } == filled + count)
        close(reading)
    }

    @Test func `writing to a closed descriptor returns its error`() {
        #expect(writeAll([0x61], to: -1) == EBADF)
    }
}

@Suite struct FleetOutputTests {
    private func peer(_ views: (String, Presence)...) -> ListItem {
        var peer = House.devices().flatMap(\.items)[0].peer
        peer.views = views.map { name, presence in
            PeerView(
                name: ObserverName(site: "home", observer: name), host: "", presence: presence,
                since: House.time(0))
        }
        return .peer(peer)
    }

    @Test func `changes of observers are sentences`() {
        let change = ItemChanges.Change(
            was: peer(("a", .present), ("b", .present), ("c", .unknown)),
            now: peer(("b", .unanswered), ("c", .unknown), ("d", .present)))
        #expect(
            change.phrases == [
                "not seen any more by observer home/a", "unanswered for observer home/b",
                "seen by observer home/d",
            ])
    }

    @Test func `that an observer is left alone with a device is said`() {
        let change = ItemChanges.Change(
            was: peer(("a", .present), ("b", .present)), now: peer(("b", .present)))
        #expect(
            change.phrases == [
                "not seen any more by observer home/a", "seen by observer home/b alone",
            ])
    }
}
