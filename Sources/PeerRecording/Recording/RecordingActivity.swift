// How many came and left, over the whole of a recording: what a time line is drawn from.
public import PeerList

/// Arrivals and departures by time, in at most ``limit`` slices of equal length.
///
/// The slices are of a second at first. When a recording turns out to be longer
/// than they reach, two become one, so it needs the same room however long it is.
public struct RecordingActivity: Sendable, Equatable {
    /// How many came and how many left.
    public struct Count: Sendable, Equatable {
        /// How many items came.
        public var arrivals = 0
        /// How many items left.
        public var departures = 0

        static func += (left: inout Count, right: Count) {
            left.arrivals += right.arrivals
            left.departures += right.departures
        }
    }

    /// How many slices there are at most.
    public static let limit = 2048

    /// The first and the latest time; `nil` before the first line.
    public private(set) var span: ClosedRange<Timestamp>?

    private var slices: [Count] = []
    /// How long a slice is, in microseconds.
    private var width: Int64 = 1_000_000
    /// Where the first slice begins.
    private var origin: Int64 { span?.lowerBound.microseconds ?? 0 }

    /// Nothing yet.
    public init() {}

    /// Counts in what happened at a time.
    ///
    /// A time before the first one, as after a clock was set, counts as the first one.
    ///
    /// - Complexity: O(1), but for at most 45 times in the life of a recording O(``limit``).
    mutating func add(_ count: Count, at time: Timestamp) {
        if let span {
            self.span = span.lowerBound...max(span.upperBound, time)
        } else {
            span = time...time
        }
        let distance = max(0, time.microseconds - origin)
        while distance / width >= Self.limit { mergePairs() }
        let slice = Int(distance / width)
        if slice >= slices.count {
            slices += Array(repeating: Count(), count: slice + 1 - slices.count)
        }
        slices[slice] += count
    }

    private mutating func mergePairs() {
        width *= 2
        slices = stride(from: 0, to: slices.count, by: 2).map { place in
            var count = slices[place]
            if place + 1 < slices.count { count += slices[place + 1] }
            return count
        }
    }

    /// The counts in so many columns of equal length from the first time to the last one.
    public func columns(_ count: Int) -> [Count] {
        var columns = Array(repeating: Count(), count: max(0, count))
        for (place, slice) in slices.enumerated() where slice != Count() {
            let time = Timestamp(microseconds: origin + Int64(place) * width)
            if let column = column(of: time, among: count) { columns[column] += slice }
        }
        return columns
    }

    /// The column that a time falls into, or `nil` where there is none.
    public func column(of time: Timestamp, among count: Int) -> Int? {
        guard let span, count > 0 else { return nil }
        let length = Double(span.upperBound.microseconds - span.lowerBound.microseconds)
        let distance = Double(time.microseconds - span.lowerBound.microseconds)
        let part = length > 0 ? max(0, min(1, distance / length)) : 0
        return min(count - 1, Int(part * Double(count)))
    }
}
