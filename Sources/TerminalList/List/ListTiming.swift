// For how long changes stay visible.

/// For how long changes stay visible, from when they are first drawn.
public struct ListTiming: Hashable, Sendable {
    /// An arrival stands out strongly for so long.
    public var strongArrival: Duration
    /// After that it stands out weakly for so long.
    public var weakArrival: Duration
    /// What left is still shown for so long.
    public var departure: Duration
    /// A change is marked for so long.
    public var update: Duration

    /// Times; what is not given is a few seconds.
    public init(
        strongArrival: Duration = .seconds(2), weakArrival: Duration = .seconds(3),
        departure: Duration = .seconds(4), update: Duration = .seconds(2)
    ) {
        self.strongArrival = strongArrival
        self.weakArrival = weakArrival
        self.departure = departure
        self.update = update
    }
}
