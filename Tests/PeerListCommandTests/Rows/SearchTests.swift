// Tests the rows of a search.
import DiffCore
import FoundationEssentials
import PeerList
import Testing

@testable import PeerListCommand

@Suite struct SearchTests {
    private let nas = device("nas", "http:Files", "smb:Files", address: "10.0.0.4")
    private let printer = device(
        "brn3005", "ipp:Büro Drucker", "http:Admin", address: "10.0.0.20",
        txt: ["ty=Laser JET", "mac=\u{1}", "duplex"])
    private let tv = device("tv", "googlecast:客厅", address: "fe80::1%eth0")

    private func text(_ search: String, _ change: (inout RowChoices) -> Void = { _ in }) -> [String]
    {
        var network = Network(.device, [nas, printer, tv])
        var choices = RowChoices()
        choices.search = search
        change(&choices)
        return network.text(choices)
    }

    @Test(arguments: ["BUERO", "drucker", "buro", "internet print", "_ipp"])
    func `a device with a matching service is expanded to show it`(search: String) {
        #expect(
            text(search)
                == (search == "BUERO" ? [] : ["v brn3005", "    ipp \"Büro Drucker\""]))
    }

    @Test(arguments: ["brn", "BRN3005.local", "10.0.0.20"])
    func `a device that matches itself keeps its expansion`(search: String) {
        #expect(text(search) == ["> brn3005"])
        #expect(text(search) { $0.expansion.setAll(isExpanded: true) }.count == 3)
    }

    @Test(arguments: ["laser jet", "ty=laser", "duplex", "mac="])
    func `keys and values of TXT records are searched`(search: String) {
        #expect(
            text(search) == ["v brn3005", "    ipp \"Büro Drucker\"", "    http \"Admin\""])
    }

    /// The words may be in the device itself and in a service of it, in any order.
    @Test(arguments: ["brn laser", "LASER brn", "jet  duplex ", "10.0.0.20 drucker"])
    func `a search of several words finds rows with all of them`(search: String) {
        let services = ["    ipp \"Büro Drucker\"", "    http \"Admin\""]
        #expect(
            text(search) == ["v brn3005"] + (search.contains("drucker") ? [services[0]] : services))
    }

    @Test func `words in different services are found in their device`() {
        #expect(
            text("drucker admin")
                == ["v brn3005", "    ipp \"Büro Drucker\"", "    http \"Admin\""])
        #expect(text("drucker files").isEmpty, "no device has both")
        #expect(text("brn nothing").isEmpty)
        #expect(text("brn 10.0.0.20") == ["> brn3005"])
    }

    @Test func `every word is marked`() {
        let text = "Laser JET laser"
        let ranges = FoldedText(text).ranges(of: SearchNeedle("jet LASER"))
        #expect(ranges.map { String(text[$0]) } == ["Laser", "JET", "laser"])
    }

    @Test func `services of hidden types are not found`() {
        #expect(text("drucker") { $0.hiddenTypes = ["_ipp._tcp"] }.isEmpty)
        #expect(text("laser") { $0.hiddenTypes = ["_ipp._tcp"] }.count == 2)
    }

    @Test func `by type, a service is found by its device too`() {
        let rows = text("10.0.0.4") { $0.grouping = .type }
        #expect(
            rows == [
                "# Web site  _http._tcp", "http \"Files\"",
                "# Windows file sharing  _smb._tcp", "smb \"Files\"",
            ])
    }

    @Test func `hidden rows are counted`() {
        var network = Network(.device, [nas, printer, tv])
        var choices = RowChoices()
        choices.search = "files"
        let counts = network.rows(choices).counts
        #expect(counts.hiddenBySearch == 2)
        #expect(counts.shown == .init(devices: 1, services: 2))
        #expect(counts.all == .init(devices: 3, services: 5))
    }

    @Test func `the next and previous match skip rows that do not match themselves`() {
        var network = Network(.device, [nas, printer, tv])
        var choices = RowChoices()
        choices.search = "http"
        let rows = network.rows(choices)
        let files = RowID.service(nas.services[0].id, of: nas.id)
        let admin = RowID.service(printer.services[1].id, of: printer.id)
        #expect(
            rows.snapshot.itemIdentifiers == [.device(printer.id), admin, .device(nas.id), files])
        #expect(rows.match(after: nil) == admin)
        #expect(rows.match(after: .device(printer.id)) == admin)
        #expect(rows.match(after: admin) == files)
        #expect(rows.match(after: files) == admin)
        #expect(rows.match(after: admin, backwards: true) == files)
        #expect(rows.match(after: .device(nas.id), backwards: true) == admin)
        #expect(network.rows().match(after: nil) == nil)
    }

    @Test func `after a search the selection is the same row or its device`() {
        var network = Network(.device, [nas, printer, tv])
        let admin = RowID.service(printer.services[1].id, of: printer.id)
        var choices = RowChoices()
        #expect(network.rows().nearest(to: admin, network.seen) == .device(printer.id))

        choices.expansion.set(printer.id, isExpanded: true)
        #expect(network.rows(choices).nearest(to: admin, network.seen) == admin)

        choices.grouping = .type
        let byType = network.rows(choices)
        let listing = RowID.listing(printer.services[1].id)
        #expect(byType.nearest(to: admin, network.seen) == listing)
        #expect(
            byType.nearest(to: .device(printer.id), network.seen)
                == .listing(printer.services[0].id))
        #expect(network.rows().nearest(to: listing, network.seen) == .device(printer.id))

        network.change { $0[printer.id] = nil }
        #expect(network.rows().nearest(to: admin, network.seen) == nil)
    }

    @Test func `departed rows are searched like the others`() {
        var network = Network(.device, [nas])
        let gone = [tv, printer].map {
            DepartedItem(
                .peer($0), at: Timestamp(microseconds: 0), .removed)
        }
        var choices = RowChoices()
        choices.showsDeparted = true
        #expect(
            network.text(choices, departed: gone)
                == ["> nas", "# Departed", "  tv (tv.local)", "  brn3005 (brn3005.local)"])
        choices.search = "客"
        #expect(network.text(choices, departed: gone) == ["# Departed", "  tv (tv.local)"])
        choices.hiddenTypes = ["_googlecast._tcp"]
        #expect(network.text(choices, departed: gone).isEmpty)
        choices = RowChoices()
        #expect(network.text(choices, departed: gone) == ["> nas"])
    }
}
