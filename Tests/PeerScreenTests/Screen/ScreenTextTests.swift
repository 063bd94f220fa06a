// Tests of the texts of cells and of the lines above the list.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import PeerRecording
import PeerText
import TerminalList
import Testing

@testable import PeerScreen

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

    private func content(_ peer: Peer) -> RowContent {
        var script = ListScript()
        let content = RowContent(charset: .unicode)
        content.clock = Timestamp(microseconds: 0)
        let update = script.change(
            .arrived, reason: .removed, at: peer.firstSeen,
            to: [ListSection(id: "local", items: [.peer(peer)])])
        content.apply(update.items, isSeek: false)
        content.refresh()
        return content
    }

    @Test func `a device's cell has a field for every column`() {
        var peer = peer(.present)
        (peer.kind, peer.model, peer.maker) = (.tv, "OLED55B9PUA", "LG")
        let content = content(peer)
        let row = content.cell(.device(peer.id))
        #expect(row.fields.count == content.columns.count)
        #expect(
            row.fields.map(\.text).prefix(7) == [
                "h1", "▭", "TV, LG OLED55B9PUA", "http", "", "10.0.0.1 fd00::1", "h1.local",
            ])
        #expect(row.fields[5].shortText == "10.0.0.1 +1")
        #expect(row.fields[2].shortText == "LG OLED55B9PUA")
    }

    @Test func `this machine is marked in its name`() {
        var own = peer(.present)
        own.isSelf = true
        #expect(content(own).cell(.device(own.id)).fields.first?.text == "h1 (this machine)")
    }

    @Test(arguments: [Presence.resolving, .unanswered, .unknown])
    func `presence is shown in words, not only by colour`(presence: Presence) {
        let peer = peer(presence)
        let row = content(peer).cell(.device(peer.id))
        #expect(row.fields.last?.text == presence.rawValue)
    }

    @Test func `services are listed by type with counts`() {
        let types = ["_http._tcp", "_ipp._tcp", "_ipp._tcp", "_ssh._tcp"]
        let services = peer(.present, types: types).services
        #expect(services.typeSummary(.unicode) == "http ipp ×2 ssh")
        #expect(services.typeSummary(.ascii) == "http ipp x2 ssh")
    }

    @Test func `the counts depend on the grouping`() {
        var header = ScreenHeader()
        header.run = lineHeader(.device)
        var counts = RowList.Counts()
        counts.all = .init(devices: 1, services: 7)
        counts.shown = .init(devices: 1, services: 7)
        var choices = RowChoices()
        #expect(header.lines(counts, choices, .unicode).status == "1 peer, 7 services")
        counts.shown = .init(devices: 0, services: 2)
        choices.hiddenTypes = ["_http._tcp"]
        #expect(
            header.lines(counts, choices, .unicode).status
                == "0 of 1 peer, 2 of 7 services, 1 type off")
        choices.grouping = .type
        #expect(header.lines(counts, choices, .unicode).status == "2 of 7 services, 1 type off")
    }

    private func title(of header: ScreenHeader) -> String {
        header.lines(RowList.Counts(), RowChoices(), .unicode).title
    }

    @Test func `the title contains the interface and the filter`() {
        var header = ScreenHeader()
        header.run = lineHeader(
            .device,
            LineHeader.Filter(types: ["_ssh._tcp"], interface: "eth0", family: .ipv6))
        #expect(title(of: header) == "peerlist  eth0  IPv6  only _ssh._tcp")
        header.network = "eth0 10.0.0.2"
        #expect(title(of: header) == "peerlist  eth0 10.0.0.2  IPv6  only _ssh._tcp")
        header.run = lineHeader(.device)
        #expect(title(of: header) == "peerlist  eth0 10.0.0.2")
        header.network = ""
        #expect(title(of: header) == "peerlist")
        header.run = lineHeader(.device, LineHeader.Filter(kinds: [.printer, .nas]))
        #expect(title(of: header) == "peerlist  only kind printer, NAS")
    }

    @Test func `the title of a recorded list has a badge`() {
        var header = ScreenHeader()
        #expect(header.lines(RowList.Counts(), RowChoices(), .unicode).badge == nil)
        header.isRecording = true
        #expect(header.lines(RowList.Counts(), RowChoices(), .unicode).badge?.text == "● rec")
        #expect(header.lines(RowList.Counts(), RowChoices(), .ascii).badge?.text == "* rec")
    }

    @Test func `a search that finds nothing says at first that the list is still looking`() {
        let header = ScreenHeader()
        var (counts, choices) = (RowList.Counts(), RowChoices())
        (counts.hiddenBySearch, choices.search) = (3, "epson")
        func first(after seconds: Int) -> String? {
            header.emptyMessage(counts, choices, waited: .seconds(seconds)).first
        }
        #expect(first(after: 1) == "Still looking: nothing matches \"epson\" yet.")
        #expect(first(after: 5) == "Nothing matches \"epson\".")
    }

    @Test func `the message of an empty list contains interface, time and advice`() {
        var header = ScreenHeader()
        header.run = lineHeader(.device)
        header.network = "eth0 10.0.0.2"
        func message(_ seconds: Int) -> String {
            header.emptyMessage(RowList.Counts(), RowChoices(), waited: .seconds(seconds))
                .joined(separator: "\n")
        }
        #expect(message(3).contains("Listening on eth0 10.0.0.2 for 3 s."))
        #expect(!message(9).contains("peerlist doctor"))
        #expect(message(10).contains("peerlist doctor"))
        header.network = ""
        #expect(message(0).contains("no usable interface"))
    }

    @Test func `an empty list of a fleet says in a sentence that the broker is away`() {
        var header = ScreenHeader()
        header.run = lineHeader(.device)
        header.run?.backend = LineHeader.fleetBackend
        let reason = "the broker is away: connection refused"
        header.note(Notice(.brokerLost, reason, time: Timestamp(microseconds: 0)))
        #expect(
            header.emptyMessage(RowList.Counts(), RowChoices(), waited: .zero)
                == ["The broker is away: connection refused.", "It is tried again and again."])
    }

    @Test func `the title names the embedded stack`() {
        var header = ScreenHeader()
        header.run = lineHeader(.device)
        #expect(title(of: header) == "peerlist")
        header.run?.backend = Backend.embedded.rawValue
        #expect(title(of: header) == "peerlist  own mDNS stack")
        header.note(Notice(.backendLost, "gone", time: Timestamp(microseconds: 0)))
        #expect(
            header.emptyMessage(RowList.Counts(), RowChoices(), waited: .zero)
                == ["Waiting for the embedded stack."])
    }

    @Test func `a warning is shown until it is resolved, the newest of several`() {
        var header = ScreenHeader()
        let time = Timestamp(microseconds: 0)
        header.note(Notice(.objectLimit, "too many", time: time))
        header.note(Notice(.backendLost, "gone", time: time))
        #expect(
            header.lines(RowList.Counts(), RowChoices(), .unicode).warning
                == "gone (and 1 more notice)")
        #expect(
            header.emptyMessage(RowList.Counts(), RowChoices(), waited: .zero) == [
                "Waiting for avahi-daemon."
            ])

        header.note(Notice(.backendBack, "back", time: time))
        #expect(header.lines(RowList.Counts(), RowChoices(), .unicode).warning == "too many")
    }

    @Test func `an interface that is down is named, with the time, until it is back`() {
        var header = ScreenHeader()
        var warning: String? { header.lines(RowList.Counts(), RowChoices(), .unicode).warning }
        for interface in ["eth0", "eth1"] {
            header.note(
                Notice(
                    .linkLost, "\(interface) is down: it is unknown", interface: interface,
                    time: House.time(0)))
        }
        #expect(warning == "eth1 is down since 08:30; the list is as it was (and 1 more notice)")
        header.note(Notice(.linkBack, "back", interface: "eth1", time: House.time(4)))
        #expect(warning == "eth0 is down since 08:30; the list is as it was")
        header.note(Notice(.linkExpired, "left", interface: "eth0", time: House.time(300)))
        #expect(warning == nil)
    }

    @Test func `the warning about an unconfined helper ends when the daemon is back`() {
        var header = ScreenHeader()
        let time = Timestamp(microseconds: 0)
        header.note(Notice(.notConfined, "as root", time: time))
        header.note(Notice(.backendBack, "back", backend: .embedded, time: time))
        #expect(header.lines(RowList.Counts(), RowChoices(), .unicode).warning == "as root")
        header.note(Notice(.backendBack, "back", backend: .daemon, time: time))
        #expect(header.lines(RowList.Counts(), RowChoices(), .unicode).warning == nil)
    }

    private func lineHeader(
        _ grouping: Grouping, _ filter: LineHeader.Filter = LineHeader.Filter()
    ) -> LineHeader {
        LineHeader(
            run: UUID(), observerHost: "me.local", observerID: UUID(), backend: "daemon",
            grouping: grouping, filter: filter)
    }
}
