// When a file of lines is put away: by size, and at the ends of days.
import Foundation
import Glibc
import PeerList
import TestSupport
import Testing

@testable import PeerRecording

@Suite struct RotationPlanTests {
    private let noon = Timestamp(microseconds: 1_795_262_400_000_000)

    @Test func `a file is full when it has reached its size`() {
        var plan = RotationPlan(.size(1000), size: 0, writtenAt: noon)
        plan.began(with: 100, at: noon)
        plan.wrote(899)
        #expect(!plan.isDue(at: noon))
        plan.wrote(1)
        #expect(plan.isDue(at: noon))
        plan.began(with: 100, at: noon)
        #expect(!plan.isDue(at: noon))
    }

    @Test func `what a former run has written counts`() {
        #expect(RotationPlan(.size(1000), size: 1000, writtenAt: noon).isDue(at: noon))
        #expect(!RotationPlan(.size(1000), size: 999, writtenAt: noon).isDue(at: noon))
        #expect(!RotationPlan(.daily, size: 0, writtenAt: .init(microseconds: 0)).isDue(at: noon))
        #expect(RotationPlan(.daily, size: 1, writtenAt: .init(microseconds: 0)).isDue(at: noon))
    }

    /// Else every line would have a file of its own, once the list alone reaches the size.
    @Test func `a file holds as much again as the list with which it begins`() {
        var plan = RotationPlan(.size(1000), size: 0, writtenAt: noon)
        plan.began(with: 5000, at: noon)
        plan.wrote(4999)
        #expect(!plan.isDue(at: noon))
        plan.wrote(1)
        #expect(plan.isDue(at: noon))
    }

    @Test func `a file of a day ends with the day, however much is in it`() {
        var plan = RotationPlan(.daily, size: 0, writtenAt: noon)
        plan.began(with: 100, at: noon)
        plan.wrote(1 << 40)
        let end = LocalDay.end(after: noon)
        #expect(!plan.isDue(at: Timestamp(microseconds: end.microseconds - 1)))
        #expect(plan.isDue(at: end))
        plan.began(with: 100, at: end)
        #expect(!plan.isDue(at: end))
    }

    /// In a process of its own, because the time zone is the process's.
    @Test(arguments: [
        "UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45",
        "<-03>3<-02>,M11.1.0/0,M2.3.0/0", "<-11>11",
    ])
    func `a day ends at the next midnight, or when the clock has passed over it`(zone: String)
        async
    {
        await #expect(processExitsWith: .success) { [zone] in
            unsafe setenv("TZ", zone, 1)
            tzset()
            var generator = SeededGenerator(seed: 1)
            for _ in 0..<20_000 {
                let time = Timestamp(
                    microseconds: .random(
                        in: 0..<4_000_000_000_000_000, using: &generator))
                let end = LocalDay.end(after: time)
                #expect(end > time)
                #expect(localDay(end) != localDay(time))
                #expect(localDay(Timestamp(microseconds: end.microseconds - 1)) == localDay(time))
            }
        }
    }
}

/// The day of the year and the year, as the C library has them.
private func localDay(_ time: Timestamp) -> [Int32] {
    var clock = time_t(time.microseconds / 1_000_000)
    var parts = unsafe tm()
    unsafe localtime_r(&clock, &parts)
    return unsafe [parts.tm_year, parts.tm_yday]
}
