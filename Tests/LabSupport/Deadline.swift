// Limits on what a test waits for.
import Dispatch
import Glibc

/// The time limit of a wait.
package enum Deadline {
    /// Does something once a time has passed.
    static func after(_ duration: Duration, do action: @escaping @Sendable () -> Void) {
        DispatchQueue.global().asyncAfter(
            deadline: .now() + .nanoseconds(duration.nanoseconds), execute: action)
    }

    /// Returns by how much a limit that has passed is extended: to seven times itself at most, and not at all on a
    /// machine that does little else.
    ///
    /// Takes 10 ms of the processor's time.
    package static func addition(to limit: Duration) -> Duration {
        guard limit > .zero else { return .zero }
        let slowdown = min(slowdown(), 7)
        return slowdown < 1.5 ? .zero : limit * (slowdown - 1)
    }

    /// Returns the time that a computation takes now, divided by the processor's time for it: 1 if no other thread wants
    /// the processor, 4 if the thread has it for a quarter of the time.
    private static func slowdown() -> Double {
        let start = (time(CLOCK_MONOTONIC), time(CLOCK_THREAD_CPUTIME_ID))
        var used = 0.0
        while used < 0.01 { used = time(CLOCK_THREAD_CPUTIME_ID) - start.1 }
        return (time(CLOCK_MONOTONIC) - start.0) / used
    }

    private static func time(_ clock: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension Duration {
    /// The duration in whole nanoseconds.
    var nanoseconds: Int {
        Int(components.seconds) * 1_000_000_000 + Int(components.attoseconds / 1_000_000_000)
    }
}
