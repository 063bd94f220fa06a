// How long changes stay visible.

/// How long changes stay visible, counted from the first frame that shows them.
public struct ListTiming: Hashable, Sendable {
    /// How long an arrival or a departure is emphasized.
    public var emphasis: Duration
    /// How long an arrival stays marked after that.
    public var arrival: Duration
    /// How long the row of a deleted item stays in the list.
    public var departure: Duration
    /// How long a change is marked.
    public var update: Duration

    /// Creates timings; those that are left out are a few seconds.
    public init(
        emphasis: Duration = .seconds(2), arrival: Duration = .seconds(3),
        departure: Duration = .seconds(4), update: Duration = .seconds(2)
    ) {
        self.emphasis = emphasis
        self.arrival = arrival
        self.departure = departure
        self.update = update
    }
}
