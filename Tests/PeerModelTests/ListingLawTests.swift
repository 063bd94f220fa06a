// Tests properties of the list that hold after any events.
import DiffCore
import FoundationEssentials
import PeerListTestSupport
import PeerModel
import TestSupport
import Testing

@Suite struct ListingLawTests {
    /// Lists of each grouping, of all devices by name, and of some kinds by kind.
    private static let options = Grouping.allCases.flatMap { grouping in
        [
            ListOptions(grouping: grouping),
            ListOptions(grouping: grouping, order: .kind, kinds: [.printer, .computer]),
        ]
    }

    /// A failure names its seed, which determines the events.
    @Test(arguments: seeds(60))
    func `the differences of any events fold to the list, by device and by type`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for options in Self.options {
            let script = EventScript(options, makerOf: \.text)
            var snapshot = script.listing.snapshot
            var items: [UUID: ListItem] = [:]
            for _ in 0..<300 {
                guard let update = script.feed(randomEvent(&generator)) else { continue }
                snapshot = snapshot.applying(update.difference)
                let departed = update.items.departures.mapValues(\.item)
                #expect(items.filter { departed[$0.key] != nil } == departed)
                let changed = update.items.changes.mapValues(\.was)
                #expect(items.filter { changed[$0.key] != nil } == changed)
                items = items.filter { departed[$0.key] == nil }
                items.merge(update.items.arrivals) { _, new in new }
                items.merge(update.items.changes.mapValues(\.now)) { _, new in new }
                #expect(snapshot.structure == update.snapshot.structure)
            }
            let ids = snapshot.itemIdentifiers
            #expect(Set(script.peers.map(\.id)).count == script.peers.count)
            #expect(script.items == ids.compactMap { items[$0] })
            #expect(items.count == ids.count)
        }
    }

    @Test(arguments: seeds(20), [[], [DeviceKind.printer, .computer]])
    func `the list after any events equals a new list of what remains`(
        seed: UInt64, kinds: [DeviceKind]
    ) {
        var generator = SeededGenerator(seed: seed)
        let script = EventScript(ListOptions(kinds: kinds))
        var sightings: Set<Sighting> = []
        var resolutions: [ServiceKey: Resolution] = [:]
        var removed: [ServiceKey] = []
        for _ in 0..<300 {
            let event = randomChange(&generator)
            script.feed(event)
            switch event {
            case .found(let sighting): sightings.insert(sighting)
            case .removed(let sighting, _):
                sightings.remove(sighting)
                if !sightings.contains(where: { $0.service == sighting.service }) {
                    resolutions[sighting.service] = nil
                    removed.removeAll { $0 == sighting.service }
                    removed.append(sighting.service)
                }
            case .resolved(let key, let resolution):
                guard sightings.contains(where: { $0.service == key }) else { continue }
                resolutions[key] = resolution
            default: break
            }
        }
        for key in removed { script.feed(.forgotten(key)) }
        let fresh = EventScript(ListOptions(kinds: kinds))
        for sighting in sightings { fresh.feed(.found(sighting)) }
        for (key, resolution) in resolutions { fresh.feed(.resolved(key, resolution)) }
        #expect(script.peers.map(\.facts) == fresh.peers.map(\.facts))
        let isOfKind = { (peer: Peer) in peer.kind.map(kinds.contains) ?? false }
        #expect(kinds.isEmpty || script.peers.allSatisfy(isOfKind))
    }
}

extension DiffableDataSourceSnapshot {
    /// The sections and their items, without marks.
    fileprivate var structure: [[ItemIdentifierType]] {
        sectionIdentifiers.map { itemIdentifiers(inSection: $0) }
    }
}

extension Peer {
    /// The peer with all fields but the times.
    fileprivate var facts: Peer {
        var facts = self
        facts.firstSeen = Timestamp(microseconds: 0)
        facts.lastSeen = facts.firstSeen
        return facts
    }
}

private func randomEvent(_ generator: inout SeededGenerator) -> DiscoveryEvent.Kind {
    switch Int.random(in: 0..<24, using: &generator) {
    case 20: .linkLost(eth0, [.ipv4], reason: "eth0 is down")
    case 21: .linkBack(eth0)
    case 22:
        .linkCaughtUp(
            eth0, gone: [Sighting(service: randomKey(&generator), interface: eth0, family: .ipv4)])
    case 23: .linkExpired(eth0, [.ipv4])
    case 0: .lost(reason: "gone")
    case 1: .running(host: "h0.local")
    case 2: .caughtUp
    case 3: .pending(randomKey(&generator))
    case 4: .unanswered(randomKey(&generator))
    case 5:
        .addresses(
            host: HostName("h\(Int.random(in: 0..<4, using: &generator)).local"),
            (0..<Int.random(in: 0..<3, using: &generator)).map { address(UInt8($0)) })
    case 6:
        .hardware(
            host: HostName("h\(Int.random(in: 0..<4, using: &generator)).local"),
            (0..<Int.random(in: 0..<3, using: &generator)).compactMap {
                MACAddress(bytes: [0, 0, 0x5e, 0, 0x53, UInt8($0)])
            })
    default: randomChange(&generator)
    }
}

/// Returns an event of one of a few services and hosts, some of which claim one identifier or have one address.
private func randomChange(_ generator: inout SeededGenerator) -> DiscoveryEvent.Kind {
    let key = randomKey(&generator)
    let interface = [eth0, eth1, loopback].randomElement(using: &generator) ?? eth0
    let sighting = Sighting(service: key, interface: interface, family: .ipv4)
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: return .found(sighting)
    case 1: return .removed(sighting)
    default:
        let host = Int.random(in: 0..<4, using: &generator)
        let number = Int.random(in: 0..<6, using: &generator)
        let id = Identity.uuid(forName: "h\(number).local").uuidString.lowercased()
        let mac = "deviceid=00:00:5e:00:53:0\(number % 3)"
        return .resolved(
            key,
            resolution(
                "h\(host).local", txt: ["id=\(id)", "UUID=\(id)", mac],
                address: address(UInt8(host % 2))))
    }
}

private func randomKey(_ generator: inout SeededGenerator) -> ServiceKey {
    let types = ["_http._tcp", "_peerlist._tcp", "_ssh._tcp", "_ipp._tcp", "_airplay._tcp"]
    return key(
        "s\(Int.random(in: 0..<4, using: &generator))",
        types.randomElement(using: &generator) ?? types[0])
}
