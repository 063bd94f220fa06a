// When a service that gave no answer is asked again.
import FoundationEssentials
import Testing

@testable import PeerList

@Suite struct DoubtScheduleTests {
    private let one = Identity.uuid(forName: "one")
    private let two = Identity.uuid(forName: "two")

    @Test func `a silent service is asked again after ten seconds, then less and less often`() {
        var doubts = DoubtSchedule()
        var now = Duration.zero
        for interval in [10, 20, 40, 60, 60] {
            doubts.add(one, at: now)
            let due = now + .seconds(interval)
            #expect(doubts.deadline == due)
            #expect(doubts.due(at: due - .milliseconds(1)) == [])
            #expect(doubts.due(at: due) == [one])
            now = due
        }
    }

    @Test func `one that answered is in doubt no longer, and begins anew when it is again`() {
        var doubts = DoubtSchedule()
        doubts.add(one, at: .zero)
        doubts.add(one, at: .seconds(10))
        doubts.add(two, at: .seconds(10))
        doubts.remove(one)
        #expect(!doubts.contains(one) && doubts.contains(two))
        #expect(doubts.deadline == .seconds(20))
        doubts.add(one, at: .seconds(30))
        #expect(Set(doubts.due(at: .seconds(40))) == [one, two])
    }

    @Test func `strangers cannot make it grow without end`() {
        var doubts = DoubtSchedule()
        for number in 0..<DoubtSchedule.limit + 10 {
            doubts.add(Identity.uuid(forName: "s\(number)"), at: .zero)
        }
        #expect(doubts.due(at: .seconds(10)).count == DoubtSchedule.limit)
    }
}
