// Tests which names a service tries while they are taken, and when: alone, and on several machines at once.
import TestSupport
import Testing

@testable import PeerList

@Suite struct AnnouncedNameTests {
    private var random: any RandomNumberGenerator = SeededGenerator(seed: 1)

    @Test(arguments: [
        ("Twin", "h4.local", ["Twin #2", "Twin (h4)", "Twin (h4) #2", "Twin (h4) #3"]),
        ("Twin", "", ["Twin #2", "Twin #3", "Twin #4"]),
    ])
    mutating func `from the second conflict on, a name has the machine's in it`(
        wanted: String, host: String, names: [String]
    ) {
        var name = AnnouncedName(wanted)
        #expect(name.current == wanted)
        for next in names {
            #expect(name.takeNext(on: host, at: .zero, using: &random) != nil)
            #expect(name.current == next)
        }
    }

    @Test mutating func `a name that was announced is not given up for one that was taken before`()
    {
        var name = AnnouncedName("Twin")
        for next in ["Twin #2", "Twin (h4)", "Twin (h4) #2"] {
            _ = name.takeNext(on: "h4.local", at: .zero, using: &random)
            name.established()
            #expect(name.current == next)
        }
    }

    @Test(arguments: [
        (String(repeating: "x", count: 63), "h4"),
        (String(repeating: "é", count: 31), String(repeating: "a", count: 61) + "-2"),
        ("x", String(repeating: "ü", count: 31)), (String(repeating: "🖨\u{FE0F}", count: 9), "h4"),
    ])
    mutating func `each name fits into a label of DNS, and keeps the end of the machine's`(
        wanted: String, label: String
    ) {
        var name = AnnouncedName(wanted)
        var names: Set = [wanted]
        for count in 1...20 {
            _ = name.takeNext(on: label + ".local", at: .zero, using: &random)
            #expect(name.current.utf8.count <= 63)
            #expect(names.insert(name.current).inserted)
            if count == 2 { #expect(name.current.hasSuffix("\(label.suffix(2)))")) }
        }
    }

    @Test
    mutating func `each try waits for at most 250 ms, after fifteen conflicts for five seconds`() {
        var name = AnnouncedName("Twin")
        var now = Duration.zero
        var waits: [Duration] = []
        while let wait = name.takeNext(on: "h4.local", at: now, using: &random) {
            waits.append(wait)
            now += wait + .milliseconds(300)
        }
        #expect(waits.count == 99)
        #expect(waits[..<14].allSatisfy { .zero...(.milliseconds(250)) ~= $0 })
        #expect(waits[14...].allSatisfy { .seconds(5)...(.milliseconds(5_250)) ~= $0 })
        #expect(Set(waits).count > 90, "they are random")
        name.established()
        let wait = name.takeNext(on: "h4.local", at: now, using: &random)
        #expect(wait.map { $0 <= .milliseconds(250) } == true)
    }

    @Test mutating func `conflicts that are far apart are no reason for long waits`() {
        var name = AnnouncedName("Twin")
        for number in 0..<50 {
            let wait = name.takeNext(on: "h4.local", at: .seconds(number), using: &random)
            #expect(wait.map { $0 <= .milliseconds(250) } == true)
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `machines that start together with one name soon have a name each`(seed: UInt64) {
        var link = SimulatedLink(seed: seed, hosts: (1...Int(2 + seed % 11)).map { "h\($0).local" })
        link.run(for: .seconds(4))
        #expect(Set(link.announced).count == link.machines.count, "\(link.announced)")
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `so do two and three machines whose host names do not tell them apart`(seed: UInt64) {
        let hosts = Array(repeating: "h.local", count: Int(2 + seed % 2))
        var link = SimulatedLink(seed: seed, hosts: hosts)
        link.run(for: .seconds(20))
        #expect(Set(link.announced).count == link.machines.count, "\(link.announced)")
    }
}

/// A link on which machines claim names, each of which is probed for 750 ms after a random delay.
///
/// As with libavahi, machines that begin to probe for a name within 100 ms all lose it; otherwise the first one gets it.
private struct SimulatedLink {
    struct Machine {
        let host: String
        var name = AnnouncedName("Twin")
        /// The time at which the next probing begins, or at which it began.
        var probesFrom: Duration
        var isProbing = false
        var isAnnounced = false
    }

    private(set) var machines: [Machine]
    private var random: SeededGenerator
    private var now = Duration.zero

    init(seed: UInt64, hosts: [String]) {
        random = SeededGenerator(seed: seed)
        machines = []
        for host in hosts { machines.append(Machine(host: host, probesFrom: jitter())) }
    }

    var announced: [String] { machines.filter(\.isAnnounced).map(\.name.current) }

    mutating func run(for time: Duration) {
        while now < time {
            for index in machines.indices { advance(index) }
            now += .milliseconds(10)
        }
    }

    private mutating func jitter() -> Duration {
        .milliseconds(250) * Double.random(in: 0...1, using: &random)
    }

    private mutating func advance(_ index: Int) {
        let machine = machines[index]
        guard !machine.isAnnounced, machine.probesFrom <= now else { return }
        if machine.isProbing, now >= machine.probesFrom + .milliseconds(750) {
            machines[index].isAnnounced = true
            machines[index].name.established()
            return
        }
        guard !machine.isProbing else { return }
        machines[index].isProbing = true
        let others = machines.indices.filter { other in
            other != index && machines[other].name.current == machine.name.current
                && (machines[other].isProbing || machines[other].isAnnounced)
        }
        guard !others.isEmpty else { return }
        let rivals = others.filter { other in
            !machines[other].isAnnounced
                && machine.probesFrom - machines[other].probesFrom < .milliseconds(100)
        }
        for loser in rivals + [index] { lose(loser) }
    }

    private mutating func lose(_ index: Int) {
        let wait = machines[index].name.takeNext(
            on: machines[index].host, at: now, using: &random)
        machines[index].isProbing = false
        machines[index].probesFrom = now + (wait ?? .seconds(3_600)) + jitter()
    }
}
