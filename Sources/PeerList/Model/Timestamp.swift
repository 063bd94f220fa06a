// A moment as the lines write it: microseconds, UTC.
import Glibc

/// A moment in time, in whole microseconds since 1970-01-01T00:00:00Z.
///
/// Written and read as RFC 3339 with six digits of a second, in UTC:
/// `2026-11-21T08:30:00.000125Z`.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let microseconds: Int64

    /// The moment so many microseconds after 1970-01-01T00:00:00Z.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// What the system's clock says now.
    public static func now() -> Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Whether one is earlier than the other.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339, UTC, microseconds.
    public var description: String {
        var (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000) }
        var clock = time_t(seconds)
        var parts = unsafe tm()
        unsafe gmtime_r(&clock, &parts)
        let year = unsafe digits(Int(parts.tm_year) + 1900, 4)
        let date = unsafe [parts.tm_mon + 1, parts.tm_mday]
        let day = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
        return ([year] + date.map { digits(Int($0), 2) }).joined(separator: "-") + "T"
            + day.map { digits(Int($0), 2) }.joined(separator: ":") + "." + digits(Int(rest), 6)
            + "Z"
    }
}

/// A number with leading zeros.
private func digits(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
}
