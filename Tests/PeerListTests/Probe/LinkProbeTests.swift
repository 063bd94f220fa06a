// Tests a probe's schedule, and probes without queries.
import FoundationEssentials
import Testing

@testable import PeerList

@Suite struct LinkProbeTests {
    @Test func `an overdue query is sent at once, and the wait is never negative`() {
        var sends = LinkProbe.sendTimes[...]
        #expect(LinkProbe.takeDue(from: &sends, at: .zero))
        #expect(LinkProbe.wait(for: sends.first, at: .zero) == .milliseconds(1_100))
        #expect(!LinkProbe.takeDue(from: &sends, at: .milliseconds(1_099)))
        #expect(LinkProbe.wait(for: sends.first, at: .milliseconds(1_099)) == .milliseconds(1))
        #expect(LinkProbe.takeDue(from: &sends, at: .milliseconds(2_500)))
        #expect(sends.isEmpty)
        #expect(LinkProbe.wait(for: sends.first, at: .milliseconds(2_500)) == .milliseconds(500))
        #expect(LinkProbe.wait(for: .seconds(1), at: .seconds(4)) == .zero)
        #expect(LinkProbe.wait(for: nil, at: .seconds(5)) == .zero)
    }

    @Test(arguments: [[], [""], [String(repeating: "x", count: 64), ""]])
    func `a peer that could not be queried is not marked unanswered`(names: [String]) async {
        let questions = names.map { name in
            LinkProbe.Question(
                service: ServiceKey(name: name, type: "_http._tcp", domain: "local"),
                paths: [NetworkPath(interface: 1, family: .ipv4)])
        }
        await #expect(throws: ProbeError.self) { try await LinkProbe(questions).run().get() }
    }
}
