// Tests of the rows of the screen under the user's choices, and of the checklist of service types.
import DiffCore
import FoundationEssentials
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerText
import TerminalList
import Testing

@testable import PeerScreen

@Suite struct RowListTests {
    private let nas = device("nas", "http:Files", "smb:Files", address: "10.0.0.4", arrived: 3)
    private let printer = device(
        "Printer 10", "http:Office", "ipp:Office", address: "10.0.0.20", arrived: 1,
        txt: ["ty=Laser", "note=2. Stock"])
    private let other = device("printer 2", "ipp:Attic", address: "fd00::1", arrived: 2)

    private func network(_ grouping: Grouping = .device) -> Network {
        Network(grouping, [nas, printer, other])
    }

    private func choices(_ change: (inout RowChoices) -> Void) -> RowChoices {
        var choices = RowChoices()
        change(&choices)
        return choices
    }

    private let all = { (choices: inout RowChoices) in
        choices.expansion.setAll(isExpanded: true)
    }

    @Test(arguments: Grouping.allCases)
    func `devices are initially collapsed and in natural order`(grouping: Grouping) {
        var network = network(grouping)
        #expect(network.text() == ["> nas", "> printer 2", "> Printer 10"])
    }

    @Test(arguments: Grouping.allCases)
    func `an expanded device shows its services at any position`(grouping: Grouping) {
        var network = network(grouping)
        var choices = RowChoices()
        choices.expansion.set(nas.id, isExpanded: true)
        #expect(
            network.text(choices) == [
                "v nas", "    http \"Files\"", "    smb \"Files\"", "> printer 2", "> Printer 10",
            ])
        choices.isDescending = true
        #expect(
            network.text(choices) == [
                "> Printer 10", "> printer 2", "v nas", "    http \"Files\"",
                "    smb \"Files\"",
            ])
    }

    @Test func `expansion is remembered while a device is not in the list`() {
        var network = network()
        let choices = choices { $0.expansion.set(nas.id, isExpanded: true) }
        network.change(.departed) { $0[nas.id] = nil }
        #expect(network.text(choices) == ["> printer 2", "> Printer 10"])
        network.change(.arrived) { $0[nas.id] = nas }
        #expect(network.text(choices).first == "v nas")
    }

    @Test func `after expanding all, one device can be collapsed, and new ones are expanded`() {
        var network = network()
        let choices = choices {
            $0.expansion.setAll(isExpanded: true)
            $0.expansion.set(printer.id, isExpanded: false)
        }
        network.change(.arrived) { $0[House.time(9).id] = device("zoo", "ssh") }
        #expect(
            network.text(choices).filter { !$0.hasPrefix(" ") } == [
                "v nas", "v printer 2", "> Printer 10", "v zoo",
            ])
    }

    @Test(arguments: Grouping.allCases)
    func `by type, services are below the titles of their types`(grouping: Grouping) {
        var network = network(grouping)
        #expect(
            network.text(choices { $0.grouping = .type }) == [
                "# Internet printing  _ipp._tcp", "ipp \"Attic\"", "ipp \"Office\"",
                "# Web site  _http._tcp", "http \"Files\"", "http \"Office\"",
                "# Windows file sharing  _smb._tcp", "smb \"Files\"",
            ])
    }

    @Test(arguments: Grouping.allCases)
    func `rows are sorted in the chosen order and its reverse`(grouping: Grouping) {
        var network = network(grouping)
        network.change { peers in
            peers[House.time(9).id] = device("bare", arrived: 9)
            peers[nas.id]?.kind = .computer
            for id in [printer.id, other.id] { peers[id]?.kind = .printer }
        }
        let expected: [RowSort: [String]] = [
            .name: ["nas", "printer 2", "Printer 10"],
            .address: ["nas", "Printer 10", "printer 2"],
            .arrival: ["Printer 10", "printer 2", "nas"],
            .type: ["nas", "Printer 10", "printer 2"],
            .kind: ["nas", "printer 2", "Printer 10"],
        ]
        for sort in RowSort.allCases {
            for isDescending in [false, true] {
                let rows = network.text(
                    choices {
                        $0.sort = sort
                        $0.isDescending = isDescending
                    }
                ).map { String($0.dropFirst(2)) }.filter { $0 != "bare" }
                let wanted = expected[sort] ?? []
                #expect(rows == (isDescending ? wanted.reversed() : wanted), "\(sort)")
            }
        }
    }

    @Test(arguments: Grouping.allCases)
    func `a hidden type hides its services, and devices without other services`(
        grouping: Grouping
    ) {
        var network = network(grouping)
        let choices = choices {
            all(&$0)
            $0.hiddenTypes = ["_ipp._tcp"]
        }
        #expect(
            network.text(choices) == [
                "v nas", "    http \"Files\"", "    smb \"Files\"", "v Printer 10",
                "    http \"Office\"",
            ])
        let counts = network.rows(choices).counts
        #expect(counts.shown == .init(devices: 2, services: 3))
        #expect(counts.all == .init(devices: 3, services: 5))
        #expect(counts.servicesHiddenByType == 2)

        network.change(.departed) { $0[other.id] = nil }
        network.change(.arrived) { $0[other.id] = other }
        #expect(network.rows(choices).counts == counts, "it stays off when its device is back")
    }

    @Test(arguments: Grouping.allCases)
    func `after any changes the rows equal those of a new index`(grouping: Grouping) {
        var network = network(grouping)
        var second = printer
        second.services[1].name = "Moved"
        second.addresses = ["10.0.0.3"]
        let steps: [(inout [UUID: Peer]) -> Void] = [
            { $0[printer.id] = second }, { $0[nas.id] = nil },
            { $0[nas.id]?.presence = .unanswered }, { $0[nas.id] = nas },
            { $0 = [:] }, { $0 = [printer.id: printer] },
        ]
        for step in steps {
            for sort in RowSort.allCases {
                _ = network.rows(choices { $0.sort = sort })
                var now: [Peer] = []
                network.change {
                    step(&$0)
                    now = Array($0.values)
                }
                var fresh = Network(grouping, now)
                for rows in Grouping.allCases {
                    let choices = choices {
                        all(&$0)
                        $0.grouping = rows
                        $0.sort = sort
                    }
                    #expect(
                        network.rows(choices).snapshot.itemIdentifiers
                            == fresh.rows(choices).snapshot.itemIdentifiers)
                }
                #expect(network.seen.typeCounts == fresh.seen.typeCounts)
                #expect(network.seen.serviceCount == fresh.seen.serviceCount)
            }
        }
    }

    @Test func `a changed device reconfigures its shown rows once`() {
        var network = network()
        let source = DiffableDataSource<String, RowID>()
        func reconfigured(_ choices: RowChoices = RowChoices()) -> [RowID] {
            let rows = network.rows(choices)
            return source.apply(rows.snapshot, content: network.seen.device(of:)).reconfiguredItems
                .map(\.item)
        }
        #expect(reconfigured().isEmpty)
        network.change { $0[nas.id]?.presence = .unanswered }
        #expect(reconfigured() == [.device(nas.id)])
        #expect(reconfigured(choices(all)).isEmpty)
        network.change { $0[nas.id]?.presence = .unknown }
        #expect(reconfigured(choices(all)).count == 1 + nas.services.count)
        network.change { $0[nas.id] = nil }
        #expect(reconfigured().isEmpty)
    }

    @Test func `a service of two devices is a row below each, and one row by type`() {
        var copy = other
        copy.services = printer.services
        var network = Network(.device, [nas, printer, copy])
        #expect(network.rows(choices(all)).snapshot.numberOfItems == 9)
        let byType = choices { $0.grouping = .type }
        #expect(network.rows(byType).counts.shown.services == 4)
        for gone in [printer.id, other.id] {
            network.change { $0[gone] = nil }
            #expect(network.rows(byType).counts.shown.services == (gone == printer.id ? 4 : 2))
        }
    }

    @Test func `a domain with the name of the section of departed rows is another section`() {
        var odd = nas
        for place in odd.services.indices { odd.services[place].domain = " departed" }
        var network = Network(.device, [odd])
        let gone = DepartedItem(
            .peer(other), at: House.time(1), .goodbye)
        let departed = choices { $0.showsDeparted = true }
        #expect(
            network.text(departed, departed: [gone])
                == ["#  departed", "> nas", "# Departed", "  printer 2 (printer 2.local)"])
    }

    @Test func `a service that a device has twice is one row`() {
        var double = nas
        double.services += nas.services
        var network = Network(.device, [double])
        #expect(network.rows(choices(all)).snapshot.numberOfItems == 3)
    }
}

extension Timestamp {
    /// An identifier for a device without one.
    fileprivate var id: UUID { Identity.uuid(forName: description) }
}

@Suite struct TypeTallyTests {
    @Test func `types are ordered by title, and hidden types stay without services`() {
        let nas = device("nas", "http:a", "http:b", "zz")
        var network = Network(.device, [nas, device("p", "ipp", "http")])
        let hidden: HiddenTypes = ["_ipp._tcp", "_ssh._tcp"]
        func rows(_ network: Network) -> [String] {
            network.seen.typeEntries(hidden: hidden).map {
                "\($0.isOn == true ? "x" : "-") \($0.label): \($0.detail)"
            }
        }
        #expect(
            rows(network) == [
                "- Internet printing: _ipp._tcp  1", "- Secure shell: _ssh._tcp  0",
                "x Web site: _http._tcp  3", "x _zz._tcp: _zz._tcp  1",
            ])
        network.change { $0[nas.id] = nil }
        #expect(rows(network).last == "x Web site: _http._tcp  1")
    }
}

/// A list that tests change device by device, with its index.
struct Network {
    private var script = ListScript()
    private var peers: [UUID: Peer] = [:]
    private let grouping: Grouping
    private var clock = 0.0
    var seen: DeviceIndex

    /// Creates an empty network of a session that is grouped by device or type.
    init(_ grouping: Grouping = .device) {
        self.grouping = grouping
        seen = DeviceIndex()
    }

    /// Creates a network of devices that arrive at once.
    init(_ grouping: Grouping, _ peers: [Peer]) {
        self.init(grouping)
        change { all in for peer in peers { all[peer.id] = peer } }
    }

    /// Changes the devices and applies the changes to the index.
    @discardableResult
    mutating func change(
        _ cause: PeerListUpdate.Cause = .changed, reason: Departure = .removed,
        _ body: (inout [UUID: Peer]) -> Void
    ) -> ItemChanges {
        body(&peers)
        clock += 1
        let items = script.change(
            cause, reason: reason, at: House.time(clock), to: sections
        ).items
        seen.apply(items)
        return items
    }

    private var sections: [ListSection] {
        let peers = peers.values.sorted { $0.name < $1.name }
        guard grouping == .type else {
            return peers.isEmpty
                ? [] : [ListSection(id: "local", items: peers.map(ListItem.peer))]
        }
        let items = peers.flatMap { peer in
            peer.services.map { ListItem.service($0, of: peer) }
        }
        return Set(items.map(\.section)).sorted().map { type in
            ListSection(id: type, items: items.filter { $0.section == type })
        }
    }

    /// Returns the rows for choices.
    mutating func rows(
        _ choices: RowChoices = RowChoices(), departed: [DepartedItem] = []
    ) -> RowList {
        RowList(&seen, choices, departed: departed)
    }

    /// Returns the rows for choices as lines of text, children indented.
    mutating func text(
        _ choices: RowChoices = RowChoices(), departed: [DepartedItem] = []
    ) -> [String] {
        let rows = rows(choices, departed: departed)
        let sections = rows.snapshot.sectionIdentifiers
        return sections.flatMap { section in
            (rows.header(of: section).map { ["# \($0)"] } ?? [])
                + rows.snapshot.itemIdentifiers(inSection: section).map { row in
                    text(row, rows, departed)
                }
        }
    }

    private func text(_ row: RowID, _ rows: RowList, _ departed: [DepartedItem]) -> String {
        let sign =
            switch rows.outline(of: row, seen) {
            case nil: ""
            case let place? where place.level == 1: "    "
            case let place?: [.leaf: "  ", .collapsed: "> ", .expanded: "v "][place.branch] ?? ""
            }
        if case .departed(let id) = row {
            return sign + (departed.first { $0.id == id }?.item.title ?? "?")
        }
        let name = seen.item(of: row)?.service?.shortTitle ?? seen.device(of: row)?.peer.name
        return sign + (name ?? "?")
    }
}
