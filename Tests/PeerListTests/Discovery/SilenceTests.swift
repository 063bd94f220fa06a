// Tests silent hosts with cached records, services that time out, and verification.
import FoundationEssentials
import PeerList
import PeerListTestSupport
import TestSupport
import Testing

@Suite struct SilenceTests {
    /// An engine with a host of three services, each known since the start.
    private func script() -> EngineScript {
        let script = EngineScript.running()
        for name in ["Web 1", "Web 2", "Web 3"] { script.bring(name, on: "h1.local") }
        return script
    }

    /// The number of services that each probe of hosts asks for, in two rounds.
    private func questions(
        _ script: EngineScript, _ answer: ([LinkProbe.Question]) throws(ProbeError) -> Set<UUID>
    ) -> [Int] {
        var counts: [Int] = []
        for time in [Duration.seconds(100), .seconds(7)] {
            script.pass(time)
            counts += script.answerProbes(answer).map(\.questions.count)
        }
        return counts
    }

    @Test func `a host that misses two queries is unanswered with all its services`() {
        let script = script()
        #expect(questions(script) { _ in [] } == [1, 3], "one service at first")
        #expect(script.unanswered.sorted() == ["Web 1", "Web 2", "Web 3"])
    }

    @Test func `a host of which another service answers is present`() {
        let script = script()
        let counts = questions(script) { $0.count == 1 ? [] : [$0[2].service.id] }
        #expect(counts == [1, 3])
        #expect(script.unanswered.isEmpty)
    }

    @Test func `a host that cannot be queried is not marked unanswered`() {
        let script = script()
        let counts = questions(script) { _ throws(ProbeError) in throw ProbeError(code: 1) }
        #expect(counts == [1])
        #expect(script.unanswered.isEmpty)
    }

    @Test func `an unresponsive service is queried again after 10, 20, 40, 60 and 60 s`() {
        let script = script()
        script.send(.verify([key("Web 1").id], 1))
        script.answerProbes { _ in [] }
        for interval in [10, 20, 40, 60, 60] as [Int64] {
            script.pass(.seconds(interval) - .milliseconds(1))
            #expect(
                script.answerProbes { Set($0.map(\.service.id)) }.allSatisfy {
                    $0.id.purpose == .silentHosts
                })
            script.pass(.milliseconds(1))
            #expect(script.answerProbes { _ in [] }.map(\.id.purpose) == [.unresponsive])
        }
        script.send(
            .resolved(resolution("h1.local"), isCached: true), of: .resolver(key("Web 1").id))
        #expect(script.reports.last == .unanswered(key("Web 1")), "the cache is not believed")
        script.answer("Web 1", on: "h1.local")
        script.pass(.seconds(90))
        #expect(script.answerProbes { _ in [] }.isEmpty)
    }

    @Test func `at most 4,096 services are queried again`() {
        let script = EngineScript.running()
        for number in 0..<4_106 { script.bring("s\(number)", on: "h1.local") }
        script.send(.verify((0..<4_106).map { key("s\($0)").id }, 1))
        script.answerProbes { _ in [] }
        #expect(script.unanswered.count == 4_106)
        script.pass(.seconds(10))
        var asked: Set<UUID> = []
        while !script.probes.isEmpty {
            let sent = script.answerProbes { _ in [] }
            asked.formUnion(sent.flatMap(\.questions).map(\.service.id))
        }
        #expect(asked.count == 4_096)
    }

    @Test func `a verification queries 128 services, and their silence counts for all`() {
        let script = EngineScript.running()
        for number in 0..<130 { script.bring("s\(number)", on: "h1.local") }
        let ids = (0..<130).map { key("s\($0)").id }
        script.send(.verify(ids, 7))
        #expect(script.answerProbes { _ in [] }.map(\.questions.count) == [128])
        #expect(script.unanswered.count == 130)
        let results = script.others.compactMap { effect -> Verification? in
            if case .verified(7, let result) = effect { result } else { nil }
        }
        #expect(results == [.unanswered])
    }

    @Test func `a fifth verification at a time is refused, as is one without a backend`() {
        let script = script()
        for number in 1...5 { script.send(.verify([key("Web 1").id], number)) }
        #expect(script.probes.count == 4)
        script.change { $0.state = .failed }
        script.send(.verify([key("Web 1").id], 6))
        let refused = script.others.compactMap { effect -> Int? in
            if case .verified(let number, .unavailable) = effect { number } else { nil }
        }
        #expect(refused == [5, 6])
        script.answerProbes { _ in [] }
        #expect(script.unanswered.isEmpty, "nothing follows from silence without a backend")
    }

    private static let names = (1...100).map { "Web \($0)" }

    /// An engine with a hundred services on both families of eth0, after their lookups through IPv4 timed out.
    private func afterTimeouts() -> EngineScript {
        let script = EngineScript.running()
        for name in Self.names { script.bring(name, on: "h1.local") }
        script.pass(.milliseconds(300))
        for name in Self.names {
            script.appear(name, on: NetworkPath(interface: 2, family: .ipv6))
        }
        for name in Self.names { script.send(.timedOut, of: .resolver(key(name).id)) }
        script.pass(.milliseconds(100))
        return script
    }

    /// The families through which services are resolved.
    private func families(_ script: EngineScript) -> Set<AddressFamily?> {
        Set(
            script.open.values.compactMap { request in
                if case .resolve(_, let path) = request { path.family } else { nil }
            })
    }

    @Test func `services that time out together are probed together, and silent ones unanswered`() {
        let script = afterTimeouts()
        #expect(script.answerProbes { _ in [] }.map(\.questions.count) == [100])
        #expect(families(script) == [.ipv4], "the lookups stay open to report a return")
        #expect(script.unanswered.count == 100)
    }

    @Test func `services that answer a probe are resolved on the other path`() {
        let script = afterTimeouts()
        script.answerProbes { Set($0.map(\.service.id)) }
        #expect(families(script).contains(.ipv6))
        #expect(script.unanswered.isEmpty)
    }

    @Test func `if the link cannot be queried, services are resolved on the other path`() {
        let script = afterTimeouts()
        script.answerProbes { _ throws(ProbeError) in throw ProbeError(code: 1) }
        #expect(families(script).contains(.ipv6))
        #expect(script.unanswered.isEmpty)
    }

    @Test func `a host that leaves or answers meanwhile is not silent`() {
        let script = EngineScript.running()
        for number in 1...2 { script.bring("Web \(number)", on: "h\(number).local") }
        script.pass(.seconds(100))
        #expect(script.probes.map(\.questions.count) == [2])
        script.disappear("Web 1")
        script.answer("Web 2", on: "h2.local")
        script.answerProbes { _ in [] }
        script.pass(.seconds(99))
        #expect(script.probes.isEmpty)
        script.pass(.seconds(1))
        #expect(script.probes.flatMap(\.questions).map(\.service.name) == ["Web 2"])
    }

    @Test func `at most 32 hosts are queried at once, first those that missed a query`() {
        let script = EngineScript.running()
        for number in 1...70 { script.bring("Web \(number)", on: "h\(number).local") }
        func names(_ sent: [(id: ProbeID, questions: [LinkProbe.Question])]) -> [[String]] {
            sent.map { $0.questions.map(\.service.name).sorted() }
        }
        func hosts(_ numbers: ClosedRange<Int>) -> [[String]] {
            [numbers.map { "Web \($0)" }.sorted()]
        }
        script.pass(.seconds(100))
        #expect(names(script.answerProbes { _ in [] }) == hosts(1...32))
        script.pass(.seconds(8))
        #expect(names(script.answerProbes { _ in [] }) == hosts(33...64))
        #expect(names(script.answerProbes { _ in [] }) == hosts(1...32))
        #expect(names(script.answerProbes { _ in [] }) == hosts(65...70))
    }

    // MARK: Signs of life

    /// The hosts of "Web 1" and "Web 2", of which the second has the first one's address from now on.
    private func passAddress() -> EngineScript {
        let script = EngineScript.running()
        for number in 1...2 {
            script.bring("Web \(number)", on: "h\(number).local")
            script.exhaustAddresses(of: "h\(number).local")
            script.addressAppears(number == 1 ? 1 : 2, of: "h\(number).local")
        }
        script.pass(.seconds(30))
        #expect(script.probes.isEmpty)
        script.addressAppears(1, of: "h2.local")
        script.pass(.seconds(3))
        return script
    }

    @Test func `hosts of which one gains the other's address are probed at once`() {
        let script = passAddress()
        let probes = script.answerProbes { _ in [key("Web 2").id] }
        #expect(probes.map(\.id.purpose) == [.sharedAddresses])
        #expect(probes[0].questions.map(\.service.name).sorted() == ["Web 1", "Web 2"])
        #expect(script.unanswered == ["Web 1"])
        script.pass(.seconds(5))
        #expect(script.probes.isEmpty, "once")
    }

    @Test func `hosts that share an address and both answer stay present`() {
        let script = passAddress()
        script.answerProbes { Set($0.map(\.service.id)) }
        #expect(script.unanswered.isEmpty)
        #expect(script.reports.suffix(2).contains(.answered(key("Web 1"))))
    }

    @Test func `an unresponsive host that sends a packet is probed at once`() {
        let script = EngineScript.running()
        script.bring("Web 1", on: "h1.local")
        script.exhaustAddresses(of: "h1.local")
        script.addressAppears(1, of: "h1.local")
        script.send(.verify([key("Web 1").id], 1))
        script.answerProbes { _ in [] }
        #expect(script.unanswered == ["Web 1"])
        script.pass(.seconds(2))
        #expect(script.probes.isEmpty)
        let sender = HeardSender(
            name: "h1.local", address: address(1), interface: eth0, last: Timestamp(microseconds: 0)
        )
        script.send(.witness(.heard([], [sender])))
        script.pass(.zero)
        #expect(
            script.answerProbes { Set($0.map(\.service.id)) }.map(\.id.purpose) == [.unresponsive])
        #expect(script.reports.contains(.answered(key("Web 1"))))
    }
}
