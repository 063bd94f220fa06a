// Laws of the changes that hooks get, in random scenes of a slow start.
import DiffCore
import FoundationEssentials
import PeerHappenings
import PeerListTestSupport
import PeerModel
import PeerRecording
import TestSupport
import Testing
@testable import PeerHooks
@testable import PeerLedger

/// Hosts whose services are found at the start and later, and whose names are learned late or never: services
/// turn out to be parts of devices that are in the list already.
private struct SlowStart {
    /// The end of the initial fill, in seconds.
    static let fillEnd = 10.0

    private(set) var updates: [PeerListUpdate] = []
    private(set) var reports: [ItemHappening] = []
    private var account = Happenings()

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var events: [(seconds: Double, kind: DiscoveryEvent.Kind)] = []
        for host in 1...4 {
            for number in 0..<Int.random(in: 1...4, using: &random) {
                let service = ServiceKey(
                    name: "\(host)-\(number)", type: "_http._tcp", domain: "local")
                let found = Double.random(in: 0...15, using: &random)
                let resolved = found + Double.random(in: 0.1...20, using: &random)
                let removed = found + Double.random(in: 1...40, using: &random)
                events += [
                    (found, .found(Self.sighting(service))), (found + 0.05, .pending(service)),
                    (removed, .removed(Self.sighting(service))),
                ]
                guard resolved < removed else { continue }
                events.append((resolved, .resolved(service, Self.resolution(host))))
            }
        }
        play(events.sorted { $0.seconds < $1.seconds })
    }

    private static func sighting(_ service: ServiceKey) -> Sighting {
        Sighting(
            service: service, interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4)
    }

    private static func resolution(_ host: Int) -> Resolution {
        Resolution(
            host: "h\(host).local", port: 80, txt: TXTRecord(strings: []),
            address: HostAddress(
                bytes: [10, 0, 0, UInt8(host)], text: "10.0.0.\(host)", interface: "eth0"))
    }

    private mutating func play(_ events: [(seconds: Double, kind: DiscoveryEvent.Kind)]) {
        // Another device is known, so the first session is over.
        var ledger = DeviceLedger()
        ledger.note(
            Identity.uuid(forName: "other.local"),
            LedgerDevice(
                names: [], evidence: [], firstSeen: House.time(-9), lastSeen: House.time(-9)))
        var listing = PeerListing()
        var keeper = LedgerKeeper(ledger, of: LedgerFile(path: ""))
        account.fill = .running
        for (seconds, kind) in events {
            if seconds >= Self.fillEnd { account.fill = .over(House.time(Self.fillEnd)) }
            report(account.removeDue(at: House.time(seconds)))
            let event = DiscoveryEvent(kind, at: House.time(seconds))
            guard var update = listing.apply(event).update else { continue }
            update.items =
                keeper.recognize(update.items, during: account.fill).devices ?? update.items
            updates.append(update)
            account.apply(update.items)
        }
        report(account.removeAll())
    }

    private mutating func report(_ events: [Happening]) {
        reports += events.compactMap(\.ofItem).filter { !$0.hookEvents.isEmpty }
    }

    /// Returns the items that were in the list for three seconds after their last change of identifier.
    func stayed(_ ids: [UUID]) -> Set<UUID> {
        Set(ids).filter { id in
            let arrival = updates.last { $0.items.arrivals[id] != nil }?.items.time
            let end = updates.first { $0.items.departures[id] != nil }?.items.time
            guard let arrival, let end else { return arrival != nil }
            return end.microseconds - arrival.microseconds > 3_000_000
        }
    }

    /// The items that left the list.
    var departures: [(item: ListItem, reason: Departure)] {
        updates.flatMap { update in
            update.difference.deletedItems.compactMap { update.items.departures[$0.item] }
        }
    }
}

@Suite struct HookLawTests {
    @Test(arguments: seeds(200))
    func `only what has arrived, or was resolved at the start, changes and departs`(seed: UInt64) {
        let scene = SlowStart(seed: seed)
        var known = Set(
            scene.updates.flatMap(\.items.arrivals.values).filter { item in
                item.peer.isResolved && item.peer.firstSeen < House.time(SlowStart.fillEnd)
            }.map(\.id))
        for report in scene.reports {
            switch report.event {
            case .arrived, .there: known.insert(report.item.id)
            case .left:
                #expect(known.contains(report.item.id), "departed \(report.item.name)")
            case .changed, .silent, .answers, .identified:
                let was = report.was ?? report.item
                #expect(known.contains(was.id), "changed \(was.name)")
                known.insert(report.item.id)
            }
        }
    }

    @Test(arguments: seeds(200))
    func `every device that stayed and left has departed`(seed: UInt64) {
        let scene = SlowStart(seed: seed)
        let departed = scene.reports.filter { $0.hookEvents == [.departed] }.map(\.item.id)
        let left = scene.departures.filter { $0.reason != .identity && $0.item.peer.isResolved }
        #expect(Set(left.map(\.item.id)).isSuperset(of: departed))
        #expect(Set(departed).isSuperset(of: scene.stayed(left.map(\.item.id))))
    }

    @Test(arguments: seeds(200))
    func `every device that stayed and was never seen before is new, once`(seed: UInt64) {
        let scene = SlowStart(seed: seed)
        let new = scene.updates.flatMap(\.items.arrivals.values).filter(\.peer.isNew).map(\.id)
        let reported = scene.reports.filter { $0.hookEvents.contains(.new) }.map(\.item.id)
        #expect(reported.count == Set(reported).count)
        #expect(Set(new).isSuperset(of: reported))
        #expect(Set(reported).isSuperset(of: scene.stayed(new)))
    }
}
