// Tests laws of the discovery engine for any order of the same events.
import FoundationEssentials
import PeerList
import PeerListTestSupport
import StackProtocol
import TestSupport
import Testing

@Suite struct EngineLawTests {
    /// Services, hosts and addresses that answer the lookups of an engine, in an order that a seed decides.
    private final class Network {
        var services: [ServiceInstance: String] = [:]
        let script: EngineScript
        private(set) var listing = PeerListing()
        private var pending: [LookupKey: [LookupEvent]] = [:]
        /// The texts of lookups, by which they are sorted.
        private var names: [LookupKey: String] = [:]
        private var reported = 0
        /// Whether the interface is up; if not, the stack has no records.
        private var isUp = true

        init(_ script: EngineScript) {
            self.script = script
            script.whenOpened = { [unowned self] key, request in
                pending[key] = answers(to: request)
            }
        }

        private func answers(to request: LookupRequest) -> [LookupEvent] {
            switch request {
            case .addresses where !isUp: [.cacheExhausted]
            case .resolve where !isUp: [.timedOut]
            case _ where !isUp: []
            case .types:
                Set(services.keys.map(\.type)).sorted().map { .typeAppeared($0, domain: "local") }
            case .services(let type, _, let path):
                services.keys.filter { $0.type == type }.sorted { $0.name < $1.name }
                    .compactMap { appearance($0, path.family ?? .ipv4) }
            case .resolve(let instance, _): [resolution(of: instance)]
            case .addresses(let host, let family, _):
                [
                    .recordAppeared(
                        data: Self.address(of: host, family),
                        NetworkPath(interface: 2, family: family)), .cacheExhausted,
                ]
            case .records: [.recordAppeared(data: [], EngineScript.eth0v4)]
            case .publish: [.established]
            }
        }

        private func appearance(
            _ instance: ServiceInstance, _ family: AddressFamily
        ) -> LookupEvent? {
            .serviceAppeared(instance, NetworkPath(interface: 2, family: family))
        }

        private func resolution(of instance: ServiceInstance) -> LookupEvent {
            guard let host = services[instance] else { return .timedOut }
            let found = Resolution(
                host: host, port: 80, txt: TXTRecord(strings: [Array("path=/".utf8)]), address: nil)
            return .resolved(found, isCached: true)
        }

        private static func address(of host: String, _ family: AddressFamily) -> [UInt8] {
            let last = host.utf8.reduce(UInt8(0)) { $0 &* 31 &+ $1 }
            return family == .ipv4
                ? [10, 0, 0, last] : [0xfd] + [UInt8](repeating: 0, count: 14) + [last]
        }

        /// Takes the interface down or up; the stack drops all records, or reports all of them.
        func setLink(isUp: Bool) {
            guard isUp != self.isUp else { return }
            let before = script.open.map { ($0.key, answers(to: $0.value)) }
            self.isUp = isUp
            script.send(.interfaces([Self.interface(isUp: isUp)]))
            for (key, known) in before {
                guard let request = script.open[key] else { continue }
                let events = isUp ? answers(to: request) : known.compactMap(\.reversed)
                pending[key, default: []].append(contentsOf: events)
            }
        }

        static func interface(isUp: Bool) -> LocalInterface {
            let bytes: [[UInt8]] = [[10, 0, 0, 1], [0xfd] + [UInt8](repeating: 1, count: 15)]
            return LocalInterface(
                NetworkInterface(index: 2, name: "eth0"), isUp: isUp,
                addresses: bytes.map {
                    .init(HostAddress(bytes: $0, interface: "eth0"), prefixLength: 24)
                })
        }

        func announce(_ instance: ServiceInstance, on host: String) {
            services[instance] = host
            guard isUp else { return }
            if script.open[.types] != nil {
                pending[.types, default: []].append(.typeAppeared(instance.type, domain: "local"))
            }
            for family in AddressFamily.allCases {
                let key = LookupKey.services(type: instance.type, family)
                guard script.open[key] != nil, let event = appearance(instance, family) else {
                    continue
                }
                pending[key, default: []].append(event)
            }
        }

        func withdraw(_ instance: ServiceInstance) {
            guard services.removeValue(forKey: instance) != nil, isUp else { return }
            for family in AddressFamily.allCases {
                let key = LookupKey.services(type: instance.type, family)
                guard script.open[key] != nil else { continue }
                pending[key, default: []].append(
                    .serviceDisappeared(instance, NetworkPath(interface: 2, family: family)))
            }
        }

        /// Delivers the next event of a lookup that the generator picks; `false` if none waits.
        func deliver(_ generator: inout SeededGenerator) -> Bool {
            pending = pending.filter { script.open[$0.key] != nil && !$0.value.isEmpty }
            guard
                let key = pending.keys.map({ (name: name(of: $0), key: $0) })
                    .sorted(by: { $0.name < $1.name }).randomElement(using: &generator)?.key,
                let event = pending[key]?.removeFirst()
            else { return false }
            script.send(event, of: key)
            fold()
            return true
        }

        private func name(of key: LookupKey) -> String {
            if let name = names[key] { return name }
            let name = "\(key)"
            names[key] = name
            return name
        }

        /// Delivers everything, lets time pass, and answers probes for what is there.
        func settle(_ generator: inout SeededGenerator) {
            for _ in 0..<40 {
                while deliver(&generator) {}
                script.answerProbes { questions in
                    let there = isUp ? services.keys.map(\.key.id) : []
                    return Set(questions.map(\.service.id)).intersection(there)
                }
                script.pass(.seconds(10))
                fold()
            }
        }

        func fold() {
            for kind in script.reports[reported...] {
                _ = listing.apply(DiscoveryEvent(kind, at: Timestamp(microseconds: 1)))
            }
            reported = script.reports.count
        }

        /// The peers without the fields that depend on the past.
        var peers: [String] {
            listing.sections.flatMap(\.items).map(\.peer).map { peer in
                let services = peer.services.map { "\($0.name) \($0.type) \($0.port ?? 0)" }
                return "\(peer.name) \(peer.presence) \(peer.addresses) \(services.sorted())"
            }.sorted()
        }
    }

    private static let instances = (0..<12).map { number in
        ServiceInstance(
            name: "s\(number)", type: ["_http._tcp", "_ssh._tcp", "_t._udp"][number % 3],
            domain: "local")
    }

    private static func host(_ number: Int) -> String { "h\(number % 4).local" }

    /// A failure names its seed, and the seed alone decides what happens.
    @Test(arguments: seeds(60))
    func `any order of the same events ends in the list of a fresh engine`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        let network = Network(EngineScript(asking: .daemon))
        network.script.send(.interfaces([Network.interface(isUp: true)]))
        network.script.send(.start)
        network.script.connect(.daemon)
        for _ in 0..<200 {
            let number = Int.random(in: 0..<12, using: &generator)
            switch Int.random(in: 0..<40, using: &generator) {
            case 0..<4: network.announce(Self.instances[number], on: Self.host(number))
            case 4, 5: network.withdraw(Self.instances[number])
            case 6:
                network.script.pass(.milliseconds(Int64.random(in: 1...5_000, using: &generator)))
            case 7 where seed % 3 == 0:
                network.script.change { $0.state = .failed }
                network.script.connect(.daemon)
            case 8 where seed % 4 == 0:
                network.script.realTimeLead += .seconds(number % 2 == 0 ? 3_600 : -3_600)
            case 9 where seed % 2 == 0:
                let limit = Int.random(in: 6...20, using: &generator)
                network.script.refuses = { [unowned script = network.script] key in
                    if case .resolver = key, script.open.count > limit {
                        .tooManyObjects
                    } else {
                        nil
                    }
                }
            case 10,
                11 where seed % 5 < 3:
                network.setLink(isUp: number % 3 > 0)
            case 12 where seed % 5 == 0:
                network.script.pass(.seconds(Int64.random(in: 1...400, using: &generator)))
            default: _ = network.deliver(&generator)
            }
            network.fold()
        }
        network.script.refuses = { _ in nil }
        network.setLink(isUp: true)
        network.settle(&generator)

        let fresh = Network(EngineScript(asking: .daemon))
        fresh.services = network.services
        fresh.script.send(.start)
        fresh.script.connect(.daemon)
        fresh.settle(&generator)
        #expect(network.peers == fresh.peers)
        #expect(fresh.peers.count == Set(network.services.values).count)
    }
}

extension LookupEvent {
    /// The event that withdraws what the event reports; `nil` if nothing does.
    fileprivate var reversed: LookupEvent? {
        switch self {
        case .serviceAppeared(let instance, let path): .serviceDisappeared(instance, path)
        case .recordAppeared(let data, let path): .recordDisappeared(data: data, path)
        case .resolved: .timedOut
        default: nil
        }
    }
}
