// Measures the time in which a thread could act.

/// A clock that stands still while its thread cannot act: the machine sleeps, or the program is stopped or waits for a
/// processor.
///
/// What arrives meanwhile waits in descriptors. Were the time counted, limits would pass before it is read, and devices
/// that have answered would count as silent.
package struct ActiveClock: Sendable {
    /// The time by which a thread may be late that has acted all along.
    private static let tolerance = Duration.milliseconds(500)
    /// The time for which a limit is put off that passed while the thread could not act.
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
    /// - Returns: Whether the thread could not act for a while.
    @discardableResult
    package mutating func advance(to time: Duration, limit: Duration?) -> Bool {
        let next = time - lost
        guard let limit, next > limit + Self.tolerance else {
            now = max(now, next)
            return false
        }
        let resumed = max(now, limit == postponed ? limit : limit - Self.grace)
        postponed = limit
        lost += next - resumed
        now = resumed
        return true
    }

    /// Returns the duration until a time of this clock, from a time of a clock that never stands still.
    package func duration(until due: Duration, from time: Duration) -> Duration {
        due - (time - lost)
    }
}
