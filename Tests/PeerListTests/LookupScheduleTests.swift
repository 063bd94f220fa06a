// Which service is asked next, and which lookups stay open.
import FoundationEssentials
import Testing

@testable import PeerList

@Suite struct LookupScheduleTests {
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

    @Test func `those who keep silent do not keep the rotation waiting`() {
        ask(6)
        for id in plan.open() { #expect(!plan.failed(id, isOpen: false, at: .zero)) }
        for id in plan.open() { #expect(!plan.answered(id, at: .zero)) }
        #expect(Set(plan.open(at: .seconds(110))) == Set(ids[..<3]))
        for id in ids[..<3] { #expect(!plan.failed(id, isOpen: false, at: .seconds(115))) }
        #expect(Set(plan.open(at: .seconds(125))) == Set(ids[3..<6]))
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

    @Test func `while the daemon has other work, only who has waited for seconds is slow`() {
        ask(2)
        _ = plan.open()
        #expect(plan.deadline(calmFrom: .seconds(1)) == .seconds(1))
        #expect(plan.takeSlow(calmFrom: .seconds(1), at: .milliseconds(999)) == [])
        #expect(plan.deadline(calmFrom: .seconds(9)) == .milliseconds(3500))
        #expect(plan.takeSlow(calmFrom: .seconds(9), at: .milliseconds(3499)) == [])
        #expect(plan.takeSlow(calmFrom: .seconds(9), at: .milliseconds(3500)) == Array(ids[..<2]))
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

extension LookupScheduleTests {
    @Test func `those who keep silent give way to others, but for half of the window`() {
        let plan = SmallSchedule(inFlight: 4)
        for id in ids.prefix(4) { plan.ask(id, at: .zero) }
        _ = plan.open()
        #expect(plan.takeSlow(at: .milliseconds(500)).count == 4)
        #expect(plan.predecessors(at: .seconds(9)) == [], "nobody waits")
        for id in ids[4...] { plan.ask(id, at: .milliseconds(600)) }
        #expect(plan.predecessors(at: .milliseconds(600)) == [], "they have their time")
        #expect(plan.deadline() == .milliseconds(1500))
        #expect(plan.predecessors(at: .milliseconds(1500)) == [ids[2], ids[3]])
        #expect(plan.openCount == 4)
        #expect(!plan.answered(ids[0], at: .seconds(2)))
    }

    @Test func `who comes behind many who keep silent is asked in the next turn`() {
        let plan = SmallSchedule(inFlight: 4)
        for id in ids.dropLast() { plan.ask(id, at: .zero) }
        #expect(plan.open() == Array(ids[..<4]))
        _ = plan.takeSlow(at: .milliseconds(500))
        #expect(plan.isHeldUp)
        plan.ask(ids[9], at: .milliseconds(600))
        #expect(plan.open(at: .milliseconds(1500)) == [ids[9], ids[4]])
    }

    @Test func `who gave way is asked again when nobody waits who never was`() {
        let plan = SmallSchedule(inFlight: 4)
        for id in ids.prefix(6) { plan.ask(id, at: .zero) }
        _ = plan.open()
        _ = plan.takeSlow(at: .milliseconds(500))
        #expect(plan.open(at: .milliseconds(1500)).count == 2)
        for id in ids[4..<6] { #expect(!plan.answered(id, at: .seconds(2))) }
        #expect(plan.open(at: .seconds(2)) == Array(ids[2..<4]))
    }

    @Test func `the rotation does not wait for those who keep silent, however many`() {
        let plan = SmallSchedule(inFlight: 4)
        for id in ids.prefix(6) { plan.ask(id, at: .zero) }
        for id in plan.open() { #expect(!plan.answered(id, at: .zero)) }
        for id in plan.open() { #expect(!plan.answered(id, at: .zero)) }
        for id in ids[6...] { plan.ask(id, at: .seconds(98)) }
        #expect(plan.open(at: .seconds(98)) == Array(ids[6...]))
        _ = plan.takeSlow(at: .milliseconds(98_500))
        #expect(plan.deadline() == .seconds(100))
        #expect(plan.open(at: .seconds(100)) == Array(ids[..<2]))
    }

    @Test func `who has answered before does not give way, so that its silence is found out`() {
        let plan = SmallSchedule(inFlight: 4)
        for id in ids.prefix(6) { plan.ask(id, at: .zero) }
        for id in plan.open() { #expect(!plan.answered(id, at: .zero)) }
        for id in plan.open() { #expect(!plan.answered(id, at: .zero)) }
        #expect(plan.open(at: .seconds(100)).count == 4)
        #expect(plan.takeSlow(at: .seconds(101)).count == 4)
        #expect(!plan.isHeldUp)
        plan.ask(ids[9], at: .seconds(101))
        #expect(plan.predecessors(at: .seconds(104)) == [])
        #expect(!plan.failed(ids[0], isOpen: false, at: .seconds(105)))
        #expect(plan.open(at: .seconds(105)) == [ids[9]])
    }

    @Test func `nobody gives way where that makes no room, because fewer are allowed now`() {
        let plan = SmallSchedule(inFlight: 4)
        for id in ids.prefix(6) { plan.ask(id, at: .zero) }
        _ = plan.open()
        _ = plan.takeSlow(at: .milliseconds(500))
        plan.allow(inFlight: 2)
        #expect(plan.open(at: .seconds(9)) == [])
        #expect(plan.openCount == 4, "their lookups are still open")
        #expect(!plan.failed(ids[0], isOpen: false, at: .seconds(9)))
        #expect(!plan.failed(ids[1], isOpen: false, at: .seconds(9)))
        #expect(plan.predecessors(at: .seconds(9)) == [ids[3]])
    }

    @Test func `it is busy until the last one has been asked`() {
        #expect(!plan.isBusy())
        ask(5)
        #expect(plan.open().count == 3)
        #expect(plan.isBusy())
        #expect(plan.answered(ids[0], at: .zero))
        #expect(plan.answered(ids[1], at: .zero))
        #expect(plan.open() == ids[3...4].map { $0 })
        #expect(!plan.isBusy())
    }
}

/// A schedule with room for a few in flight and five kept, in a form that expectations can call.
private final class SmallSchedule {
    private var schedule: LookupSchedule<UUID>

    init(inFlight: Int = 3) {
        schedule = LookupSchedule(
            limits: LookupSchedule.Limits(
                inFlight: inFlight, kept: 5, round: .seconds(100),
                retry: .seconds(10),
                slow: .milliseconds(500), grace: .seconds(1)))
    }

    var count: Int { schedule.count }
    var openCount: Int { schedule.openCount }
    func allow(inFlight: Int) { schedule.allow(inFlight: inFlight, kept: 0) }
    func ask(_ id: UUID, at now: Duration) { schedule.ask(id, at: now) }

    func remove(_ id: UUID) { schedule.remove(id) }
    func answered(_ id: UUID, at now: Duration) -> Bool { schedule.answered(id, at: now) }
    func isBusy() -> Bool { schedule.isBusy() }
    var isHeldUp: Bool { schedule.isHeldUp }
    func takeSlow(calmFrom calm: Duration = .zero, at now: Duration) -> [UUID] {
        schedule.takeSlow(calmFrom: calm, at: now)
    }

    func releaseKept(at now: Duration) -> [UUID] { schedule.releaseKept(at: now) }
    func deadline(calmFrom calm: Duration = .zero) -> Duration? {
        schedule.deadline(calmFrom: calm)
    }

    func failed(_ id: UUID, isOpen: Bool, at now: Duration) -> Bool {
        schedule.failed(id, isOpen: isOpen, at: now)
    }

    /// Opens all there is room for.
    func open(at now: Duration = .zero) -> [UUID] {
        var opened: [UUID] = []
        while let turn = schedule.next(at: now) { opened.append(turn.id) }
        return opened
    }

    /// Opens all there is room for, and tells whose lookups are closed for it.
    func predecessors(at now: Duration) -> [UUID] {
        var closed: [UUID] = []
        while let turn = schedule.next(at: now) {
            if let id = turn.predecessor { closed.append(id) }
        }
        return closed
    }
}
