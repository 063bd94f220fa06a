// Decides when the initial fill of a recorded list ends.
package import PeerHappenings
package import PeerModel
package import PeerRecording

/// The initial fill of a recorded list: it ends when a line says so.
///
/// Lines of earlier versions do not promise that, and nothing tells what a capture was waiting for. Their fill ends as
/// that of a list on the link does, or when a line says so, if that is earlier.
package struct RecordedFill {
    private var isRunning = false
    private var guess: InitialFillEnd?
    private var statedEnd: Timestamp?

    package init() {}

    /// Begins a list at a time; returns whether its fill is over. That of a list with items always is.
    package mutating func begin(_ list: RecordedList, at time: Timestamp) -> InitialFill {
        self = RecordedFill()
        guard list.count == 0, list.header?.fill != .over else { return .over(time) }
        isRunning = true
        if list.header?.fill == nil {
            guess = InitialFillEnd()
            guess?.begin(at: time)
        }
        return .running
    }

    /// Notes that something was found.
    package mutating func find(at time: Timestamp) { guess?.find(at: time) }

    /// Handles a line of an event; returns the event, unless it is the end of a fill.
    package mutating func handle(_ happening: SourceHappening) -> SourceHappening? {
        guard happening.event == .filled else { return happening }
        if isRunning { (guess, statedEnd) = (nil, happening.time) }
        return nil
    }

    /// Ends the fill, of which it is not known when it was over; returns whether it was running.
    @discardableResult
    package mutating func end() -> Bool {
        defer { self = RecordedFill() }
        return isRunning
    }

    /// Returns the end of the fill once, at a time after it.
    package mutating func end(at time: Timestamp) -> Timestamp? {
        guard let end = statedEnd ?? guess?.end(at: time) else { return nil }
        self.end()
        return end
    }

    /// The time at which the fill ends unless a line says so before; `nil` if that is not known.
    package var due: Timestamp? { guess?.due() }
}
