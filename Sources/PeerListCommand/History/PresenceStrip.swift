// The last hour in equal intervals, and the presence of an item in them.
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

/// Equal intervals of the hour up to a time, which is in the last one.
struct HourBuckets {
    let count: Int
    private let width: Int
    /// The number of the first interval since 1970.
    private let first: Int

    /// Divides the hour up to a time into 1 to 60 intervals.
    init(until end: Timestamp, count: Int) {
        self.count = min(max(count, 1), 60)
        width = 3_600_000_000 / self.count
        first = number(of: end, width) - self.count + 1
    }

    /// Returns the intervals that overlap a period.
    func buckets(from start: Timestamp, to end: Timestamp) -> Range<Int> {
        let low = max(number(of: start, width) - first, 0)
        let high = min(number(of: end, width) - first, count - 1)
        return low <= high ? low..<high + 1 : 0..<0
    }
}

/// Returns the number of the interval that contains a time, rounded down, also before 1970.
private func number(of time: Timestamp, _ width: Int) -> Int {
    let time = Int(time.microseconds)
    return (time >= 0 ? time : time - width + 1) / width
}
