// Hosts that fall silent while their records are still cached, with a clock that the tests set.
import FoundationEssentials
import Testing

@testable import PeerList

@Suite(.timeLimit(.minutes(5))) struct SilenceTests {
    private typealias Asker =
        @Sendable ([LinkProbe.Question]) async throws(ProbeError) -> Set<UUID>

    @Test func `a host is asked 100 s after its last sign of life, and again 7 s after silence`() {
        var detector = SilenceDetector()
        detector.add("h1.local", at: .zero)
        detector.add("h1.local", at: .seconds(40))
        #expect(detector.deadline() == .seconds(100), "a host that is known already is not heard")
        detector.heard("h1.local", at: .seconds(60))
        #expect(detector.takeDue(at: .seconds(159)).hosts.isEmpty)
        #expect(detector.takeDue(at: .seconds(160)).hosts == ["h1.local"])
        #expect(detector.deadline() == nil)
        detector.finish()
        let isSilentAtOnce = detector.missed("h1.local", at: .seconds(163))
        #expect(!isSilentAtOnce)
        #expect(detector.deadline() == .seconds(170))
        #expect(detector.takeDue(at: .seconds(170)).haveMissed)
        detector.finish()
        let isSilent = detector.missed("h1.local", at: .seconds(173))
        #expect(isSilent)
        #expect(detector.deadline() == .seconds(273))
    }

    @Test func `a host that leaves or answers meanwhile is not silent`() {
        var detector = SilenceDetector()
        for host in ["h1.local", "h2.local"] { detector.add(host, at: .zero) }
        #expect(detector.takeDue(at: .seconds(100)).hosts == ["h1.local", "h2.local"])
        detector.finish()
        detector.remove("h1.local")
        detector.heard("h2.local", at: .seconds(101))
        for host in ["h1.local", "h2.local"] {
            let isSilent = detector.missed(host, at: .seconds(103))
            #expect(!isSilent)
        }
        #expect(detector.deadline() == .seconds(201))
    }

    @Test func `at most 32 hosts are asked at once, those that missed a question before others`() {
        var detector = SilenceDetector()
        for number in 1...40 { detector.add("h\(number)", at: .zero) }
        let first = detector.takeDue(at: .seconds(100)).hosts
        #expect(first.count == SilenceDetector.batch)
        for host in first { _ = detector.missed(host, at: .seconds(103)) }
        let second = detector.takeDue(at: .seconds(110))
        #expect(second.hosts == first)
        #expect(second.haveMissed)
        #expect(detector.takeDue(at: .seconds(110)).hosts == (33...40).map { "h\($0)" })
    }

    /// Returns how many services are reported unanswered of a host with three that gave no sign of life for two
    /// minutes, and how many services each question asked for.
    private func unanswered(_ ask: @escaping Asker) async -> (services: Int, asked: [Int]) {
        let browser = LinkBrowser()
        let (asked, entry) = AsyncStream<Int>.makeStream()
        await browser.hear { browser, stack in
            browser.verifying.ask = { questions throws(ProbeError) in
                entry.yield(questions.count)
                return try await ask(questions)
            }
            for name in ["Web 1", "Web 2", "Web 3"] { stack.bring(name, on: "h1.local") }
        }
        for passed in [101, 8] {
            await browser.hearMore { browser, _ in
                browser.start -= .seconds(passed)
                browser.proceed()
            }
            while await browser.isAskingHosts { await Task.yield() }
        }
        await browser.stop()
        entry.finish()
        let services = await browser.events.reduce(into: 0) { count, event in
            if case .unanswered = event.kind { count += 1 }
        }
        return (services, await asked.reduce(into: []) { $0.append($1) })
    }

    @Test func `a host that misses two questions is unanswered with all its services`() async {
        let (services, asked) = await unanswered { _ in [] }
        #expect(services == 3)
        #expect(asked == [1, 3], "one service at first")
    }

    @Test func `a host of which one service alone is silent is there`() async {
        let (services, asked) = await unanswered { questions in
            questions.count == 1 ? [] : [questions[2].service.id]
        }
        #expect(services == 0)
        #expect(asked == [1, 3])
    }

    @Test func `a host that cannot be asked is not unanswered`() async {
        let (services, asked) = await unanswered { _ throws(ProbeError) in
            throw ProbeError(code: 1)
        }
        #expect(services == 0)
        #expect(asked == [1])
    }
}

extension LinkBrowser {
    fileprivate var isAskingHosts: Bool { silence.isAsking }
}
