// Compares the tables of `--once` with committed texts.
import Foundation
import PeerList
import PeerListTestSupport
import PeerRecording
import TerminalList
import Testing

@testable import PeerListCommand

@Suite struct OnceTableTests {
    private func text(
        _ sections: [ListSection], _ grouping: Grouping = .device, columns: Int? = nil,
        hasHeading: Bool = true
    ) -> String {
        let header = House.header(grouping)
        let style = TableStyle(charset: .unicode, columns: columns, hasHeading: hasHeading)
        return OnceTable(header: header, style: style).text(sections)
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

    @Test func `domains other than local are above their devices`() {
        var sections = House.devices()
        sections[0].id = "example.org"
        #expect(text(sections).hasPrefix("example.org\nNAME"))
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
        let all = NothingFound(LineHeader.Filter())
        #expect(all.message == "no devices found")
        #expect(all.advice.first == "wait longer: --timeout 15")
    }
}
