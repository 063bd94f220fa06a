// Tests the order of lookups, and which of them stay open.
import FoundationEssentials
import Testing

@testable import PeerList

@Suite struct LookupScheduleTests {
    private let ids = (0..<10).map { Identity.uuid(forName: "s\($0)") }
    private let plan = SmallSchedule()

    init() {}

    private func schedule(_ count: Int) {
        for id in ids.prefix(count) { plan.schedule(id, at: .zero) }
    }

    @Test func `lookups in flight are limited, and opened in the order of scheduling`() {
        schedule(5)
        #expect(plan.open() == Array(ids.prefix(3)))
        #expect(plan.answered(ids[1], at: .zero))
        #expect(plan.open() == [ids[3]])
        #expect(plan.openCount == 4)
    }

    @Test func `while there are few identifiers every lookup stays open, and none is refreshed`() {
        schedule(3)
        for id in plan.open() { #expect(plan.answered(id, at: .seconds(1))) }
        #expect(plan.deadline() == .milliseconds(500) || plan.deadline() == nil)
        #expect(plan.popSlow(at: .seconds(2)) == [])
        #expect(plan.open(at: .seconds(1000)) == [])
        #expect(plan.openCount == 3)
    }

    @Test func `beyond the limit kept lookups are released, and all are refreshed in rotation`() {
        schedule(5)
        for id in plan.open() { #expect(plan.answered(id, at: .zero)) }
        plan.schedule(ids[5], at: .seconds(1))
        #expect(Set(plan.releaseKept(at: .seconds(1))) == Set(ids.prefix(3)))
        #expect(plan.releaseKept(at: .seconds(1)) == [])

        #expect(plan.open(at: .seconds(1)) == [ids[3], ids[4], ids[5]])
        for id in ids[3...5] { #expect(!plan.answered(id, at: .seconds(1))) }
        #expect(plan.openCount == 0)
        #expect(plan.deadline() == .seconds(101))
        #expect(plan.open(at: .seconds(100)) == [])
        #expect(plan.open(at: .seconds(101)).count == 3)
    }

    @Test func `a lookup without an answer is retried sooner, unless it stays open`() {
        schedule(2)
        _ = plan.open()
        #expect(!plan.failed(ids[0], isOpen: false, at: .seconds(5)))
        #expect(plan.failed(ids[1], isOpen: true, at: .seconds(5)))
        #expect(plan.popSlow(at: .seconds(5)) == [])
        #expect(plan.deadline() == .seconds(15))
        #expect(plan.open(at: .seconds(15)) == [ids[0]])
    }

    @Test func `unresponsive hosts do not delay the rotation`() {
        schedule(6)
        for id in plan.open() { #expect(!plan.failed(id, isOpen: false, at: .zero)) }
        for id in plan.open() { #expect(!plan.answered(id, at: .zero)) }
        #expect(Set(plan.open(at: .seconds(110))) == Set(ids[..<3]))
        for id in ids[..<3] { #expect(!plan.failed(id, isOpen: false, at: .seconds(115))) }
        #expect(Set(plan.open(at: .seconds(125))) == Set(ids[3..<6]))
    }

    @Test func `a slow lookup is returned once, an answered or removed one never`() {
        schedule(3)
        _ = plan.open()
        _ = plan.answered(ids[0], at: .zero)
        plan.remove(ids[1])
        #expect(plan.deadline() == .milliseconds(500))
        #expect(plan.popSlow(at: .milliseconds(499)) == [])
        #expect(plan.popSlow(at: .milliseconds(500)) == [ids[2]])
        #expect(plan.popSlow(at: .seconds(9)) == [])
    }

    @Test func `while the daemon is busy a lookup is slow only after seconds`() {
        schedule(2)
        _ = plan.open()
        #expect(plan.deadline(busyUntil: .seconds(1)) == .seconds(1))
        #expect(plan.popSlow(busyUntil: .seconds(1), at: .milliseconds(999)) == [])
        #expect(plan.deadline(busyUntil: .seconds(9)) == .milliseconds(3500))
        #expect(plan.popSlow(busyUntil: .seconds(9), at: .milliseconds(3499)) == [])
        #expect(plan.popSlow(busyUntil: .seconds(9), at: .milliseconds(3500)) == Array(ids[..<2]))
    }

    @Test func `a removed identifier leaves its place, and its late answer changes nothing`() {
        schedule(4)
        _ = plan.open()
        plan.remove(ids[0])
        #expect(!plan.answered(ids[0], at: .zero))
        #expect(plan.open() == [ids[3]])
        #expect(plan.count == 3)
    }

    @Test func `scheduling a kept lookup again queues it once`() {
        schedule(1)
        _ = plan.open()
        _ = plan.answered(ids[0], at: .zero)
        plan.schedule(ids[0], at: .seconds(1))
        plan.schedule(ids[0], at: .seconds(2))
        #expect(plan.open(at: .seconds(2)) == [ids[0]])
        #expect(plan.openCount == 1)
    }
}

extension LookupScheduleTests {
    @Test func `slow lookups are preempted, except half of the places in flight`() {
        let plan = SmallSchedule(inFlight: 4)
        for id in ids.prefix(4) { plan.schedule(id, at: .zero) }
        _ = plan.open()
        #expect(plan.popSlow(at: .milliseconds(500)).count == 4)
        #expect(plan.evicted(at: .seconds(9)) == [], "nobody waits")
        for id in ids[4...] { plan.schedule(id, at: .milliseconds(600)) }
        #expect(plan.evicted(at: .milliseconds(600)) == [], "they have their time")
        #expect(plan.deadline() == .milliseconds(1500))
        #expect(plan.evicted(at: .milliseconds(1500)) == [ids[2], ids[3]])
        #expect(plan.openCount == 4)
        #expect(!plan.answered(ids[0], at: .seconds(2)))
    }

    @Test func `the newest identifier is next while slow lookups fill their half`() {
        let plan = SmallSchedule(inFlight: 4)
        for id in ids.dropLast() { plan.schedule(id, at: .zero) }
        #expect(plan.open() == Array(ids[..<4]))
        _ = plan.popSlow(at: .milliseconds(500))
        #expect(plan.isHeldUp)
        plan.schedule(ids[9], at: .milliseconds(600))
        #expect(plan.open(at: .milliseconds(1500)) == [ids[9], ids[4]])
    }

    @Test func `a preempted lookup is opened again when no new one waits`() {
        let plan = SmallSchedule(inFlight: 4)
        for id in ids.prefix(6) { plan.schedule(id, at: .zero) }
        _ = plan.open()
        _ = plan.popSlow(at: .milliseconds(500))
        #expect(plan.open(at: .milliseconds(1500)).count == 2)
        for id in ids[4..<6] { #expect(!plan.answered(id, at: .seconds(2))) }
        #expect(plan.open(at: .seconds(2)) == Array(ids[2..<4]))
    }

    @Test func `the rotation does not wait for slow lookups, however many`() {
        let plan = SmallSchedule(inFlight: 4)
        for id in ids.prefix(6) { plan.schedule(id, at: .zero) }
        for id in plan.open() { #expect(!plan.answered(id, at: .zero)) }
        for id in plan.open() { #expect(!plan.answered(id, at: .zero)) }
        for id in ids[6...] { plan.schedule(id, at: .seconds(98)) }
        #expect(plan.open(at: .seconds(98)) == Array(ids[6...]))
        _ = plan.popSlow(at: .milliseconds(98_500))
        #expect(plan.deadline() == .seconds(100))
        #expect(plan.open(at: .seconds(100)) == Array(ids[..<2]))
    }

    @Test func `a lookup that was answered before runs until its time-out`() {
        let plan = SmallSchedule(inFlight: 4)
        for id in ids.prefix(6) { plan.schedule(id, at: .zero) }
        for id in plan.open() { #expect(!plan.answered(id, at: .zero)) }
        for id in plan.open() { #expect(!plan.answered(id, at: .zero)) }
        #expect(plan.open(at: .seconds(100)).count == 4)
        #expect(plan.popSlow(at: .seconds(101)).count == 4)
        #expect(!plan.isHeldUp)
        plan.schedule(ids[9], at: .seconds(101))
        #expect(plan.evicted(at: .seconds(104)) == [])
        #expect(!plan.failed(ids[0], isOpen: false, at: .seconds(105)))
        #expect(plan.open(at: .seconds(105)) == [ids[9]])
    }

    @Test func `no lookup is preempted unless that frees a place`() {
        let plan = SmallSchedule(inFlight: 4)
        for id in ids.prefix(6) { plan.schedule(id, at: .zero) }
        _ = plan.open()
        _ = plan.popSlow(at: .milliseconds(500))
        plan.allow(inFlight: 2)
        #expect(plan.open(at: .seconds(9)) == [])
        #expect(plan.openCount == 4, "their lookups are still open")
        #expect(!plan.failed(ids[0], isOpen: false, at: .seconds(9)))
        #expect(!plan.failed(ids[1], isOpen: false, at: .seconds(9)))
        #expect(plan.evicted(at: .seconds(9)) == [ids[3]])
    }

    @Test func `the schedule is busy until the last lookup has been opened`() {
        #expect(!plan.isBusy)
        schedule(5)
        #expect(plan.open().count == 3)
        #expect(plan.isBusy)
        #expect(plan.answered(ids[0], at: .zero))
        #expect(plan.answered(ids[1], at: .zero))
        #expect(plan.open() == ids[3...4].map { $0 })
        #expect(!plan.isBusy)
    }

    @Test func `identifiers that come and go leave nothing in the queues`() {
        var schedule = LookupSchedule<UUID>()
        let waiting = (0..<100).map { Identity.uuid(forName: "waits\($0)") }
        for id in waiting { schedule.schedule(id, at: .zero) }
        var opened = 0
        while schedule.next(at: .zero) != nil { opened += 1 }
        #expect(opened == schedule.limits.inFlight)
        for number in 0..<20_000 {
            let id = Identity.uuid(forName: "goes\(number)")
            schedule.schedule(id, at: .milliseconds(number))
            schedule.remove(id)
        }
        #expect(schedule.count == 100)
        #expect(schedule.positionCount < 1000)
    }
}

/// A schedule with room for a few in flight and five kept, in a form that expectations can call.
private final class SmallSchedule {
    private var schedule: LookupSchedule<UUID>

    init(inFlight: Int = 3) {
        schedule = LookupSchedule(
            limits: LookupSchedule.Limits(
                inFlight: inFlight, kept: 5, refresh: .seconds(100),
                retry: .seconds(10),
                slow: .milliseconds(500), grace: .seconds(1)))
    }

    var count: Int { schedule.count }
    var openCount: Int { schedule.openCount }
    func allow(inFlight: Int) { schedule.allow(inFlight: inFlight, kept: 0) }
    func schedule(_ id: UUID, at now: Duration) { schedule.schedule(id, at: now) }

    func remove(_ id: UUID) { schedule.remove(id) }
    func answered(_ id: UUID, at now: Duration) -> Bool { schedule.answered(id, at: now) }
    var isBusy: Bool { schedule.isBusy }
    var isHeldUp: Bool { schedule.isHeldUp }
    func popSlow(busyUntil: Duration = .zero, at now: Duration) -> [UUID] {
        schedule.popSlow(busyUntil: busyUntil, at: now)
    }

    func releaseKept(at now: Duration) -> [UUID] { schedule.releaseKept(at: now) }
    func deadline(busyUntil: Duration = .zero) -> Duration? {
        schedule.deadline(busyUntil: busyUntil)
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

    /// Opens lookups up to the limit, and returns those that are closed for them.
    func evicted(at now: Duration) -> [UUID] {
        var closed: [UUID] = []
        while let turn = schedule.next(at: now) {
            if let id = turn.evicted { closed.append(id) }
        }
        return closed
    }
}
