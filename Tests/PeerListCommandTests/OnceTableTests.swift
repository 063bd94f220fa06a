// The table of `--once` is what the committed texts say.
import Foundation
import PeerList
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerListCommand

@Suite struct OnceTableTests {
    private func text(
        _ sections: [ListSection], _ grouping: Grouping = .device, columns: Int? = nil,
        filter: LineHeader.Filter = .init()
    ) -> String {
        var header = House.header(grouping)
        header.filter = filter
        return OnceTable(header: header, charset: .unicode, columns: columns).text(sections)
    }

    @Test func `devices stand in one table`() throws {
        try expectCommitted(text(House.devices()), "once.txt")
    }

    @Test func `services stand in a table for each type`() throws {
        try expectCommitted(text(House.services(), .type), "once-by-type.txt")
    }

    @Test(arguments: [40, 60])
    func `on a terminal no line is wider than it`(columns: Int) throws {
        let devices = text(House.devices(), columns: columns)
        let services = text(House.services(), .type, columns: columns)
        for line in (devices + services).split(separator: "\n") {
            #expect(SafeText(String(line)).width <= columns, "\(line)")
        }
        try expectCommitted(devices, "once-\(columns).txt")
    }

    @Test func `domains that are not the usual one stand above their devices`() {
        var sections = House.devices()
        sections[0].id = "example.org"
        #expect(text(sections).hasPrefix("example.org\nNAME"))
    }

    @Test func `where nobody is there, the table says so and what to try`() throws {
        try expectCommitted(text([]), "once-nobody.txt")
        #expect(text([ListSection(id: "local", items: [])]) == text([]))
    }

    @Test func `where a filter is set, leaving it out is the first advice`() throws {
        let filter = LineHeader.Filter(
            types: ["_ssh._tcp", "_ipp._tcp"], interface: "eth0", family: .ipv6, domain: "local")
        try expectCommitted(text([], filter: filter), "once-nobody-filtered.txt")
    }
}
