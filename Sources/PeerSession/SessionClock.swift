// The clocks of a session, and the timer by which it acts without an event.
import PeerModel

/// The clocks of the machine at one moment.
struct Moment: Sendable {
    var instant: ContinuousClock.Instant
    /// The time of day.
    var time: Timestamp

    static func now() -> Moment { Moment(instant: .now, time: .now()) }

    /// Returns the instant of a later time of day, at most a duration away because the clock may have been set back.
    func instant(of time: Timestamp, within limit: Duration) -> ContinuousClock.Instant {
        let wait = Duration.microseconds(time.microseconds - self.time.microseconds)
        return instant + max(.zero, min(wait, limit))
    }

    /// Returns the time of day at an instant if the clock was not set since this moment.
    func time(at instant: ContinuousClock.Instant) -> Timestamp {
        let passed = Int64((instant - self.instant) / .microseconds(1))
        return Timestamp(microseconds: time.microseconds + passed)
    }
}

extension Timestamp {
    /// Returns the time since an earlier one; zero if the clock was set back meanwhile.
    func duration(since earlier: Timestamp) -> Duration {
        .microseconds(max(0, microseconds - earlier.microseconds))
    }
}

/// The timer of a session.
struct SessionTimer {
    private var wait: (due: ContinuousClock.Instant, hasFired: Bool, task: Task<Void, Never>)?

    /// Calls a function at a time.
    ///
    /// A time that is put off leaves the timer as it is, because many events in a row put it off each time.
    mutating func set(to due: ContinuousClock.Instant, _ fire: @escaping @Sendable () -> Void) {
        if let wait, wait.hasFired ? due == wait.due : due >= wait.due { return }
        cancel()
        let task = Task {
            guard (try? await Task.sleep(until: due, clock: .continuous)) != nil else { return }
            fire()
        }
        wait = (due, false, task)
    }

    /// Notes that the function was called.
    mutating func noteFired() { wait?.hasFired = true }

    func cancel() { wait?.task.cancel() }
}
