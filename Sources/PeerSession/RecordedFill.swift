// Decides when the initial fill of a recorded list ends.
package import PeerHappenings
package import PeerModel

/// The initial fill of a recorded list: it ends when a line says so, or as that of a list on the link does, if that is
/// earlier. Recordings of earlier versions have no such line.
package struct RecordedFill {
    private var guess: InitialFillEnd?
    private var statedEnd: Timestamp?

    package init() {}

    /// Begins the fill of a list that was empty at its start.
    package mutating func begin(at time: Timestamp) {
        self = RecordedFill()
        guess = InitialFillEnd()
        guess?.begin(at: time)
    }

    /// Notes that something was found.
    package mutating func find(at time: Timestamp) { guess?.find(at: time) }

    /// Handles a line of an event; returns the event, unless it is the end of a fill.
    package mutating func handle(_ happening: SourceHappening) -> SourceHappening? {
        guard happening.event == .filled else { return happening }
        if guess.take() != nil { statedEnd = happening.time }
        return nil
    }

    /// Ends the fill, of which it is not known when it was over; returns whether it was running.
    @discardableResult
    package mutating func end() -> Bool {
        defer { self = RecordedFill() }
        return guess != nil
    }

    /// Returns the end of the fill once, at a time after it.
    package mutating func end(at time: Timestamp) -> Timestamp? {
        guard let end = statedEnd ?? guess?.end(at: time) else { return nil }
        self.end()
        return end
    }

    /// The time at which the fill ends unless a line says so before; `nil` if none is running.
    package var due: Timestamp? { guess?.due() }
}
