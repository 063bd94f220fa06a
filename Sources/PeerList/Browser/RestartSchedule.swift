// How long to wait before a helper that has ended is started again.

/// Doubles the time between starts while they do not help.
struct RestartSchedule {
    /// The time until the first start.
    static let first = Duration.milliseconds(100)
    /// The longest time.
    static let longest = Duration.seconds(10)
    /// A life of this length has helped.
    static let longEnough = Duration.seconds(30)

    private var last: Duration?

    /// The time to wait after a life of this length.
    mutating func wait(afterLife life: Duration) -> Duration {
        let helped = life >= Self.longEnough
        let next = helped ? Self.first : last.map { min($0 * 2, Self.longest) } ?? Self.first
        last = next
        return next
    }
}
