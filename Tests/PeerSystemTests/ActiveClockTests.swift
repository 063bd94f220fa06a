// Tests that a limit which a thread has missed is put off.
import Testing

@testable import PeerSystem

@Suite struct ActiveClockTests {
    private func advance(
        _ clock: inout ActiveClock, to time: Duration, limit: Duration?, isLate: Bool
    ) {
        let result = clock.advance(to: time, limit: limit)
        #expect(result == isLate)
    }

    @Test func `a thread in time sees all time pass`() {
        var clock = ActiveClock()
        for tenth in 1...100 {
            let time = Duration.milliseconds(100 * tenth)
            advance(&clock, to: time, limit: time - .milliseconds(400), isLate: false)
            #expect(clock.now == time)
        }
        advance(&clock, to: .seconds(1_000), limit: nil, isLate: false)
        #expect(clock.now == .seconds(1_000))
    }

    @Test func `a limit that passed while the thread could not act is a second away`() {
        var clock = ActiveClock()
        clock.advance(to: .seconds(2), limit: .seconds(5))
        advance(&clock, to: .seconds(65), limit: .seconds(5), isLate: true)
        #expect(clock.now == .seconds(4))
        #expect(clock.time(of: .seconds(5)) == .seconds(66))
        advance(&clock, to: .seconds(66), limit: .seconds(5), isLate: false)
        #expect(clock.now == .seconds(5))
        advance(&clock, to: .seconds(68), limit: .seconds(9), isLate: false)
        #expect(clock.now == .seconds(7))
    }

    @Test func `a clock never goes back`() {
        var clock = ActiveClock()
        clock.advance(to: .seconds(2), limit: .seconds(3))
        advance(&clock, to: .seconds(60), limit: .milliseconds(2_100), isLate: true)
        #expect(clock.now == .seconds(2))
        // A limit of the past is no reason to go back either.
        advance(&clock, to: .seconds(90), limit: .seconds(1), isLate: true)
        #expect(clock.now == .seconds(2))
    }

    @Test func `a limit that was near when the thread was stopped is a second away too`() {
        var clock = ActiveClock()
        clock.advance(to: .milliseconds(4_990), limit: .seconds(5))
        advance(&clock, to: .seconds(65), limit: .seconds(5), isLate: true)
        #expect(clock.now == .milliseconds(4_990))
        #expect(clock.time(of: .seconds(5)) == .seconds(66))
        advance(&clock, to: .milliseconds(65_500), limit: .seconds(5), isLate: false)
        #expect(clock.now == .milliseconds(4_990))
        advance(&clock, to: .seconds(66), limit: .seconds(5), isLate: false)
        #expect(clock.now == .seconds(5))
    }

    @Test func `a wait lasts for its duration, and ends when its task is cancelled`() async {
        let start = ContinuousClock.now
        await ActiveClock.wait(for: .milliseconds(20))
        #expect(ContinuousClock.now - start >= .milliseconds(20))
        let waiting = Task { await ActiveClock.wait(for: .seconds(3_600)) }
        waiting.cancel()
        await waiting.value
    }

    @Test func `a thread that is always late gets past each limit`() {
        var clock = ActiveClock()
        var time = Duration.zero
        for second in 1...20 {
            let limit = Duration.seconds(second)
            var rounds = 0
            while clock.now < limit {
                time += .seconds(30)
                clock.advance(to: time, limit: limit)
                rounds += 1
            }
            #expect(rounds <= 2)
        }
    }
}
