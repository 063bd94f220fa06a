// Distinguishes what a session found at its start from what arrived later.
package import PeerList

/// The part of a session in which it finds what was there before it began.
package enum InitialFill: Sendable, Equatable {
    /// There is none, as in a recording: everything that is inserted arrives.
    case none
    case running
    case over(Timestamp)

    /// Whether a device or a service was first found in the fill, so that it may have been there for long.
    package func covers(_ peer: Peer) -> Bool { covers(peer.firstSeen) }

    /// Whether a time is in the fill.
    func covers(_ time: Timestamp) -> Bool {
        switch self {
        case .none: false
        case .running: true
        // The event that ends the fill of a fleet may bring all devices.
        case .over(let end): time <= end
        }
    }
}
