// The titles of service types in all outputs, and the JSON Schemas of the commands.
@testable import PeerLedger
import Foundation
import PeerModel
import PeerListTestSupport
import PeerRecording
import TerminalList
import Testing

@testable import PeerScreen
@testable import PeerSession
@testable import PeerText

@Suite struct TypeTitleTests {
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

        #expect(TypeCount.all(in: list).map(\.title) == [title])
        let style = TableStyle(charset: .ascii)
        let table = ListTable(header: House.header(.type), style: style)
        #expect(table.text(list).hasPrefix("_ipp._tcp  \(title)\n"))
    }
}

@Suite(.timeLimit(.minutes(10))) struct CommandSchemaTests {
    private var events: String {
        let service = Announcement(name: "Web", type: "_http._tcp", port: 80, txt: [])
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

    private var ledger: DeviceLedger {
        var ledger = DeviceLedger()
        for item in House.devices().flatMap(\.items) {
            ledger.note(item.id, LedgerDevice(item.peer, until: House.time(300)))
        }
        return ledger
    }

    private var devices: String { ledger.lines }

    @Test func `the table of devices cuts no time and no identifier`() throws {
        let id = try #require(House.devices()[0].items.first).id.uuidString.lowercased()
        let wide = ledger.table(TableStyle(charset: .ascii, columns: 120))
        #expect(wide.contains(id))
        let narrow = ledger.table(TableStyle(charset: .ascii, columns: 80))
        #expect(narrow.contains("  \(id.prefix(8))\n"))
        #expect(narrow.contains("2026-11-21 08:30"))
        #expect(narrow.contains("anna "))
        #expect(!narrow.contains(".."))
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
