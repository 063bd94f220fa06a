// Tests the estimate of a full cache, and the reports of limits.
import FoundationEssentials
import PeerListTestSupport
import StackProtocol
import TestSupport
import Testing

@testable import PeerList

@Suite struct LimitTests {
    /// A table, and the sightings of services by their numbers.
    private struct Gauge {
        var table = ServiceTable()
        var step = DiscoveryStep(reading: ClockReading(now: .zero))

        func sighting(_ number: Int, on path: NetworkPath, _ subtype: String? = nil) -> Sighting {
            let key = ServiceKey(name: "s\(number)", type: "_t\(number % 2)._tcp", domain: "local")
            return Sighting(
                service: key, interface: path.interface, family: path.family, subtype: subtype)
        }

        mutating func found(_ number: Int, on path: NetworkPath, _ subtype: String? = nil) {
            let sighting = sighting(number, on: path, subtype)
            let instance = ServiceInstance(
                name: sighting.service.name, type: sighting.service.type, domain: "local")
            _ = table.add(sighting, instance, &step)
        }

        mutating func removed(_ number: Int, on path: NetworkPath, _ subtype: String? = nil) {
            let sighting = sighting(number, on: path, subtype)
            if table.remove(sighting), table[sighting.service.id]?.sightings.isEmpty == true {
                table.remove(sighting.service.id)
            }
        }

        mutating func resolved(_ number: Int, host: String) {
            table.setHost(
                Resolution(host: host, port: 1, txt: TXTRecord(), address: nil),
                of: sighting(number, on: EngineScript.eth0v4).service.id)
        }
    }

    private let eth0v4 = EngineScript.eth0v4

    @Test func `a service has three records, its host two, its type one`() {
        var gauge = Gauge()
        gauge.found(0, on: eth0v4)
        #expect(gauge.table.largestCache == 6)
        gauge.resolved(0, host: "h1.local")
        #expect(gauge.table.largestCache == 6)
        gauge.found(2, on: eth0v4)
        #expect(gauge.table.largestCache == 11, "until its host is known it may be another one")
        gauge.resolved(2, host: "H1.local")
        #expect(gauge.table.largestCache == 9)
        gauge.found(2, on: eth0v4, "_printer")
        #expect(gauge.table.largestCache == 10, "a subtype has a record of its own")
        gauge.found(0, on: NetworkPath(interface: 3, family: .ipv4))
        #expect(gauge.table.largestCache == 10, "each path has a cache of its own")
    }

    @Test func `1,365 services of one host fill a cache of 4,096 records`() {
        let script = EngineScript.running()
        for number in 0..<1_300 { script.bring("s\(number)", on: "h1.local") }
        script.pass(.seconds(2))
        #expect(script.notices(.cacheLimit).isEmpty)
        for number in 1_300..<1_365 { script.bring("s\(number)", on: "h1.local") }
        script.pass(.seconds(7))
        #expect(script.notices(.cacheLimit).count == 1)
        for number in 0..<200 { script.disappear("s\(number)") }
        script.pass(.seconds(7))
        #expect(script.notices(.cacheRoom).count == 1)
    }

    /// A failure names its seed, and the seed alone decides what happens.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `the count is that of the services that are there`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var gauge = Gauge()
        var sightings: [[Int: Set<Bool>]] = Array(repeating: [:], count: 5)
        var hosts: [Int?] = Array(repeating: nil, count: 5)
        for _ in 0..<300 {
            let service = Int.random(in: 0..<5, using: &generator)
            let number = Int.random(in: 0..<2, using: &generator)
            let path = NetworkPath(interface: Int32(number), family: .ipv4)
            let hasSubtype = Bool.random(using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0, 1:
                gauge.found(service, on: path, hasSubtype ? "_printer" : nil)
                sightings[service][number, default: []].insert(hasSubtype)
            case 2, 3:
                gauge.removed(service, on: path, hasSubtype ? "_printer" : nil)
                sightings[service][number]?.remove(hasSubtype)
                if sightings[service][number]?.isEmpty == true { sightings[service][number] = nil }
                if sightings[service].isEmpty { hosts[service] = nil }
            default:
                let host = Int.random(in: 0..<3, using: &generator)
                gauge.resolved(service, host: "h\(host)")
                if !sightings[service].isEmpty { hosts[service] = host }
            }
            let expected = (0..<2).map { path in
                let here = (0..<5).filter { sightings[$0][path] != nil }
                let own = here.reduce(0) { sum, service in
                    sum + 2 + (sightings[service][path]?.count ?? 0)
                        + (hosts[service] == nil ? 2 : 0)
                }
                return own + Set(here.map { $0 % 2 }).count
                    + Set(here.compactMap { hosts[$0] }).count * 2
            }
            #expect(gauge.table.largestCache == expected.max())
        }
    }

    @Test func `large TXT records are kept while there is room, small ones always`() {
        let large = TXTRecord(strings: (0..<34).map { Self.attribute("k\($0)", 250) })
        let small = TXTRecord(strings: [Self.attribute("k", 20)])
        let room = ServiceTable.txtRoom / large.footprint
        var table = ServiceTable()
        var step = DiscoveryStep(reading: ClockReading(now: .zero))
        func keeps(_ txt: TXTRecord, _ name: String) -> Bool {
            let instance = ServiceInstance(name: name, type: "_http._tcp", domain: "local")
            _ = table.add(sighting(name), instance, &step)
            let found = Resolution(host: "h1.local", port: 80, txt: txt, address: nil)
            return table.limited(found, of: key(name).id, &step).txt == txt
        }
        for number in 0..<room + 5 { #expect(keeps(large, "Web \(number)") == (number < room)) }
        #expect(keeps(small, "Small"))
        #expect(keeps(small, "Web 0"), "a smaller record makes room")
        let isRemoved = table.remove(sighting("Web 1"))
        #expect(isRemoved)
        table.remove(key("Web 1").id)
        #expect(keeps(large, "Web \(room)"))
        #expect(step.effects.count == 1, "one notice")
    }

    @Test func `the first 256 attributes of a service are kept`() {
        let kept = TXTRecord(strings: (0..<1_000).map { Array("k\($0)".utf8) })
        #expect(kept.pairs.map(\.key) == (0..<TXTRecord.attributeLimit).map { "k\($0)" })
    }

    private static func attribute(_ key: String, _ count: Int) -> [UInt8] {
        Array("\(key)=\(String(repeating: "v", count: count))".utf8)
    }

    @Test func `a limit is reported when it is reached, exceeded further, and lifted`() {
        var report = LimitReport()
        #expect(report.change(nil, at: .zero) == nil)
        #expect(report.change(7, at: .seconds(1)) == .reached(7))
        #expect(report.change(7, at: .seconds(20)) == nil)
        #expect(report.change(9, at: .seconds(21)) == .reached(9))
        #expect(report.isReached)
        #expect(report.change(nil, at: .seconds(22)) == nil, "not so soon after the last one")
        #expect(report.deadline(nil) == .seconds(26))
        #expect(report.change(nil, at: .seconds(26)) == .lifted)
        #expect(report.deadline(nil) == nil)
        #expect(!report.isReached)
    }

    @Test(arguments: [
        ("", 4096), ("[server]\ncache-entries-max=20000\n", 20000),
        ("[server]\n#cache-entries-max=9\n cache-entries-max = 300 \n[wide-area]", 300),
        ("[publish]\ncache-entries-max=1", 4096), ("[server]\ncache-entries-max=many", 4096),
        ("cache-entries-max=5", 4096), ("[server]\ncache-entries-max=0", 0),
    ])
    func `the daemon's limit is that of its configuration`(text: String, limit: Int) {
        #expect(DaemonSettings(text).cacheLimit == limit)
    }
}
