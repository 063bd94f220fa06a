// Derives the times of a capture's list, which never fall, from the times of its packets.

/// The clock of a capture's list.
///
/// A packet that is a little earlier than one before it counts as of the same time. The clock of the capturing machine
/// may also be set while it captures. Then the list's time goes on from where it is, and keeps its distance from the
/// packets' times until these are no longer earlier. So the order of events is the order of the packets, and a record
/// expires after the time in which packets were captured. A jump forward is time that has passed, as of a machine that
/// slept, unless the clock had never been set before it.
struct CaptureClock {
    /// The setting of the clock of the capturing machine; both times are in microseconds since 1970.
    struct Setting: Equatable {
        let from: Int64
        let to: Int64
    }

    /// The time by which a packet may be earlier than another one before it.
    static let tolerance: Int64 = 3_000_000
    /// The start of the year 2002. Multicast DNS is younger, so an earlier time is that of a clock that was never set.
    static let earliest: Int64 = 1_009_843_200_000_000

    /// The time of the list; `nil` before the first packet.
    private(set) var time: Int64?
    /// The time to add to that of a packet.
    private var offset: Int64 = 0

    /// Whether the clock of the capturing machine was never set.
    var isUnset: Bool { time.map { $0 - offset < Self.earliest } ?? true }

    /// Advances to the time of a packet; returns the setting of the clock if that was set since the packet before.
    mutating func advance(to packet: Int64) -> Setting? {
        guard let time else {
            time = packet
            return nil
        }
        if packet >= time, offset > 0 { offset = 0 }
        let now = packet + offset
        let last = time - offset
        guard now >= time - Self.tolerance, last >= Self.earliest || packet < Self.earliest else {
            offset = time - packet
            return Setting(from: last, to: packet)
        }
        self.time = min(max(time, now), CaptureReader.latestTime)
        return nil
    }

    /// Moves the list's time to that of the packet that is the latest; returns the time by which it was moved.
    mutating func moveToPacket() -> Int64 {
        defer { (time, offset) = (time.map { $0 - offset }, 0) }
        return -offset
    }
}
