// Decides when a session has found what was there at its start, which is no arrival.
import PeerList

/// Finds the end of the initial fill in the events of discovery.
///
/// Queries are sent at once, after 1 s and after 3 s (RFC 6762, section 5.2), so the fill takes at least four
/// seconds from the first answer of the backend. It ends when nothing was found for a second and no lookup is
/// open, and at the latest after ten seconds. What was found in it and is resolved later is part of it.
struct InitialFillEnd: Sendable {
    private static let patience: Int64 = 4_000_000
    private static let quiet: Int64 = 1_000_000
    private static let limit: Int64 = 10_000_000

    /// When the backend first answered, or answered again; `nil` while none does.
    private var start: Int64?
    private var latestFind: Int64 = 0
    private var isOver = false

    /// Returns the end of the fill once, at the first event after it; to be called before the event is
    /// applied to a list with a number of open lookups.
    mutating func end(before event: DiscoveryEvent, openCount: Int) -> Timestamp? {
        let end = end(at: event.time, openCount: openCount)
        guard !isOver else { return end }
        let time = event.time.microseconds
        switch event.kind {
        case .running, .handedOver: (start, latestFind) = (time, time)
        case .lost: start = nil
        case .found, .pending, .resolved, .addresses:
            // If the clock was set back, the fill begins again.
            if start.map({ time < $0 }) ?? true { start = time }
            latestFind = time
        default: break
        }
        return nil
    }

    /// Returns the end of the fill once, at a time after it, with a number of open lookups.
    mutating func end(at time: Timestamp, openCount: Int) -> Timestamp? {
        guard let start, time.microseconds >= start, let end = due(openCount: openCount),
            time >= end
        else { return nil }
        isOver = true
        return end
    }

    /// Returns the time at which the fill ends with a number of open lookups; `nil` if it has not begun or is over.
    func due(openCount: Int) -> Timestamp? {
        guard !isOver, let start else { return nil }
        let quietFrom = max(start + Self.patience, latestFind + Self.quiet)
        let end = openCount == 0 ? min(quietFrom, start + Self.limit) : start + Self.limit
        return Timestamp(microseconds: end)
    }
}
