// Distinguishes what a session found at its start from what arrived later.
package import PeerModel

/// The part of a session in which it finds what was there before it began.
package enum InitialFill: Sendable, Equatable {
    /// There is none, as in a recording: everything that is inserted arrives.
    case none
    case running
    case over(Timestamp)

    package var isOver: Bool { if case .over = self { true } else { false } }

    /// Returns the time in microseconds at which a fill ends that began at a time and found something at last at
    /// another.
    ///
    /// Queries are sent at once, after 1 s and after 3 s (RFC 6762, section 5.2), so a fill takes at least four
    /// seconds. It ends when nothing was found for a second and nothing is waited for, and at the latest after ten
    /// seconds.
    package static func end(from start: Int64, latest: Int64, isWaiting: Bool = false) -> Int64 {
        let limit = start + 10_000_000
        return isWaiting ? limit : min(max(start + 4_000_000, latest + 1_000_000), limit)
    }

    /// Whether a device or a service was first found in the fill, so that it may have been there for long.
    package func covers(_ peer: Peer) -> Bool { covers(peer.firstSeen) }

    /// Whether a time is in the fill.
    package func covers(_ time: Timestamp) -> Bool {
        switch self {
        case .none: false
        case .running: true
        // The event that ends the fill of a fleet may bring all devices.
        case .over(let end): time <= end
        }
    }
}
