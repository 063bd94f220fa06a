// How soon lines are brought to the disk.
import Glibc
import PeerList
import Testing

@testable import PeerRecording

@Suite(.timeLimit(.minutes(10))) struct SyncScheduleTests {
    private let start = ContinuousClock.now

    @Test func `each line, when that is asked for`() {
        var schedule = SyncSchedule(.line)
        let isDue = schedule.wrote(at: start)
        #expect(isDue)
        #expect(schedule.due == nil)
    }

    @Test func `never, when that is asked for`() {
        var schedule = SyncSchedule(.none)
        let isDue = schedule.wrote(at: start)
        #expect(!isDue)
        #expect(schedule.due == nil)
    }

    @Test func `a second after the first line that is not on the disk`() {
        var schedule = SyncSchedule(.second)
        let early = [0, 999].map { schedule.wrote(at: start + .milliseconds($0)) }
        #expect(early == [false, false])
        #expect(schedule.due == start + .seconds(1))
        let isDue = schedule.wrote(at: start + .seconds(1))
        #expect(isDue)
        schedule.synced()
        #expect(schedule.due == nil)
        let isDueAgain = schedule.wrote(at: start + .seconds(1))
        #expect(!isDueAgain)
    }

    @Test func `the thread that writes is woken in time, though no line comes`() {
        let queue = LineQueue(limit: 1000)
        #expect(queue.take(until: .now + .milliseconds(20)) == .nothing)
        #expect(queue.offer([1]) == nil)
        #expect(queue.take(until: .now) == .work(.lines([1])))
        queue.close {}
        #expect(queue.take(until: .now) == .end)
    }
}
