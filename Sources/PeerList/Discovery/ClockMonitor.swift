// Handles system clock jumps, which invalidate the stack's record TTLs.

/// The clocks of the machine at one moment.
package struct ClockReading: Sendable, Hashable {
    /// The time since the browser was made, sleep included. The driver sets it back to a second before a deadline that
    /// was missed.
    var now: Duration
    /// The time of day minus the time for which the machine has run, sleep excluded.
    var realTimeLead: Duration
    /// The time that the machine has slept.
    var sleep: Duration
    /// Whether a deadline was missed, because the machine slept or the program could not act.
    var isLate = false

    package init(now: Duration, realTimeLead: Duration = .zero, sleep: Duration = .zero) {
        (self.now, self.realTimeLead, self.sleep) = (now, realTimeLead, sleep)
    }
}

/// Detects that the clock with which a stack measures TTLs was set.
///
/// The daemon uses the time of day. The helper uses a clock that cannot be set, but stops while the machine sleeps; the
/// time of sleep counts as a jump ahead.
///
/// When the clock is set ahead, all records expire at once and the stack reports all services as gone. These reports
/// are ignored, and browsing is restarted. When the clock is set back, nothing expires, so reports of services that are
/// gone are true. But Avahi sends no queries until the clock has caught up, so browsing is restarted too.
struct ClockMonitor {
    /// The maximum adjustment that is not a jump.
    private static let adjustment = Duration.seconds(5)
    private static let interval = Duration.seconds(30)

    private var lead: Duration?
    private var checkDue: Duration?
    private(set) var isRestartDue = false

    /// Starts again from the clocks of a reading.
    mutating func begin(_ backend: Backend, at reading: ClockReading) {
        (lead, checkDue) = (Self.lead(backend, reading), reading.now + Self.interval)
        isRestartDue = false
    }

    mutating func end() { self = ClockMonitor() }

    /// Whether records may have expired only because the clock was set ahead; if so, browsing will be
    /// restarted.
    mutating func hasJumpedAhead(_ backend: Backend, at reading: ClockReading) -> Bool {
        guard step(backend, reading) > .zero else { return false }
        isRestartDue = true
        return true
    }

    func deadline(at now: Duration) -> Duration? { isRestartDue ? now : checkDue }

    mutating func advance(_ backend: Backend, at reading: ClockReading) {
        guard let due = checkDue, due <= reading.now || reading.isLate else { return }
        checkDue = reading.now + Self.interval
        if step(backend, reading) != .zero { isRestartDue = true }
    }

    private func step(_ backend: Backend, _ reading: ClockReading) -> Duration {
        guard let lead else { return .zero }
        let step = Self.lead(backend, reading) - lead
        return max(step, .zero - step) > Self.adjustment ? step : .zero
    }

    private static func lead(_ backend: Backend, _ reading: ClockReading) -> Duration {
        backend == .daemon ? reading.realTimeLead : reading.sleep
    }
}
