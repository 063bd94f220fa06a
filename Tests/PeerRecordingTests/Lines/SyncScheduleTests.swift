// Tests the times at which lines are synced to disk.
import Testing

@testable import PeerRecording

@Suite struct SyncScheduleTests {
    private let start = ContinuousClock.now

    @Test func `with 'line', each line is synced`() {
        var schedule = SyncSchedule(.line)
        let isDue = schedule.wrote(at: start)
        #expect(isDue)
        #expect(schedule.due == nil)
    }

    @Test func `with 'none', nothing is synced`() {
        var schedule = SyncSchedule(.none)
        let isDue = schedule.wrote(at: start)
        #expect(!isDue)
        #expect(schedule.due == nil)
    }

    @Test func `with 'second', a sync is due one second after the first unsynced line`() {
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
}
