// How many came and how many left in each minute of the last hour.
import PeerList

/// How many came and left, as exactly as the moments at which that happened.
struct ArrivalRates: Sendable {
    /// More moments of an hour than this are not kept.
    static let limit = 20_000

    private var moments: [(time: Timestamp, arrived: Int, left: Int)] = []
    /// Whether moments of the last hour were dropped because they were too many.
    private(set) var isIncomplete = false

    /// Takes note of arrivals and departures.
    ///
    /// - Complexity: O(1) amortized.
    mutating func note(arrived: Int, left: Int, at time: Timestamp) {
        guard arrived + left > 0 else { return }
        if moments.count >= Self.limit {
            let hourBefore = time.microseconds - 3_600_000_000
            let old = moments.prefix { $0.time.microseconds < hourBefore }.count
            let excess = max(old, Self.limit / 4)
            isIncomplete = excess > old
            moments.removeFirst(excess)
        }
        moments.append((time, arrived, left))
    }

    /// Forgets what came after a moment.
    mutating func rewind(to time: Timestamp) { moments.removeAll { $0.time > time } }

    /// How many came and left in each minute of the hour up to a moment, the latest last.
    ///
    /// - Complexity: O(*n*), where *n* is the number of moments.
    func perMinute(until end: Timestamp) -> (arrivals: [Int], departures: [Int]) {
        let clock = HourBuckets(until: end)
        var arrivals = Array(repeating: 0, count: clock.count)
        var departures = arrivals
        for moment in moments {
            guard let bucket = clock.bucket(of: moment.time) else { continue }
            arrivals[bucket] += moment.arrived
            departures[bucket] += moment.left
        }
        return (arrivals, departures)
    }
}
