// When to say that a limit is reached, and when that it is no longer.

/// Decides when to tell that a limit is reached, how far it is passed, and that it is lifted.
///
/// What is told once is not told again while it stays as it is, nor more often
/// than every few seconds while it changes, so that nobody can fill the lines by
/// going to and fro across a limit.
struct LimitReport {
    /// What is to be told.
    enum News: Hashable {
        /// The limit is reached, or what was said of it is no longer so; the number goes into words.
        case reached(Int)
        /// The limit is no longer reached.
        case lifted
    }

    /// The least time between two of them.
    static let interval = Duration.seconds(5)

    private var told: Int?
    private var toldAt: Duration?

    /// Whether it stands told that the limit is reached.
    var isReached: Bool { told != nil }

    /// What is to be told now.
    ///
    /// - Parameters:
    ///   - count: How far the limit is passed, or `nil` where it is not reached.
    ///   - now: The time since any fixed moment.
    /// - Returns: What is to be told, if anything.
    mutating func news(_ count: Int?, at now: Duration) -> News? {
        guard count != told, toldAt.map({ now >= $0 + Self.interval }) ?? true else { return nil }
        told = count
        toldAt = now
        return count.map(News.reached) ?? .lifted
    }

    /// When there may be something to tell that was held back, or `nil` for never.
    func deadline(_ count: Int?) -> Duration? {
        guard count != told, let toldAt else { return nil }
        return toldAt + Self.interval
    }
}
