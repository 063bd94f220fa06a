// A point in time in whole microseconds, and its RFC 3339 text.
import Glibc

/// A point in time, in whole microseconds since 1970-01-01T00:00:00Z.
///
/// Its text is RFC 3339 in UTC with six digits of a second: `2026-11-21T08:30:00.000125Z`.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let microseconds: Int64

    /// Creates a time from microseconds since 1970-01-01T00:00:00Z.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Returns the time of the system clock.
    public static func now() -> Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Whether the first time is earlier than the second.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }
}

extension Timestamp: LosslessStringConvertible {
    /// RFC 3339, UTC, microseconds.
    public var description: String {
        var (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000) }
        var clock = time_t(seconds)
        var parts = unsafe tm()
        unsafe gmtime_r(&clock, &parts)
        var text = [CChar](repeating: 0, count: 40)
        let count = unsafe strftime(&text, text.count, "%04Y-%m-%dT%H:%M:%S.", &parts)
        let fraction = String(1_000_000 + rest).dropFirst()
        return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
            + fraction + "Z"
    }

    /// Parses a text such as `2026-11-21T08:30:00.000125Z`; `nil` for any other form.
    public init?(_ description: String) {
        self.init(text: Array(description.utf8).span)
    }

    /// Parses such a text in UTF-8.
    package init?(text: Span<UInt8>) {
        guard text.count == 27, text[4] == 0x2D, text[7] == 0x2D, text[10] == 0x54,
            text[13] == 0x3A, text[16] == 0x3A, text[19] == 0x2E, text[26] == 0x5A,
            let year = number(text, 0..<4), let month = number(text, 5..<7),
            let day = number(text, 8..<10), let hour = number(text, 11..<13),
            let minute = number(text, 14..<16), let second = number(text, 17..<19),
            let fraction = number(text, 20..<26),
            1...12 ~= month, 1...days(inMonth: month, of: year) ~= day, hour < 24, minute < 60,
            second < 60
        else { return nil }
        let days = daysSince1970(year, month, day)
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
        self.init(microseconds: seconds * 1_000_000 + fraction)
    }
}

/// Parses decimal digits; `nil` if a byte is not a digit.
private func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    var value: Int64 = 0
    for index in range {
        guard 0x30...0x39 ~= text[index] else { return nil }
        value = value * 10 + Int64(text[index] - 0x30)
    }
    return value
}

private func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
}

/// Returns the number of days since 1970-01-01 in the Gregorian calendar.
///
/// Years start on 1 March here, so that the leap day is the last day of a year.
private func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    // 400 years are added because division rounds towards zero for negative numbers.
    let year = (month <= 2 ? year - 1 : year) + 400
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468 - 146_097
}
