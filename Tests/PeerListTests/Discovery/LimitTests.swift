// Tests the estimate of a full cache, and the reports of limits.
import FoundationEssentials
import TestSupport
import Testing

@testable import PeerList

@Suite struct CacheGaugeTests {
    private let eth0v4 = LinkPath(interface: 2, family: .ipv4)
    private let eth1v4 = LinkPath(interface: 3, family: .ipv4)

    private func id(_ number: Int) -> UUID { Identity.uuid(forName: "s\(number)") }

    @Test func `a service has three records, its host two, its type one`() {
        var gauge = CacheGauge()
        gauge.found(id(0), type: "_http._tcp", on: eth0v4)
        #expect(gauge.fullest?.records == 6)
        gauge.resolved(id(0), host: "h1.local")
        #expect(gauge.fullest?.records == 6)
        gauge.found(id(1), type: "_http._tcp", on: eth0v4)
        #expect(gauge.fullest?.records == 11, "until its host is known it may be another one")
        gauge.resolved(id(1), host: "h1.local")
        #expect(gauge.fullest?.records == 9)
        gauge.found(id(1), type: "_http._tcp", on: eth0v4)
        #expect(gauge.fullest?.records == 10, "a subtype has a record of its own")
        gauge.found(id(0), type: "_http._tcp", on: eth1v4)
        #expect(gauge.fullest?.path == eth0v4)
    }

    @Test func `1,365 services of one host fill a cache of 4,096 records`() {
        var gauge = CacheGauge()
        for number in 0..<1365 {
            gauge.found(id(number), type: "_http._tcp", on: eth0v4)
            gauge.resolved(id(number), host: "h1.local")
        }
        #expect(gauge.fullest?.records == 4098)
    }

    /// A failure names its seed, and the seed alone decides what happens.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `the count is that of the services that are there`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var gauge = CacheGauge()
        var sightings: [[Int: Int]] = Array(repeating: [:], count: 5)
        var hosts: [Int?] = Array(repeating: nil, count: 5)
        for _ in 0..<300 {
            let service = Int.random(in: 0..<5, using: &generator)
            let path = Int.random(in: 0..<2, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0, 1:
                gauge.found(
                    id(service), type: "_t\(service % 2)",
                    on: LinkPath(interface: Int32(path), family: .ipv4))
                sightings[service][path, default: 0] += 1
            case 2, 3:
                gauge.removed(id(service), on: LinkPath(interface: Int32(path), family: .ipv4))
                guard let count = sightings[service][path] else { continue }
                sightings[service][path] = count > 1 ? count - 1 : nil
                if sightings[service].isEmpty { hosts[service] = nil }
            default:
                let host = Int.random(in: 0..<3, using: &generator)
                gauge.resolved(id(service), host: "h\(host)")
                if !sightings[service].isEmpty { hosts[service] = host }
            }
            let expected = (0..<2).map { path in
                let here = (0..<5).filter { sightings[$0][path] != nil }
                let own = here.reduce(0) { sum, service in
                    sum + 2 + (sightings[service][path] ?? 0) + (hosts[service] == nil ? 2 : 0)
                }
                return own + Set(here.map { $0 % 2 }).count + Set(here.compactMap { hosts[$0] })
                    .count * 2
            }
            #expect(gauge.fullest?.records ?? 0 == expected.max())
        }
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
