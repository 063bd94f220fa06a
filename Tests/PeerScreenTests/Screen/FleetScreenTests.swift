// Golden screens of a fleet, and tests of its matrix and of the choice of observers.
import DiffCore
import FoundationEssentials
import PeerFleet
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import PeerText
import TerminalList
import Testing

@testable import PeerScreen
@testable import PeerSession

@MainActor @Suite(.timeLimit(.minutes(10))) struct FleetScreenTests {
    private nonisolated static let pi = ObserverName(site: "home", observer: "pi")
    private nonisolated static let nas = ObserverName(site: "home", observer: "nas")
    private nonisolated static let hub = ObserverName(site: "iot", observer: "hub")
    private nonisolated static let attic = ObserverName(site: "attic", observer: "box")

    /// A fleet whose first observers see all devices, the third every third, and the last one none of three.
    @MainActor private final class Fleet {
        let driven: DrivenScreen
        private var source = FleetSource(ListOptions())
        private let peers: [Peer]

        init(_ count: Int, columns: Int = 80, rows: Int = 24, charset: Charset = .unicode) {
            driven = DrivenScreen(columns: columns, rows: rows, charset: charset, isRecorded: true)
            peers = DrivenScreen.devices(count)
            var header = House.header(.device)
            header.backend = LineHeader.fleetBackend
            driven.screen.handle(.began(header))
            driven.screen.handle(.fill(.running))
            apply(1) { event in
                for name in [pi, nas, hub, attic] {
                    event.changes.append(.status(name, ObserverStatus(.online)))
                }
                for (index, peer) in peers.enumerated() {
                    for (name, isSeen) in [
                        (pi, true), (nas, index != 1), (hub, index % 3 == 0), (attic, index > 2),
                    ] where isSeen {
                        var peer = peer
                        if name == nas, index == 2 { peer.presence = .unanswered }
                        peer.interfaces = ["eth0"]
                        event.changes.append(.peer(name, peer.id, peer))
                    }
                }
                event.isSettled = true
            }
            driven.wait(.seconds(30))
            _ = driven.frame
        }

        func apply(_ seconds: Double, _ fill: (inout FleetEvent) -> Void) {
            var event = FleetEvent(at: House.time(seconds))
            fill(&event)
            let effects = source.apply(event)
            driven.screen.content.clock = event.time
            if let online = effects.online { driven.screen.handle(.observers(online)) }
            for notice in effects.notices { driven.screen.handle(.noticed(notice)) }
            if let update = effects.devices { driven.update(update.items) }
            if let end = source.fillEnd(at: event.time) {
                driven.screen.handle(.fill(.over(end)))
            }
        }

        func expectScreen(_ name: String) throws {
            let size = driven.size
            try expectCommitted(
                driven.text + "\n", "fleet-\(name)-\(size.columns)x\(size.rows).txt")
        }
    }

    @Test(arguments: [0, 1, 3, 500], [(80, 24), (40, 10)])
    func `a fleet, and its matrix`(count: Int, size: (columns: Int, rows: Int)) throws {
        let fleet = Fleet(count, columns: size.columns, rows: size.rows)
        for name in ["\(count)", "\(count)-matrix"] {
            if name.hasSuffix("matrix") { fleet.driven.press(.character("m")) }
            let lines = fleet.driven.text.split(separator: "\n")
            #expect(lines.allSatisfy { SafeText(String($0)).width <= size.columns })
            if [3, 500].contains(count) { try fleet.expectScreen(name) }
        }
    }

    @Test func `a fleet and its matrix in a wide window, in ASCII too`() throws {
        for charset in [Charset.unicode, .ascii] {
            let fleet = Fleet(9, columns: 160, rows: 30, charset: charset)
            try fleet.expectScreen("wide-\(charset)")
            fleet.driven.press(.character("m"))
            try fleet.expectScreen("wide-matrix-\(charset)")
        }
    }

    @Test func `an observer that joins is not away first`() throws {
        let fleet = Fleet(3)
        let cellar = ObserverName(site: "cellar", observer: "cellar")
        let boiler = device("boiler", "http", address: "10.9.0.7")
        fleet.driven.press(.character("m"))
        fleet.apply(2) { event in
            event.changes = [
                .status(cellar, ObserverStatus(.syncing)), .peer(cellar, boiler.id, boiler),
            ]
        }
        #expect(!fleet.driven.text.contains("away)"))
        #expect(try fleet.driven.line(with: "▸ boiler").hasPrefix(" … "))
        #expect(try fleet.driven.line(with: "▸ boiler").contains("0/4"))
        #expect(try fleet.driven.line(with: "▸ boiler").dropFirst(3).contains("…"))
        fleet.apply(3) { $0.changes = [.status(cellar, ObserverStatus(.online))] }
        #expect(try fleet.driven.line(with: "▸ boiler").contains("1/5"))
        fleet.apply(4) { $0.changes = [.status(cellar, ObserverStatus(.offline))] }
        #expect(fleet.driven.text.contains("(1 away)"))
    }

    @Test func `the matrix has the names of observers, and the sign of the order at its column`() {
        let fleet = Fleet(3)
        fleet.driven.press(.character("m"))
        let lines = fleet.driven.text.split(separator: "\n")
        #expect(lines[1].contains("Seen ▲  box  nas  pi  hub"), "\(lines[1])")
        #expect(!lines[1].contains("Name ▲"))
        fleet.driven.press(.down, .down)
        #expect(fleet.driven.text.contains("● present  ? silent  – not seen  · away"))
    }

    @Test func `devices that only some observers see are first in the matrix`() throws {
        let fleet = Fleet(9)
        fleet.driven.press(.character("m"))
        let counts = fleet.driven.screen.content.rows.snapshot.itemIdentifiers.map { row in
            fleet.driven.screen.content.seen.device(of: row)?.peer.views.count ?? 0
        }
        #expect(counts == counts.sorted())
        #expect(Set(counts).count > 2)
        fleet.driven.press(.character("m"))
        #expect(!fleet.driven.screen.content.showsMatrix)
    }

    @Test func `an observer that goes away leaves its devices in doubt, and in the list`() throws {
        let fleet = Fleet(3)
        fleet.apply(2) { event in
            for name in [Self.pi, Self.nas, Self.hub] {
                event.changes.append(.status(name, ObserverStatus(.offline)))
            }
        }
        #expect(fleet.driven.screen.content.rows.snapshot.numberOfItems == 3)
        #expect(try fleet.driven.line(with: "observer").contains("4 observers (3 away)"))
        fleet.driven.press(.character("m"))
        try fleet.expectScreen("away")
    }

    @Test func `an observer that sees no device counts, until its status is cleared`() throws {
        let fleet = Fleet(3)
        #expect(try fleet.driven.line(with: "peers").contains("4 observers"))
        #expect(fleet.driven.text.contains("3/4"))
        fleet.apply(2) { $0.changes.append(.status(Self.attic, ObserverStatus(.offline))) }
        #expect(try fleet.driven.line(with: "peers").contains("4 observers (1 away)"))
        #expect(fleet.driven.text.contains("3/3"))
        fleet.apply(3) { $0.changes.append(.status(Self.attic, nil)) }
        #expect(try fleet.driven.line(with: "peers").contains("3 observers"))
    }

    @Test func `a box chooses the observers, and no digit does`() throws {
        let fleet = Fleet(3)
        for digit in "123456789" { fleet.driven.press(.character(digit)) }
        #expect(!(try fleet.driven.line(with: "peers").contains("off")))
        // The names in order are attic/box, which sees nothing, home/nas, home/pi and iot/hub.
        fleet.driven.press(.character("O"), .character(" "), .enter)
        #expect(try fleet.driven.line(with: "peers").contains("4 observers, 1 off"))
        fleet.driven.press(.character("O"), .character("p"), .character("i"), .character(" "))
        #expect(try fleet.driven.line(with: "peers").contains("2 of 3 peers"))
        fleet.driven.press(.escape, .tab)
        fleet.driven.press(.tab)
        #expect(fleet.driven.text.contains("seen only by observers that are switched off"))
        try fleet.expectScreen("observers")
        fleet.driven.press(.character(" "), .escape)
        #expect(try fleet.driven.line(with: "peers").contains("3 peers"))
    }

    @Test func `details list the views`() throws {
        let fleet = Fleet(3)
        fleet.driven.press(.enter)
        try fleet.expectScreen("details")
    }

    @Test(arguments: [80, 120])
    func `a fleet offers its keys, and another list does not`(columns: Int) {
        let fleet = Fleet(3, columns: columns, rows: 60)
        let other = DrivenScreen(columns: columns, rows: 60)
        other.live(until: 10)
        #expect(fleet.driven.text.contains("m matrix"))
        #expect(!other.text.contains("m matrix"))
        for (driven, isFleet) in [(fleet.driven, true), (other, false)] {
            driven.press(.character("?"))
            #expect(driven.text.contains("A fleet") == isFleet)
            #expect(driven.text.contains("choose the observers") == isFleet)
        }
    }

    @Test func `in another list the keys of a fleet say so`() {
        let driven = DrivenScreen()
        driven.live(until: 10)
        for key in "mO" {
            driven.press(.character(key))
            #expect(driven.text.contains("the list is not that of a fleet"))
            driven.press(.control("l"))
        }
    }
}
