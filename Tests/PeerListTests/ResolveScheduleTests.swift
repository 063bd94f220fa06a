// Which service is asked next, and which lookups stay open.
import FoundationEssentials
import Testing

@testable import PeerList

@Suite struct ResolveScheduleTests {
    private let ids = (0..<10).map { Identity.uuid(forName: "s\($0)") }
    private let limits = ResolveSchedule.Limits(
        inFlight: 3, kept: 5, round: .seconds(100), retry: .seconds(10), slow: .milliseconds(500))

    private func schedule(asking count: Int) -> ResolveSchedule {
        var schedule = ResolveSchedule(limits: limits)
        for id in ids.prefix(count) { schedule.ask(id, at: .zero) }
        return schedule
    }

    /// Opens all there is room for.
    private func open(_ schedule: inout ResolveSchedule, at now: Duration = .zero) -> [UUID] {
        var opened: [UUID] = []
        while let id = schedule.next(at: now) { opened.append(id) }
        return opened
    }

    @Test func `no more are in flight than the window holds, in the order of their finding`() {
        var schedule = schedule(asking: 5)
        #expect(open(&schedule) == Array(ids.prefix(3)))
        #expect(schedule.answered(ids[1], at: .zero))
        #expect(open(&schedule) == [ids[3]])
        #expect(schedule.openCount == 4)
    }

    @Test func `while there are few every lookup stays open, and none is asked again`() {
        var schedule = schedule(asking: 3)
        for id in open(&schedule) { #expect(schedule.answered(id, at: .seconds(1))) }
        #expect(schedule.deadline() == .milliseconds(500) || schedule.deadline() == nil)
        #expect(schedule.takeSlow(at: .seconds(2)) == [])
        #expect(open(&schedule, at: .seconds(1000)) == [])
        #expect(schedule.openCount == 3)
    }

    @Test func `beyond the limit kept lookups are released, and all are asked in rotation`() {
        var schedule = schedule(asking: 5)
        for id in open(&schedule) { #expect(schedule.answered(id, at: .zero)) }
        schedule.ask(ids[5], at: .seconds(1))
        #expect(Set(schedule.releaseKept(at: .seconds(1))) == Set(ids.prefix(3)))
        #expect(schedule.releaseKept(at: .seconds(1)) == [])

        #expect(open(&schedule, at: .seconds(1)) == [ids[3], ids[4], ids[5]])
        for id in ids[3...5] { #expect(!schedule.answered(id, at: .seconds(1))) }
        #expect(schedule.openCount == 0)
        #expect(schedule.deadline() == .seconds(101))
        #expect(open(&schedule, at: .seconds(100)) == [])
        #expect(open(&schedule, at: .seconds(101)).count == 3)
    }

    @Test func `one that did not answer is asked again sooner, unless its lookup stays open`() {
        var schedule = schedule(asking: 2)
        _ = open(&schedule)
        #expect(!schedule.failed(ids[0], isOpen: false, at: .seconds(5)))
        #expect(schedule.failed(ids[1], isOpen: true, at: .seconds(5)))
        #expect(schedule.takeSlow(at: .seconds(5)) == [])
        #expect(schedule.deadline() == .seconds(15))
        #expect(open(&schedule, at: .seconds(15)) == [ids[0]])
    }

    @Test func `a slow one is told once, and one that answered or left is not`() {
        var schedule = schedule(asking: 3)
        _ = open(&schedule)
        _ = schedule.answered(ids[0], at: .zero)
        schedule.remove(ids[1])
        #expect(schedule.deadline() == .milliseconds(500))
        #expect(schedule.takeSlow(at: .milliseconds(499)) == [])
        #expect(schedule.takeSlow(at: .milliseconds(500)) == [ids[2]])
        #expect(schedule.takeSlow(at: .seconds(9)) == [])
    }

    @Test func `one that left leaves its room, and its late answer changes nothing`() {
        var schedule = schedule(asking: 4)
        _ = open(&schedule)
        schedule.remove(ids[0])
        #expect(!schedule.answered(ids[0], at: .zero))
        #expect(open(&schedule) == [ids[3]])
        #expect(schedule.count == 3)
    }

    @Test func `asking anew takes a kept one back into the queue once`() {
        var schedule = schedule(asking: 1)
        _ = open(&schedule)
        _ = schedule.answered(ids[0], at: .zero)
        schedule.ask(ids[0], at: .seconds(1))
        schedule.ask(ids[0], at: .seconds(2))
        #expect(open(&schedule, at: .seconds(2)) == [ids[0]])
        #expect(schedule.openCount == 1)
    }
}
