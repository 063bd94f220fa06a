// The counts of service types, as a table and as lines of JSON.
import FoundationEssentials
import PeerModel
import PeerRecording
import TerminalText
import Testing

@testable import PeerText

@Suite struct TypeCountTests {
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

    @Test func `without services there is no output`() {
        #expect(TypeCount.table([], TableStyle(charset: .ascii)).isEmpty)
        #expect(TypeCount.json([]).isEmpty)
    }
}
