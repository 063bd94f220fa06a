// Limits how often something happens: some times at once, then once in each interval.

/// A token bucket, which begins full.
package struct TokenBucket: Sendable {
    /// The time at which it is full again; `nil` if it is.
    private var fullTime: ContinuousClock.Instant?

    package init() {}

    /// Returns the time from which a bucket of a size, that gains a token in each interval, has one.
    package func nextTime(
        of size: Int, every interval: Duration
    ) -> ContinuousClock.Instant? {
        fullTime.map { $0 - interval * (size - 1) }
    }

    /// Takes a token at a time.
    package mutating func take(at now: ContinuousClock.Instant, every interval: Duration) {
        fullTime = max(fullTime ?? now, now) + interval
    }
}
