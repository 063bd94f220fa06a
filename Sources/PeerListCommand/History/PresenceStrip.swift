// The last hour in equal intervals: the presence of an item, and the numbers of arrivals and departures.
import PeerList
import TerminalList

/// The presence of an item in equal intervals of the last hour.
struct PresenceStrip: Sendable, Equatable {
    /// The worst state in an interval; in the last interval the current state.
    enum Mark: Int, Sendable, Comparable, CaseIterable {
        /// Nothing is known.
        case unseen
        /// It answered.
        case present
        /// It did not answer, was not resolved, or there was no backend.
        case doubtful
        /// It was not in the list.
        case away

        static func < (left: Mark, right: Mark) -> Bool { left.rawValue < right.rawValue }
    }

    /// The intervals, the latest last.
    private(set) var marks: [Mark]

    /// Creates the strip of an item up to a time.
    ///
    /// Intervals start at multiples of their length, so that the strip shifts only
    /// when one is over.
    ///
    /// - Parameters:
    ///   - history: The history of the item.
    ///   - end: The end of the hour; in a recording never the wall-clock time.
    ///   - buckets: The number of intervals of the hour, 1 to 60.
    init(_ history: ItemHistory, until end: Timestamp, buckets: Int = 60) {
        let hour = HourBuckets(until: end, count: buckets)
        marks = Array(repeating: .unseen, count: hour.count)
        for (index, step) in history.states.enumerated() {
            let isLast = index + 1 == history.states.count
            let next = isLast ? max(end, step.time) : history.states[index + 1].time
            guard step.time <= end, next >= step.time else { continue }
            let mark = Self.mark(of: step.state, for: min(next, end), since: step.time)
            for bucket in hour.buckets(from: step.time, to: min(next, end)) {
                marks[bucket] = max(marks[bucket], mark)
            }
            if isLast || history.states[index + 1].time > end { marks[hour.count - 1] = mark }
        }
    }

    /// The time, in microseconds, for which a new service that is not resolved yet counts as present.
    private static let resolvingLimit = 5_000_000

    private static func mark(
        of state: ItemHistory.State, for end: Timestamp, since start: Timestamp
    ) -> Mark {
        switch state {
        case .listed(.present): .present
        case .listed(.resolving):
            end.microseconds - start.microseconds < resolvingLimit ? .present : .doubtful
        case .listed: .doubtful
        case .away: .away
        }
    }

    /// Returns the strip of a device with the services of both strips: present if one of them is.
    func joined(with other: PresenceStrip) -> PresenceStrip {
        var result = self
        result.marks = zip(marks, other.marks).map { left, right in
            left == .unseen || right == .unseen ? max(left, right) : min(left, right)
        }
        return result
    }

    /// Returns one character for each interval: `··██▒█`, in ASCII `..##?#`.
    func text(charset: Charset) -> String {
        let signs = charset == .ascii ? Array(" #?.") : Array(" █▒·")
        return String(marks.map { signs[$0.rawValue] })
    }

    /// Returns the meanings of the characters of ``text(charset:)``.
    static func legend(charset: Charset) -> String {
        charset == .ascii ? "# there, ? in doubt, . away" : "█ there, ▒ in doubt, · away"
    }
}

/// The times and numbers of arrivals and departures.
struct ArrivalRates: Sendable {
    /// The maximum number of times kept.
    static let limit = 20_000

    private var events: [(time: Timestamp, arrived: Int, left: Int)] = []
    /// Whether times of the last hour were dropped because of the limit.
    private(set) var isIncomplete = false

    /// Records arrivals and departures.
    ///
    /// - Complexity: O(1) amortized.
    mutating func record(arrived: Int, left: Int, at time: Timestamp) {
        guard arrived + left > 0 else { return }
        if events.count >= Self.limit {
            let hourBefore = time.microseconds - 3_600_000_000
            let old = events.prefix { $0.time.microseconds < hourBefore }.count
            let excess = max(old, Self.limit / 4)
            isIncomplete = excess > old
            events.removeFirst(excess)
        }
        events.append((time, arrived, left))
    }

    mutating func rewind(to time: Timestamp) { events.removeAll { $0.time > time } }

    /// Returns the numbers in each minute of the hour up to a time, the latest last.
    ///
    /// - Complexity: O(*n*), where *n* is the number of times.
    func perMinute(until end: Timestamp) -> (arrivals: [Int], departures: [Int]) {
        let hour = HourBuckets(until: end, count: 60)
        var arrivals = Array(repeating: 0, count: hour.count)
        var departures = arrivals
        for event in events {
            for bucket in hour.buckets(from: event.time, to: event.time) {
                arrivals[bucket] += event.arrived
                departures[bucket] += event.left
            }
        }
        return (arrivals, departures)
    }
}

/// Equal intervals of the hour up to a time, which is in the last one.
private struct HourBuckets {
    let count: Int
    private let width: Int64
    /// The number of the first interval since 1970.
    private let first: Int64

    /// Divides the hour up to a time into 1 to 60 intervals.
    init(until end: Timestamp, count: Int) {
        self.count = min(max(count, 1), 60)
        width = 3_600_000_000 / Int64(self.count)
        first = floorQuotient(end.microseconds, width) - Int64(self.count) + 1
    }

    /// Returns the intervals that overlap a period.
    func buckets(from start: Timestamp, to end: Timestamp) -> Range<Int> {
        let low = floorQuotient(start.microseconds, width) - first
        let high = floorQuotient(end.microseconds, width) - first
        guard high >= 0, low < Int64(count), low <= high else { return 0..<0 }
        return Int(max(low, 0))..<Int(min(high, Int64(count) - 1)) + 1
    }
}

/// Returns the quotient rounded down, also for times before 1970.
private func floorQuotient(_ number: Int64, _ divisor: Int64) -> Int64 {
    number >= 0 ? number / divisor : -((-(number + 1)) / divisor) - 1
}
