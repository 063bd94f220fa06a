// Tests of the tables of `--once`.
import Foundation
import PeerListTestSupport
import PeerModel
import PeerText
import TerminalList
import Testing

@testable import PeerRecording
@testable import PeerScreen

@Suite struct ListTableTests {
    private func text(
        _ sections: [ListSection], _ grouping: Grouping = .device, columns: Int? = nil,
        hasHeading: Bool = true
    ) -> String {
        let header = House.header(grouping)
        let style = TableStyle(charset: .unicode, columns: columns, hasHeading: hasHeading)
        return ListTable(header: header, style: style).text(sections)
    }

    @Test func `devices are in one table`() throws {
        try expectCommitted(text(House.devices()), "once.txt")
    }

    @Test func `services are in a table for each type`() throws {
        try expectCommitted(text(House.services(), .type), "once-by-type.txt")
    }

    @Test(arguments: [40, 60])
    func `no line is wider than the terminal`(columns: Int) throws {
        let devices = text(House.devices(), columns: columns)
        let services = text(House.services(), .type, columns: columns)
        for line in (devices + services).split(separator: "\n") {
            #expect(SafeText(String(line)).width <= columns, "\(line)")
        }
        try expectCommitted(devices, "once-\(columns).txt")
    }

    /// The columns of a table that is not on a terminal, in which a device has other texts.
    private func columns(_ edit: (inout Peer) -> Void) throws -> [[String]] {
        var sections = House.devices()
        let index = try #require(sections[0].items.firstIndex { $0.name == "tv" })
        var peer = sections[0].items[index].peer
        edit(&peer)
        sections[0].items[index] = .peer(peer)
        return text(sections).split(separator: "\n").map { line in
            line.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.isEmpty }
        }
    }

    @Test func `in a pipe, long names of a device do not widen the table beyond a limit`() throws {
        let hostile = String(repeating: "\u{1b}[2J", count: 60)
        let rows = try columns { peer in
            (peer.name, peer.host, peer.model) = (hostile, hostile, "m" + hostile)
            peer.addresses = (0..<64).map { "2001:db8:1111:2222:3333:4444:5555:\(1000 + $0)" }
        }
        let longest = rows.map { $0.map { SafeText($0).width }.reduce(0, +) }.max() ?? 0
        #expect(longest < 4 * 72 + 160)
        #expect(
            rows.contains {
                $0[0].hasSuffix("…") && $0[1].hasSuffix("…") && $0[3].hasSuffix(" +60")
            })
        #expect(text(House.devices()).contains("brn30055c.local  "))
    }

    @Test func `in a pipe, the longest honest names and four addresses are whole`() throws {
        let (label, address) = (
            String(repeating: "n", count: 63), "2001:db8:1111:2222:3333:4444:5555"
        )
        let addresses = (0..<4).map { "\(address):\(1000 + $0)" }
        let rows = try columns { peer in
            (peer.name, peer.host, peer.addresses) = (label, label + ".local", addresses)
        }
        let row = try #require(rows.first { $0[0].hasPrefix("nnn") })
        #expect(row[0] == label && row.contains(addresses.joined(separator: " ")))
        #expect(row.contains { $0.hasSuffix("n.local") })
    }

    @Test func `domains other than local are above their devices`() {
        var sections = House.devices()
        sections[0].id = "example.org"
        #expect(text(sections).hasPrefix("example.org\nNAME"))
    }

    @Test func `the table says what devices are`() throws {
        let peers = Scene.household.prefix(20).map { $0.peer(since: House.time(0)) }
        let sections = Array(peers).sections(.device)
        try expectCommitted(text(sections), "once-kinds.txt")
        let narrow = text(sections, columns: 100)
        #expect(narrow.split(separator: "\n").allSatisfy { SafeText(String($0)).width <= 100 })
        try expectCommitted(narrow, "once-kinds-100.txt")
    }

    @Test func `an empty list has no text, not even a heading`() {
        #expect(text([]).isEmpty)
        #expect(text([ListSection(id: "local", items: [])]).isEmpty)
    }

    @Test func `without a heading the rows are the same`() {
        for grouping in Grouping.allCases {
            let sections = grouping == .device ? House.devices() : House.services()
            let rows = text(sections, grouping).split(separator: "\n")
                .filter { !$0.contains("ADDRESSES") }
            let headless = text(sections, grouping, hasHeading: false).split(separator: "\n")
            #expect(headless.count == rows.count)
            #expect(headless.map { $0.prefix(2) } == rows.map { $0.prefix(2) })
        }
    }

    @Test func `the table of a fleet says who sees a device`() {
        var header = House.header(.device)
        header.backend = LineHeader.fleetBackend
        var peer = House.devices().flatMap(\.items)[0].peer
        peer.views = [("a", Presence.present), ("b", .present)].map { name, presence in
            PeerView(
                name: ObserverName(site: "home", observer: name), host: "", presence: presence,
                since: House.time(0))
        }
        let sections = [ListSection(id: "local", items: [.peer(peer)])]
        func lines(_ columns: Int?) -> [Substring] {
            ListTable(header: header, style: TableStyle(charset: .unicode, columns: columns))
                .text(sections, observers: [peer.views[0].name: true, peer.views[1].name: true])
                .split(separator: "\n")
        }
        #expect(lines(nil)[0].contains("  SEEN BY  "))
        #expect(lines(nil)[1].contains("  home/a, home/b  "))
        #expect(lines(30)[1].contains("2/2"))
    }

    @Test func `what cannot be cut is whole or left out, at any width`() {
        var peer = device("nas-with-a-rather-long-name", "device-info", "smb", "http", "ssh")
        peer.addresses = ["192.168.178.100", "fe80::3205:5cff:fe00:a1f7%eth0"]
        var distant = device("distant", "http")
        distant.addresses = ["2001:db8:1111:2222:3333:4444:5555:1000"]
        distant.presence = .unanswered
        let sections = [peer, distant].sections(.device)
        for columns in 30...120 {
            let lines = text(sections, columns: columns).split(separator: "\n").map(String.init)
            for address in ["192.168.178", "2001"] {
                for line in lines where line.contains(address) {
                    #expect(
                        line.contains("192.168.178.100") || line.contains(distant.addresses[0]),
                        "\(columns): \(line)")
                }
            }
            #expect(lines.allSatisfy { SafeText($0).width <= columns })
            #expect(lines.contains { $0.contains("unanswered") }, "\(columns)")
        }
    }
}
