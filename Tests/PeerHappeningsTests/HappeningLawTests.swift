// Tests of laws: any order of a device's records makes one arrival and one departure.
import FoundationEssentials
import PeerHappenings
import PeerModel
import PeerListTestSupport
import TestSupport
import Testing

@Suite struct HappeningLawTests {
    /// The services of a device that comes and goes.
    private static let sizes = [1, 3, 8]

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `any order of records within a second is one arrival and one departure`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for size in Self.sizes {
            let account = AccountScript()
            let device = TestDevice("tv", services: size, isIdentified: seed.isMultiple(of: 2))
            account.play(device.appearance.shuffledByService(&generator), within: 1, &generator)
            account.pass(5)
            account.play(device.withdrawal.shuffled(using: &generator), within: 1, &generator)
            account.pass(5)
            #expect(account.said.map(\.event) == [.arrived, .left])
            guard account.said.count == 2 else { continue }
            let (arrived, left) = (account.said[0].item, account.said[1].item)
            #expect(arrived.id == left.id)
            #expect(arrived.peer.services == left.peer.services)
            #expect(arrived.peer.services.count == size)
            #expect(arrived.name == left.name)
            #expect(arrived.peer.addresses == left.peer.addresses)
        }
    }

    /// On a busy machine an event has an earlier time than the last look at the clock.
    @Test func `an event that is handled late does not hurry what has not settled`() {
        let account = AccountScript()
        let device = TestDevice("tv", services: 8, isIdentified: true)
        for event in device.appearance.joined() {
            account.apply(event)
            account.pass(0.09)
            account.pass(-0.08)
        }
        #expect(account.said.isEmpty)
        account.pass(5)
        #expect(account.said.map(\.event) == [.arrived])
        #expect(account.said.first?.item.peer.services.count == 8)
    }

    @Test func `after the clock was set back everything is said`() {
        let account = AccountScript()
        for event in TestDevice("tv", services: 1, isIdentified: true).appearance.joined() {
            account.apply(event)
        }
        account.pass(0.5)
        account.pass(-60)
        #expect(account.said.map(\.event) == [.arrived])
    }

    @Test func `what is learned of a device in its first two seconds is no change`() {
        let account = AccountScript()
        let device = TestDevice("tv", services: 3, isIdentified: false)
        let services = device.appearance
        for event in services[0] { account.apply(event) }
        account.pass(1.5)
        for event in services[1] { account.apply(event) }
        account.pass(5)
        #expect(account.said.map(\.event) == [.arrived])
        for event in services[2] { account.apply(event) }
        account.pass(5)
        #expect(account.said.map(\.event) == [.arrived, .changed])
    }

    /// A phone with the host name of a label, which is no evidence of its own.
    @Test func `a device that withdraws its name and announces another one is renamed`() {
        let account = AccountScript()
        let (first, second) = (
            TestDevice("phone", services: 2, at: 7), TestDevice("phone-2", services: 2, at: 7)
        )
        for event in first.appearance.joined() { account.apply(event) }
        account.pass(5)
        for event in first.withdrawal { account.apply(event) }
        for event in second.appearance.joined() { account.apply(event) }
        account.pass(5)
        #expect(account.said.map(\.event) == [.arrived, .identified, .changed])
        #expect(account.said.last?.item.peer.host == "phone-2.local")
        for event in second.withdrawal { account.apply(event) }
        account.pass(5)
        #expect(account.said.map(\.event) == [.arrived, .identified, .changed, .left])
    }

    @Test func `a device with other services at the address of one that left has arrived`() {
        let account = AccountScript()
        let (first, second) = (
            TestDevice("ann", services: 1, at: 7), TestDevice("bob", services: 3, at: 7)
        )
        for event in first.appearance.joined() { account.apply(event) }
        account.pass(5)
        for event in first.withdrawal { account.apply(event) }
        for event in second.appearance.joined() { account.apply(event) }
        account.pass(5)
        #expect(Set(account.said.map(\.event)) == [.arrived, .left])
        #expect(account.said.count == 3)
    }

    /// Devices come, change and go, and restart within a second or later.
    @Test(arguments: seeds(60))
    func `nothing leaves that had not arrived, under an identifier that the list has`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        let account = AccountScript()
        let devices = (0..<4).map { number in
            TestDevice(
                "d\(number)", services: Self.sizes[number % 3],
                isIdentified: number.isMultiple(of: 2))
        }
        for _ in 0..<60 {
            guard let device = devices.randomElement(using: &generator) else { continue }
            var events = device.appearance.shuffledByService(&generator)
            if Bool.random(using: &generator) {
                events = device.withdrawal.shuffled(using: &generator)
            }
            let count = Int.random(in: 1...events.count, using: &generator)
            let time = Double.random(in: 0.1...1.5, using: &generator)
            account.play(Array(events.prefix(count)), within: time, &generator)
            account.pass(Double.random(in: 0...3, using: &generator))
        }
        account.pass(10)
        var present: [UUID: ListItem] = [:]
        for event in account.said {
            switch event.event {
            case .arrived:
                #expect(present.updateValue(event.item, forKey: event.item.id) == nil)
            case .left: #expect(present.removeValue(forKey: event.item.id) != nil)
            case .identified:
                let former = event.was.flatMap { present.removeValue(forKey: $0.id) }
                #expect(former != nil)
                present[event.item.id] = event.item
            case .changed, .silent, .answers, .there:
                #expect(present[event.item.id] != nil)
            }
        }
        // What was said adds up to the list.
        let listed = account.listing.sections.flatMap(\.items).filter(\.peer.isResolved)
        #expect(Set(present.keys) == Set(listed.map(\.id)))
        #expect(account.strangers.isEmpty)
    }
}

/// A list with its account, and a clock that tests move.
final class AccountScript {
    private(set) var listing = PeerListing()
    private var happenings = Happenings()
    private(set) var said: [ItemHappening] = []
    /// The events that named an identifier which the list did not have when they happened.
    private(set) var strangers: [ItemHappening] = []
    private var now: Int64 = 1_000_000_000
    private var forgetting: [(due: Int64, service: ServiceKey)] = []
    /// The identifiers of the list, with the times from and until which it had them.
    private var spans: [(id: UUID, from: Int64, until: Int64)] = []

    /// Plays events at random times within some seconds.
    func play(
        _ events: [DiscoveryEvent.Kind], within seconds: Double,
        _ generator: inout SeededGenerator
    ) {
        let length = Int64(seconds * 1_000_000)
        let times = events.map { _ in Int64.random(in: 0..<length, using: &generator) }.sorted()
        let start = now
        for (event, time) in zip(events, times) {
            pass(until: start + time)
            apply(event)
        }
        pass(until: start + length)
    }

    /// Lets time pass, or sets the clock back.
    func pass(_ seconds: Double) {
        let time = Int64(seconds * 1_000_000)
        if time < 0 { now += time }
        pass(until: now + max(time, 0))
        say()
    }

    /// Applies an event now.
    func apply(_ event: DiscoveryEvent.Kind) {
        let time = Timestamp(microseconds: now)
        let outcome = listing.apply(DiscoveryEvent(event, at: time))
        if case .removed(let sighting, _) = event {
            forgetting.removeAll { $0.service == sighting.service }
            forgetting.append((now + 2_000_000, sighting.service))
        }
        if let items = outcome.devices?.items {
            for id in items.departures.keys {
                if let index = spans.lastIndex(where: { $0.id == id }) { spans[index].until = now }
            }
            for id in items.arrivals.keys { spans.append((id, now, .max)) }
            happenings.apply(items)
        }
        say()
    }

    private func pass(until end: Int64) {
        while let next = [forgetting.first?.due, happenings.due?.microseconds]
            .compactMap(\.self).min(), next <= end
        {
            now = max(now, next)
            if let (due, service) = forgetting.first, due <= now {
                forgetting.removeFirst()
                apply(.forgotten(service))
            }
            say()
        }
        now = max(now, end)
    }

    private func say() {
        for event in happenings.removeDue(at: Timestamp(microseconds: now)).compactMap(\.ofItem) {
            said.append(event)
            let time = event.time.microseconds
            let isKnown = spans.contains {
                $0.id == event.item.id && $0.from <= now && $0.until >= time
            }
            if !isKnown { strangers.append(event) }
        }
    }
}

/// A device with some services, of which the last one has its identifier.
struct TestDevice {
    private let host: String
    private let keys: [ServiceKey]
    private let address: HostAddress
    private let isIdentified: Bool

    init(_ host: String, services count: Int, isIdentified: Bool = false, at last: UInt8? = nil) {
        self.host = host + ".local"
        self.isIdentified = isIdentified
        keys = (0..<count).map { number in
            let type = number == count - 1 ? "_ipp._tcp" : "_http._tcp"
            return ServiceKey(name: "\(host) \(number)", type: type, domain: "local")
        }
        address = HostAddress(bytes: [10, 0, 0, last ?? host.utf8.reduce(0, &+)], interface: "")
    }

    /// The events of each service, of which the order is fixed, and the addresses.
    var appearance: [[DiscoveryEvent.Kind]] {
        keys.enumerated().map { number, key in
            let isLast = number == keys.count - 1
            let number = host.utf8.reduce(1_000) { $0 + Int($1) }
            let text = "UUID=4509a320-00a0-008f-00b6-00887751\(number)"
            let txt = isLast && isIdentified ? [Array(text.utf8)] : []
            return [
                .found(sighting(key)),
                .resolved(
                    key,
                    Resolution(
                        host: host, port: 80, txt: TXTRecord(strings: txt), address: address)),
                .addresses(host: HostName(host), [address]),
            ]
        }
    }

    var withdrawal: [DiscoveryEvent.Kind] { keys.map { .removed(sighting($0)) } }

    private func sighting(_ key: ServiceKey) -> Sighting {
        Sighting(
            service: key, interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4)
    }
}

extension [[DiscoveryEvent.Kind]] {
    /// Returns all events, in a random order that keeps the order of each service.
    func shuffledByService(_ generator: inout SeededGenerator) -> [DiscoveryEvent.Kind] {
        var rest = self.map { $0[...] }
        var events: [DiscoveryEvent.Kind] = []
        while true {
            let open = rest.indices.filter { !rest[$0].isEmpty }
            guard let index = open.randomElement(using: &generator),
                let event = rest[index].popFirst()
            else { return events }
            events.append(event)
        }
    }
}
