// The output of announce and types, and the JSON Schemas of the commands.
import Foundation
import PeerList
import PeerListTestSupport
import PeerRecording
import TerminalList
import Testing

@testable import PeerListCommand
@testable import PeerScreen
@testable import PeerSession
@testable import PeerText

@Suite struct AnnouncementEventTests {
    private let service: AnnounceOptions = {
        var options = AnnounceOptions()
        (options.name, options.type, options.port) = ("W\u{1b}eb", "_http._tcp", 80)
        return options
    }()

    @Test func `a sentence escapes control characters and mentions a changed name`() {
        #expect(
            AnnouncementEvent.announced(name: "W\u{1b}eb").sentence(of: service)
                == "'W\\u{1b}eb' is announced: _http._tcp, port 80. Ctrl-C withdraws it.")
        #expect(
            AnnouncementEvent.announced(name: "Other").sentence(of: service)
                .hasPrefix("'Other' is announced instead of 'W\\u{1b}eb': "))
    }

    @Test func `a line is one JSON object with the announced and the requested name`() {
        let line = AnnouncementEvent.announced(name: "Web #2").json(
            of: service, at: Timestamp("2026-11-21T08:30:00.000000Z") ?? .now())
        #expect(
            line == """
                {"type":"announced","time":"2026-11-21T08:30:00.000000Z","name":"Web #2",\
                "wanted":"W\\u001beb","service":"_http._tcp","port":80}

                """)
    }

    @Test func `only discovery events about the service become announcement events`() {
        #expect(AnnouncementEvent(.announced(name: "a")) == .announced(name: "a"))
        #expect(AnnouncementEvent(.lost(reason: "")) == .interrupted)
        #expect(AnnouncementEvent(.notice(.nameConflict, "x")) == .message(.renamed, "x"))
        #expect(AnnouncementEvent(.notice(.hostNameConflict, "x")) == .message(.notice, "x"))
        #expect(AnnouncementEvent(.notice(.announceFailed, "x")) == .message(.failed, "x"))
        #expect(AnnouncementEvent(.notice(.serviceLimit, "x")) == nil)
        #expect(AnnouncementEvent(.settled) == nil)
    }
}

@Suite struct TypesTests {
    private func listing(
        _ name: String, _ type: String, on host: String?
    ) -> ListItem {
        let service = Service(id: UUID(), name: name, type: type, domain: "local")
        guard let host else {
            return .service(
                service,
                of: Peer(
                    unresolved: service, presence: .present, firstSeen: .now(), lastSeen: .now()))
        }
        return .service(
            service,
            of: Peer(
                id: Identity.uuid(forName: host), name: host, host: host, presence: .present,
                identity: Identity(source: .hostName, value: host), firstSeen: .now(),
                lastSeen: .now()))
    }

    private var sections: [ListSection] {
        [
            ListSection(id: "_http._tcp", items: [listing("a", "_http._tcp", on: "h1.local")]),
            ListSection(
                id: "_x-own._udp",
                items: [
                    listing("b", "_x-own._udp", on: "h1.local"),
                    listing("c", "_x-own._udp", on: "h1.local"),
                    listing("d", "_x-own._udp", on: nil),
                ]),
            ListSection(id: "_gone._tcp", items: []),
        ]
    }

    @Test func `types are sorted by their number of services`() {
        let counts = TypeCount.all(in: sections)
        #expect(
            TypeCount.table(counts, TableStyle(charset: .ascii)) == """
                TYPE         NAME      SERVICES  DEVICES
                _x-own._udp  -                3        2
                _http._tcp   Web site         1        1

                """)
        #expect(
            TypeCount.json(counts) == """
                {"type":"_x-own._udp","title":null,"services":3,"devices":2}
                {"type":"_http._tcp","title":"Web site","services":1,"devices":1}

                """)
    }

    @Test func `the list, the type filter, 'types' and '--once' show the same title`() throws {
        let title = try #require(KnownServiceType.of("_ipp._tcp")).title
        let peer = device("p", "ipp")
        var (script, seen) = (ListScript(), DeviceIndex())
        let item = ListItem.service(peer.services[0], of: peer)
        let list = [ListSection(id: item.section, items: [item])]
        seen.apply(script.change(.changed, reason: .removed, at: House.time(1), to: list).items)
        let rows = RowList(&seen, RowChoices(grouping: .type))
        #expect(rows.header(of: "_ipp._tcp") == "\(title)  _ipp._tcp")
        #expect(seen.typeEntries(hidden: []).map(\.label) == [title])

        let sections = [ListSection(id: "_ipp._tcp", items: [listing("a", "_ipp._tcp", on: nil)])]
        #expect(TypeCount.all(in: sections).map(\.title) == [title])
        let style = TableStyle(charset: .ascii)
        let table = OnceTable(header: House.header(.type), style: style)
        #expect(table.text(sections).hasPrefix("_ipp._tcp  \(title)\n"))
    }

    @Test func `without services there is no output`() {
        #expect(TypeCount.table([], TableStyle(charset: .ascii)).isEmpty)
        #expect(TypeCount.json([]).isEmpty)
    }
}

@Suite(.timeLimit(.minutes(10))) struct CommandSchemaTests {
    private var events: String {
        let service = AnnounceOptions(name: "Web", type: "_http._tcp", port: 80)
        let all: [AnnouncementEvent] = [
            .announced(name: "Web #2"), .message(.renamed, "'Web' is taken"), .interrupted,
            .message(.failed, "no"), .withdrawn, .left,
        ]
        return all.map { $0.json(of: service, at: .now()) }.joined()
    }

    private let counts = TypeCount.json([
        TypeCount(type: "_http._tcp", title: "Web site", services: 2, devices: 1),
        TypeCount(type: "_x-own._udp", title: nil, services: 1, devices: 1),
    ])

    @Test func `events of announce conform to the schema`() throws {
        let (isGood, text) = try schemaVerdict(events, of: "announce")
        #expect(isGood, "\(text)")
    }

    @Test func `lines of types conform to the schema`() throws {
        let (isGood, text) = try schemaVerdict(counts, of: "types")
        #expect(isGood, "\(text)")
    }

    private var devices: String {
        var ledger = DeviceLedger()
        for item in House.devices().flatMap(\.items) {
            ledger.note(item.id, LedgerDevice(item.peer, until: House.time(300)))
        }
        return ledger.lines
    }

    @Test func `lines of devices conform to the schema`() throws {
        let (isGood, text) = try schemaVerdict(devices, of: "devices")
        #expect(isGood, "\(text)")
    }

    /// The schemas must reject these lines.
    @Test(arguments: [
        ("announce", #""port":80"#, #""port":0"#), ("announce", #""wanted":"#, #""asked":"#),
        ("announce", #""withdrawn""#, #""gone""#), ("announce", #""message":"no""#, #""why":"no""#),
        ("types", #""services":2"#, #""services":0"#), ("types", #""title":null,"#, ""),
        ("devices", #""label":null,"#, ""), ("devices", #""names":["tv"]"#, #""names":"tv""#),
    ])
    func `a line with a fault is rejected`(kind: String, was: String, now: String) throws {
        let lines = ["announce": events, "types": counts, "devices": devices][kind] ?? ""
        #expect(lines.contains(was))
        #expect(try !schemaVerdict(lines.replacing(was, with: now), of: kind).isGood)
    }
}
