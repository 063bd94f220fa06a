// How long a helper that has ended stays ended.
import Testing

@testable import PeerList

@Suite struct RestartScheduleTests {
    @Test func `a helper that keeps crashing is started ever later, and in the end every 10 s`() {
        var schedule = RestartSchedule()
        let waits = (0..<10).map { _ in schedule.wait(afterLife: .milliseconds(20)) }
        let doubled = [100, 200, 400, 800, 1_600, 3_200, 6_400].map { Duration.milliseconds($0) }
        #expect(waits == doubled + [.seconds(10), .seconds(10), .seconds(10)])
    }

    @Test func `a helper that has lived for long is started at once`() {
        var schedule = RestartSchedule()
        for _ in 0..<6 { _ = schedule.wait(afterLife: .zero) }
        #expect(schedule.wait(afterLife: .seconds(29)) == .milliseconds(6_400))
        #expect(schedule.wait(afterLife: .seconds(30)) == .milliseconds(100))
        #expect(schedule.wait(afterLife: .zero) == .milliseconds(200))
    }
}
