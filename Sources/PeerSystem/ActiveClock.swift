// Measures time for a thread that may be unable to act: the machine sleeps, or the program is stopped or starved.

/// A clock that goes back to a second before a limit that its thread has missed.
///
/// While a thread cannot act, what arrives waits in descriptors. If the limit counted as passed before that is read,
/// devices that have answered would count as silent.
package struct ActiveClock: Sendable {
    /// The time by which a thread is late that has acted all along.
    private static let tolerance = Duration.milliseconds(500)
    /// The time for which a missed limit is put off.
    private static let grace = Duration.seconds(1)

    /// The time since the clock was made; it never decreases.
    package private(set) var now = Duration.zero
    /// The time that was not counted.
    private var lost = Duration.zero
    /// The limit that was put off last.
    private var postponed: Duration?

    package init() {}

    /// Sets the clock.
    ///
    /// A limit is put off once, or a thread that is always late would never get past it.
    ///
    /// - Parameters:
    ///   - time: The time since the clock was made, by a clock that never stands still.
    ///   - limit: The time of this clock at which the thread was to act at the latest; `nil` for never.
    /// - Returns: Whether the limit was missed.
    @discardableResult
    package mutating func advance(to time: Duration, limit: Duration?) -> Bool {
        let next = time - lost
        guard let limit, next > limit + Self.tolerance else {
            now = max(now, next)
            return false
        }
        // If the clock was less than the grace before the limit, it stands still until the grace has begun.
        let resumed = max(now, limit) - (limit == postponed ? .zero : Self.grace)
        postponed = limit
        lost += next - resumed
        now = max(now, resumed)
        return true
    }

    /// Returns when a time of this clock comes, by the clock that never stands still.
    package func time(of due: Duration) -> Duration { due + lost }

    /// Waits for a duration, and for a second more if the thread could not act when that was over.
    package static func wait(for limit: Duration) async {
        let start = ContinuousClock.now
        var clock = ActiveClock()
        while clock.now < limit, !Task.isCancelled {
            try? await Task.sleep(until: start + clock.time(of: limit))
            clock.advance(to: ContinuousClock.now - start, limit: limit)
        }
    }
}
