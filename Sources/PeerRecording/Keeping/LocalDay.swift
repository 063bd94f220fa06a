// The days of the place where the machine stands.
import Glibc
public import PeerList

/// The calendar's days in local time.
public enum LocalDay {
    /// When the day of a moment ends: the first moment of the next one.
    ///
    /// It is midnight but where the clock passes over that, as in time zones
    /// that go forward at midnight.
    public static func end(after time: Timestamp) -> Timestamp {
        var clock = time_t((Double(time.microseconds) / 1_000_000).rounded(.down))
        var parts = unsafe tm()
        unsafe localtime_r(&clock, &parts)
        unsafe parts.tm_mday += 1
        unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec) = (0, 0, 0)
        unsafe parts.tm_isdst = -1
        return unsafe Timestamp(microseconds: Int64(mktime(&parts)) * 1_000_000)
    }
}
