// Decides when a session has found what was there at its start, which is no arrival.
package import PeerModel

/// Finds the end of the initial fill in the events of a list.
///
/// It begins with the first answer of the backend, or with an empty list, and open lookups are waited for. What was
/// found in it and is resolved later is part of it.
package struct InitialFillEnd: Sendable {
    /// When the backend first answered, or answered again; `nil` while none does.
    private var start: Int64?
    private var latestFind: Int64 = 0
    private var isOver = false

    package init() {}

    /// Begins the fill, or begins it again.
    package mutating func begin(at time: Timestamp) {
        (start, latestFind) = (time.microseconds, time.microseconds)
    }

    /// Notes that something was found.
    package mutating func find(at time: Timestamp) {
        let time = time.microseconds
        // If the clock was set back, the fill begins again.
        if start.map({ time < $0 }) ?? true { start = time }
        latestFind = time
    }

    /// Returns the end of the fill once, at the first event after it; to be called before the event is
    /// applied to a list with a number of open lookups.
    package mutating func end(before event: DiscoveryEvent, openCount: Int) -> Timestamp? {
        let end = end(at: event.time, openCount: openCount)
        guard !isOver else { return end }
        switch event.kind {
        case .running, .handedOver: begin(at: event.time)
        case .lost: start = nil
        case .found, .pending, .resolved, .addresses: find(at: event.time)
        default: break
        }
        return nil
    }

    /// Returns the end of the fill once, at a time after it, with a number of open lookups.
    package mutating func end(at time: Timestamp, openCount: Int = 0) -> Timestamp? {
        guard let start, time.microseconds >= start, let end = due(openCount: openCount),
            time >= end
        else { return nil }
        isOver = true
        return end
    }

    /// Returns the time at which the fill ends with a number of open lookups; `nil` if it has not begun or is over.
    package func due(openCount: Int = 0) -> Timestamp? {
        guard !isOver, let start else { return nil }
        return Timestamp(
            microseconds: InitialFill.end(
                from: start, latest: latestFind, isWaiting: openCount > 0))
    }
}
