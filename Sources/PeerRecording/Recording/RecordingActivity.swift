// Counts arrivals and departures over the time of a recording, for the time line of a replay.
public import PeerModel

/// Arrivals and departures by time, in at most ``limit`` slices of equal length.
///
/// Slices are one second long at first. When the recording exceeds them, pairs
/// are merged, so memory does not depend on the recording's length.
public struct RecordingActivity: Sendable, Equatable {
    /// The numbers of arrivals and departures.
    public struct Count: Sendable, Equatable {
        /// The number of items that arrived.
        public var arrivals = 0
        /// The number of items that left.
        public var departures = 0

        static func += (left: inout Count, right: Count) {
            left.arrivals += right.arrivals
            left.departures += right.departures
        }
    }

    /// The maximum number of slices.
    public static let limit = 2048

    /// The first and the latest time; `nil` before the first line.
    public private(set) var span: ClosedRange<Timestamp>?

    private var slices: [Count] = []
    private var width: Int64 = 1_000_000
    private var origin: Int64 { span?.lowerBound.microseconds ?? 0 }

    /// An empty activity.
    public init() {}

    /// Adds counts at a time. A time before the first time, as after a clock change, counts as the
    /// first.
    ///
    /// - Complexity: O(1), and O(``limit``) at most 45 times per recording.
    mutating func add(_ count: Count, at time: Timestamp) {
        span = span.map { $0.lowerBound...max($0.upperBound, time) } ?? time...time
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
        slices = stride(from: 0, to: slices.count, by: 2).map { index in
            slices[index...].prefix(2).reduce(into: Count(), +=)
        }
    }

    /// Returns the counts in columns of equal length from the first time to the last.
    public func columns(_ count: Int) -> [Count] {
        var columns = Array(repeating: Count(), count: max(0, count))
        for (index, slice) in slices.enumerated() where slice != Count() {
            let time = Timestamp(microseconds: origin + Int64(index) * width)
            if let column = column(of: time, among: count) { columns[column] += slice }
        }
        return columns
    }

    /// Returns the column of a time; `nil` if there are no columns or no times.
    public func column(of time: Timestamp, among count: Int) -> Int? {
        guard let span, count > 0 else { return nil }
        let length = Double(span.upperBound.microseconds - span.lowerBound.microseconds)
        let distance = Double(time.microseconds - span.lowerBound.microseconds)
        let part = length > 0 ? max(0, min(1, distance / length)) : 0
        return min(count - 1, Int(part * Double(count)))
    }
}
