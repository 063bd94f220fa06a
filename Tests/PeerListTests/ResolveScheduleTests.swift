// Which service is asked next, and which lookups stay open.
import FoundationEssentials
import Testing

@testable import PeerList

@Suite struct ResolveScheduleTests {
    private let ids = (0..<10).map { Identity.uuid(forName: "s\($0)") }
    private let plan = SmallSchedule()

    init() {}

    private func ask(_ count: Int) {
        for id in ids.prefix(count) { plan.ask(id, at: .zero) }
    }

    @Test func `no more are in flight than the window holds, in the order of their finding`() {
        ask(5)
        #expect(plan.open() == Array(ids.prefix(3)))
        #expect(plan.answered(ids[1], at: .zero))
        #expect(plan.open() == [ids[3]])
        #expect(plan.openCount == 4)
    }

    @Test func `while there are few every lookup stays open, and none is asked again`() {
        ask(3)
        for id in plan.open() { #expect(plan.answered(id, at: .seconds(1))) }
        #expect(plan.deadline() == .milliseconds(500) || plan.deadline() == nil)
        #expect(plan.takeSlow(at: .seconds(2)) == [])
        #expect(plan.open(at: .seconds(1000)) == [])
        #expect(plan.openCount == 3)
    }

    @Test func `beyond the limit kept lookups are released, and all are asked in rotation`() {
        ask(5)
        for id in plan.open() { #expect(plan.answered(id, at: .zero)) }
        plan.ask(ids[5], at: .seconds(1))
        #expect(Set(plan.releaseKept(at: .seconds(1))) == Set(ids.prefix(3)))
        #expect(plan.releaseKept(at: .seconds(1)) == [])

        #expect(plan.open(at: .seconds(1)) == [ids[3], ids[4], ids[5]])
        for id in ids[3...5] { #expect(!plan.answered(id, at: .seconds(1))) }
        #expect(plan.openCount == 0)
        #expect(plan.deadline() == .seconds(101))
        #expect(plan.open(at: .seconds(100)) == [])
        #expect(plan.open(at: .seconds(101)).count == 3)
    }

    @Test func `one that did not answer is asked again sooner, unless its lookup stays open`() {
        ask(2)
        _ = plan.open()
        #expect(!plan.failed(ids[0], isOpen: false, at: .seconds(5)))
        #expect(plan.failed(ids[1], isOpen: true, at: .seconds(5)))
        #expect(plan.takeSlow(at: .seconds(5)) == [])
        #expect(plan.deadline() == .seconds(15))
        #expect(plan.open(at: .seconds(15)) == [ids[0]])
    }

    @Test func `a slow one is told once, and one that answered or left is not`() {
        ask(3)
        _ = plan.open()
        _ = plan.answered(ids[0], at: .zero)
        plan.remove(ids[1])
        #expect(plan.deadline() == .milliseconds(500))
        #expect(plan.takeSlow(at: .milliseconds(499)) == [])
        #expect(plan.takeSlow(at: .milliseconds(500)) == [ids[2]])
        #expect(plan.takeSlow(at: .seconds(9)) == [])
    }

    @Test func `one that left leaves its room, and its late answer changes nothing`() {
        ask(4)
        _ = plan.open()
        plan.remove(ids[0])
        #expect(!plan.answered(ids[0], at: .zero))
        #expect(plan.open() == [ids[3]])
        #expect(plan.count == 3)
    }

    @Test func `asking anew takes a kept one back into the queue once`() {
        ask(1)
        _ = plan.open()
        _ = plan.answered(ids[0], at: .zero)
        plan.ask(ids[0], at: .seconds(1))
        plan.ask(ids[0], at: .seconds(2))
        #expect(plan.open(at: .seconds(2)) == [ids[0]])
        #expect(plan.openCount == 1)
    }
}

extension ResolveScheduleTests {
    @Test func `what the daemon knew is asked at once, what the network brings after a moment`() {
        plan.add(ids[0], isKnown: false, at: .zero)
        plan.add(ids[1], isKnown: true, at: .zero)
        #expect(plan.open() == [ids[1]])
        #expect(plan.deadline() == .milliseconds(20))
        #expect(plan.open(at: .milliseconds(20)) == [ids[0]])
    }

    @Test func `while new ones pour in none is asked, until that is over`() {
        for (number, id) in ids.prefix(5).enumerated() {
            plan.add(id, isKnown: false, at: .milliseconds(number * 10))
        }
        #expect(plan.open(at: .milliseconds(199)) == [])
        #expect(plan.deadline(at: .milliseconds(199)) == .milliseconds(219))
        #expect(plan.open(at: .milliseconds(200)) == Array(ids.prefix(3)))
    }

    @Test func `who pours in without end does not keep the others from being asked`() {
        for tick in 0..<400 {
            plan.add(ids[tick % 10], isKnown: false, at: .milliseconds(tick * 10))
            if 5..<300 ~= tick { #expect(plan.open(at: .milliseconds(tick * 10 + 5)) == []) }
        }
        #expect(!plan.open(at: .milliseconds(4100)).isEmpty)
    }

    @Test func `what was told while the daemon kept a call waiting is no rush`() {
        plan.daemonIsFree(at: .milliseconds(10))
        for (number, id) in ids.enumerated() {
            plan.add(id, isKnown: false, at: .milliseconds(10 + number))
        }
        #expect(plan.open(at: .milliseconds(40)) == Array(ids.prefix(3)))
        plan.answered(ids[0], at: .milliseconds(40))
        #expect(plan.open(at: .milliseconds(109)) == [ids[3]])
        plan.answered(ids[1], at: .milliseconds(110))
        #expect(plan.open(at: .milliseconds(110)) == [])
    }

    @Test func `it is busy while new ones pour in and until the last one has been asked`() {
        #expect(!plan.isBusy(at: .zero))
        for id in ids.prefix(5) { plan.add(id, isKnown: false, at: .zero) }
        #expect(plan.isBusy(at: .milliseconds(50)))
        #expect(plan.open(at: .milliseconds(200)).count == 3)
        #expect(plan.isBusy(at: .milliseconds(200)))
        plan.answered(ids[0], at: .milliseconds(200))
        plan.answered(ids[1], at: .milliseconds(200))
        #expect(plan.open(at: .milliseconds(200)) == ids[3...4].map { $0 })
        #expect(!plan.isBusy(at: .milliseconds(200)))
    }
}

/// A schedule with room for three in flight and five kept, in a form that expectations can call.
private final class SmallSchedule {
    private var schedule = ResolveSchedule(
        limits: ResolveSchedule.Limits(
            inFlight: 3, rush: 5, calm: .milliseconds(100), kept: 5, round: .seconds(100),
            retry: .seconds(10),
            slow: .milliseconds(500)))

    var count: Int { schedule.count }
    var openCount: Int { schedule.openCount }
    func ask(_ id: UUID, at now: Duration) { schedule.ask(id, at: now) }

    func add(_ id: UUID, isKnown: Bool, at now: Duration) {
        schedule.add(id, isKnown: isKnown, at: now)
    }

    func remove(_ id: UUID) { schedule.remove(id) }
    @discardableResult
    func answered(_ id: UUID, at now: Duration) -> Bool { schedule.answered(id, at: now) }
    func daemonIsFree(at now: Duration) { schedule.daemonIsFree(at: now) }
    func isBusy(at now: Duration) -> Bool { schedule.isBusy(at: now) }
    func takeSlow(at now: Duration) -> [UUID] { schedule.takeSlow(at: now) }
    func releaseKept(at now: Duration) -> [UUID] { schedule.releaseKept(at: now) }
    func deadline(at now: Duration = .zero) -> Duration? { schedule.deadline(at: now) }

    func failed(_ id: UUID, isOpen: Bool, at now: Duration) -> Bool {
        schedule.failed(id, isOpen: isOpen, at: now)
    }

    /// Opens all there is room for.
    func open(at now: Duration = .zero) -> [UUID] {
        var opened: [UUID] = []
        while let id = schedule.next(at: now) { opened.append(id) }
        return opened
    }
}
