// Local dates and times: shown to the user, and read from `--at`.
import Glibc
package import PeerModel

package struct LocalTime: Equatable, Sendable {
    /// The date: `2026-11-21`.
    package let day: String
    /// The time of day: `08:30:05`.
    package let clock: String
}

extension LocalTime: CustomStringConvertible {
    /// A timestamp in the system's time zone.
    package init(_ time: Timestamp) { self.init(time, offset: Self.offset(at: time)) }

    /// A timestamp in a time zone with an offset from UTC in seconds.
    package init(_ time: Timestamp, offset: Int64) {
        let shifted = time.microseconds + offset * 1_000_000
        let text = Timestamp(microseconds: shifted).description
        self.init(day: String(text.prefix(10)), clock: String(text.dropFirst(11).prefix(8)))
    }

    /// Returns the offset of local time from UTC, in seconds.
    package static func offset(at time: Timestamp) -> Int64 {
        var seconds = time_t(time.microseconds / 1_000_000)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        return unsafe Int64(parts.tm_gmtoff)
    }

    /// Such as `2026-11-21 08:30:05 local time`.
    package var description: String { "\(day) \(clock) local time" }
}

/// Returns the time between two timestamps for a sentence, rounded down: `3 weeks`; `nil` if it is negative.
package func spokenTime(from start: Timestamp, to end: Timestamp) -> String? {
    let seconds = (end.microseconds - start.microseconds) / 1_000_000
    guard end >= start else { return nil }
    let units: [(name: String, length: Int64, least: Int64)] = [
        ("year", 31_557_600, 2), ("month", 2_629_800, 2), ("week", 604_800, 2), ("day", 86_400, 2),
        ("hour", 3600, 2), ("minute", 60, 1), ("second", 1, 0),
    ]
    let unit = units.first { seconds >= $0.length * $0.least }
    return unit.map { counted(Int(seconds / $0.length), $0.name) }
}

/// A time in a recording, as `--at` takes it: local time, unless it has an offset from UTC.
package struct RecordingTime: Equatable, Sendable {
    /// The start of the day as if it were in UTC; `nil` for the day on which the recording starts.
    private let day: Timestamp?
    private let clock: Timestamp
    /// The offset from UTC in seconds; `nil` for local time.
    private let offset: Int64?

    /// Parses `2026-11-21`, `2026-11-21T08:30` or `08:30:00`, with an optional `Z` or offset such as `+01:00`.
    package init?(_ text: String) {
        let isDay = text.wholeMatch(of: /[0-9-]{10}Z?/) != nil
        let full = isDay ? "\(text.prefix(10))T00:00\(text.dropFirst(10))" : text
        let form =
            /(?:([0-9-]{10})[T ])?([0-9:]{5}|[0-9:]{8}(?:\.[0-9]{1,6})?)(?:(Z)|([+-])([0-9]{2}):?([0-9]{2})?)?/
        guard let (_, day, clock, zulu, sign, hours, minutes) = full.wholeMatch(of: form)?.output,
            let time = Timestamp("1970-01-01T\(clock)\("00:00:00.000000".dropFirst(clock.count))Z")
        else { return nil }
        self.clock = time
        self.day = day.flatMap(Self.midnight)
        guard day == nil || self.day != nil else { return nil }
        guard let sign, let hours = hours.flatMap({ Int64($0) }) else {
            offset = zulu == nil ? nil : 0
            return
        }
        let rest = minutes.flatMap { Int64($0) } ?? 0
        guard hours < 24, rest < 60 else { return nil }
        offset = (sign == "-" ? -1 : 1) * (hours * 3600 + rest * 60)
    }

    /// Returns the timestamp in a recording that starts at another timestamp.
    package func timestamp(inRecordingFrom start: Timestamp) -> Timestamp {
        let shift = (offset ?? 0) * 1_000_000
        let shifted = Timestamp(microseconds: start.microseconds + shift).description
        let firstDay = offset == nil ? LocalTime(start).day : String(shifted.prefix(10))
        let day = day ?? Self.midnight(firstDay) ?? start
        let time = day.microseconds + clock.microseconds - shift
        guard offset == nil else { return Timestamp(microseconds: time) }
        let fraction = time % 1_000_000
        var seconds = time_t(time / 1_000_000)
        var parts = unsafe tm()
        unsafe gmtime_r(&seconds, &parts)
        // The C library determines whether daylight saving time applies.
        unsafe parts.tm_isdst = -1
        return unsafe Timestamp(microseconds: Int64(mktime(&parts)) * 1_000_000 + fraction)
    }

    private static func midnight(_ day: some StringProtocol) -> Timestamp? {
        Timestamp("\(day)T00:00:00.000000Z")
    }
}
