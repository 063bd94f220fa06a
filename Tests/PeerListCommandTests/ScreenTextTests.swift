// What the rows and the lines above the list say.
import FoundationEssentials
import PeerList
import TerminalList
import Testing

@testable import PeerListCommand

@Suite struct ScreenTextTests {
    private func peer(_ presence: Presence, types: [String] = ["_http._tcp"]) -> Peer {
        Peer(
            id: UUID(), name: "h1", host: "h1.local", presence: presence,
            identity: Identity(source: .hostName, value: "h1.local"),
            addresses: ["10.0.0.1", "fd00::1"],
            services: types.map { type in
                Service(id: UUID(), name: "x", type: type, domain: "local", port: 1)
            },
            firstSeen: Timestamp(microseconds: 0), lastSeen: Timestamp(microseconds: 0))
    }

    @Test func `a device's row has a text for every column`() {
        let cells = PeerCells(grouping: .device)
        let row = cells.cell(.peer(peer(.present)))
        #expect(row.fields.count == cells.columns.count)
        #expect(
            row.fields.map(\.text).dropLast() == ["h1", "h1.local", "http", "10.0.0.1 fd00::1"])
    }

    @Test func `this machine is named as such`() {
        var own = peer(.present)
        own.isSelf = true
        #expect(
            PeerCells(grouping: .device).cell(.peer(own)).fields.first?.text
                == "h1 (this machine)")
    }

    @Test(arguments: [Presence.resolving, .unanswered, .unknown])
    func `doubt about a peer is said in a word, not by colour alone`(presence: Presence) {
        let row = PeerCells(grouping: .device).cell(.peer(peer(presence)))
        #expect(row.fields.last?.text == presence.rawValue)
    }

    @Test func `services are told by type, each once with its count`() {
        let types = ["_http._tcp", "_ipp._tcp", "_ipp._tcp", "_ssh._tcp"]
        #expect(peer(.present, types: types).services.inShort == "http ipp ×2 ssh")
    }

    @Test func `counts are told in the words of the grouping`() {
        var header = ScreenHeader()
        header.run = lineHeader(.device)
        #expect(header.lines(rows: 1, services: 7).status == "1 peer, 7 services")
        header.run = lineHeader(.type)
        #expect(header.lines(rows: 2, services: nil).status == "2 services")
    }

    @Test func `the title says where we look and for what`() {
        var header = ScreenHeader()
        header.run = lineHeader(
            .device,
            LineHeader.Filter(types: ["_ssh._tcp"], interface: "eth0", family: .ipv6))
        #expect(header.lines(rows: 0, services: 0).title == "peerlist  eth0 IPv6 _ssh._tcp")
    }

    @Test func `a warning stays until it is over, and the newest of several is shown`() {
        var header = ScreenHeader()
        let time = Timestamp(microseconds: 0)
        header.note(Notice(.objectLimit, "too many", time: time))
        header.note(Notice(.backendLost, "gone", time: time))
        #expect(header.lines(rows: 0, services: 0).warning == "gone (and 1 more notice)")
        #expect(header.emptyMessage == ["Waiting for avahi-daemon."])

        header.note(Notice(.backendBack, "back", time: time))
        #expect(header.lines(rows: 0, services: 0).warning == "too many")
    }

    private func lineHeader(
        _ grouping: Grouping, _ filter: LineHeader.Filter = LineHeader.Filter()
    ) -> LineHeader {
        LineHeader(
            run: UUID(), observerHost: "me.local", observerID: UUID(), backend: "daemon",
            grouping: grouping, filter: filter)
    }
}
