// What follows when the clock of the day is set: the stack takes all that it knows for expired.
import Glibc

extension LinkBrowser {
    /// A clock that is adjusted a little expires nothing.
    private static let clockStep = Duration.seconds(5)

    /// How far the clock of the day is ahead of one that nobody sets, and that stands still while the
    /// machine sleeps.
    static var clockLead: Duration { clockTime(CLOCK_REALTIME) - clockTime(CLOCK_MONOTONIC) }

    /// Whether the clock of the day was set since browsing began; asked when something is said to be gone.
    ///
    /// Avahi measures times to live by that clock, and after such a step says of everybody that they
    /// are gone or silent, which is not believed: all is looked for anew, as a list does that is
    /// started then.
    func clockWasSet() -> Bool {
        let step = Self.clockLead - browsing.clockLead
        guard step > Self.clockStep || step < .zero - Self.clockStep else { return false }
        if !browsing.isStale {
            browsing.isStale = true
            Task { if browsing.isStale { lookAnew() } }
        }
        return true
    }
}

private func clockTime(_ clock: clockid_t) -> Duration {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
