// What follows when the clock is set that the stack goes by: its times to live mean nothing any more.
import Glibc

extension LinkBrowser {
    /// A clock that is adjusted a little expires nothing.
    private static let adjustment = Duration.seconds(5)
    /// How often it is looked whether the clock was set.
    private static let clockCheck = Duration.seconds(30)

    /// How far the stack's clock is ahead of one that nobody sets, and that stands still while the
    /// machine sleeps.
    ///
    /// The daemon goes by the clock of the day, the helper by one that goes on evenly.
    private var clockLead: Duration {
        clockTime(backend == .daemon ? CLOCK_REALTIME : CLOCK_BOOTTIME)
            - clockTime(CLOCK_MONOTONIC)
    }

    func beginWatchingClock() {
        browsing.clockLead = clockLead
        browsing.clockDue = now + Self.clockCheck
    }

    /// Whether what is said to be gone or silent may only have expired as the clock was set ahead.
    ///
    /// Avahi then says so of everybody, which is not believed: all is looked for anew, as a list does
    /// that is started then. Where the clock was set back nothing expires, so that who is gone has
    /// said so.
    func mayHaveExpiredByClock() -> Bool {
        guard clockStep > .zero else { return false }
        becomeStale()
        return true
    }

    /// When it is looked whether the clock was set, or `nil` for never.
    func clockDeadline() -> Duration? { browsing.clockDue }

    /// Looks whether the clock was set: one that was set back keeps Avahi from asking for as long, and
    /// nothing would tell.
    func continueClock() {
        guard let due = browsing.clockDue, due <= now else { return }
        browsing.clockDue = now + Self.clockCheck
        if clockStep != .zero { becomeStale() }
    }

    /// By how much the clock was set since browsing began.
    private var clockStep: Duration {
        let step = clockLead - browsing.clockLead
        return max(step, .zero - step) > Self.adjustment ? step : .zero
    }

    /// All is about to be looked for anew.
    private func becomeStale() {
        guard !browsing.isStale else { return }
        browsing.isStale = true
        Task { if browsing.isStale { lookAnew() } }
    }
}

private func clockTime(_ clock: clockid_t) -> Duration {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
