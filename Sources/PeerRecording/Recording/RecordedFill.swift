// Finds the initial fill of the lists in a recording, which is no arrival.
package import FoundationEssentials
package import PeerHappenings
package import PeerModel

/// The initial fill of the list that a recording is at.
///
/// A list that was empty at its start was filled then. Recordings of earlier versions do not say when that was
/// over: it is taken to end as the fill of a live list does.
package struct RecordedFill {
    package private(set) var fill = InitialFill.none
    private var run: UUID?
    /// The start of a list that was empty then, and the time of its latest arrival.
    private var filling: (start: Int64, latest: Int64)?

    package init() {}

    /// Begins a list, unless it goes on; of another run, or after damage, what happened in between is not known.
    ///
    /// - Returns: Whether another list begins.
    package mutating func begin(_ run: UUID?, isEmpty: Bool, at time: Timestamp) -> Bool {
        guard run == nil || run != self.run else { return false }
        self.run = run
        filling = isEmpty ? (time.microseconds, time.microseconds) : nil
        fill = isEmpty ? .running : .over(time)
        return true
    }

    /// Notes an arrival.
    package mutating func find(at time: Timestamp) { filling?.latest = time.microseconds }

    /// Ends the fill if it is over by a time.
    package mutating func advance(to time: Timestamp) {
        guard let (start, latest) = filling else { return }
        let end = InitialFill.end(from: start, latest: latest)
        if time.microseconds >= end { self.end(at: Timestamp(microseconds: end)) }
    }

    /// Ends the fill at a time, if it is not over.
    package mutating func end(at time: Timestamp) {
        guard filling != nil else { return }
        filling = nil
        fill = .over(time)
    }
}
