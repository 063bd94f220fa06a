// The last hour of an item at a glance: when it was there, in doubt, away.
import PeerList
import TerminalList

/// What is known of an item's being there, for equal stretches of the last hour.
struct PresenceStrip: Sendable, Equatable {
    /// The state of an item in a stretch of time: the worst in it, for the last stretch the current one.
    enum Mark: Int, Sendable, Comparable, CaseIterable {
        /// Nothing is known of it.
        case unseen
        /// It answered.
        case present
        /// It did not answer, or was not resolved, or nobody could be asked.
        case doubtful
        /// It was not in the list.
        case away

        static func < (left: Mark, right: Mark) -> Bool { left.rawValue < right.rawValue }
    }

    /// The stretches, the latest last.
    private(set) var marks: [Mark]

    /// The strip of an item up to a moment.
    ///
    /// Stretches begin at whole multiples of their length, so that the strip
    /// stands still until one is over.
    ///
    /// - Parameters:
    ///   - history: What is remembered of it.
    ///   - end: The moment up to which is shown; never the wall clock's in a recording.
    ///   - buckets: How many stretches the hour has, 1 to 60.
    init(_ history: ItemHistory, until end: Timestamp, buckets: Int = 60) {
        let clock = HourBuckets(until: end, count: buckets)
        marks = Array(repeating: .unseen, count: clock.count)
        for (place, step) in history.states.enumerated() {
            let isLast = place + 1 == history.states.count
            let next = isLast ? max(end, step.time) : history.states[place + 1].time
            guard step.time <= end, next >= step.time else { continue }
            let mark = Self.mark(of: step.state, for: min(next, end), since: step.time)
            for bucket in clock.buckets(from: step.time, to: min(next, end)) {
                marks[bucket] = max(marks[bucket], mark)
            }
            if step.time <= end, isLast || history.states[place + 1].time > end {
                marks[clock.count - 1] = mark
            }
        }
    }

    /// Every service is resolved when it arrives: for some seconds that is no doubt.
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

    /// This strip and another one of the same length: a device is there when one of its services is.
    func joined(with other: PresenceStrip) -> PresenceStrip {
        var result = self
        result.marks = zip(marks, other.marks).map { left, right in
            left == .unseen || right == .unseen ? max(left, right) : min(left, right)
        }
        return result
    }

    /// The strip in one character for each stretch: `··██▒█`, in ASCII `..##?#`.
    func text(charset: Charset) -> String {
        let signs = charset == .ascii ? Array(" #?.") : Array(" █▒·")
        return String(marks.map { signs[$0.rawValue] })
    }

    /// What the signs of ``text(charset:)`` mean.
    static func legend(charset: Charset) -> String {
        charset == .ascii ? "# there, ? in doubt, . away" : "█ there, ▒ in doubt, · away"
    }
}

/// Equal stretches of the hour up to a moment, the last of which holds it.
struct HourBuckets {
    /// How many there are.
    let count: Int
    private let width: Int64
    /// The number of the first stretch since 1970.
    private let first: Int64

    /// The stretches of the hour up to a moment; 1 to 60 of them.
    init(until end: Timestamp, count: Int = 60) {
        self.count = min(max(count, 1), 60)
        width = 3_600_000_000 / Int64(self.count)
        first = floorQuotient(end.microseconds, width) - Int64(self.count) + 1
    }

    /// The stretch that holds a moment; `nil` where none does.
    func bucket(of time: Timestamp) -> Int? {
        let place = floorQuotient(time.microseconds, width) - first
        return 0..<Int64(count) ~= place ? Int(place) : nil
    }

    /// The stretches that hold something of a span.
    func buckets(from start: Timestamp, to end: Timestamp) -> Range<Int> {
        let low = floorQuotient(start.microseconds, width) - first
        let high = floorQuotient(end.microseconds, width) - first
        guard high >= 0, low < Int64(count), low <= high else { return 0..<0 }
        return Int(max(low, 0))..<Int(min(high, Int64(count) - 1)) + 1
    }
}

/// The quotient, rounded down: moments before 1970 are as good as any.
private func floorQuotient(_ number: Int64, _ divisor: Int64) -> Int64 {
    number >= 0 ? number / divisor : -((-(number + 1)) / divisor) - 1
}
