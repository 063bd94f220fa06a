// A point in time in whole microseconds, and its RFC 3339 text.
import Glibc

/// A point in time, in whole microseconds since 1970-01-01T00:00:00Z.
///
/// Its text is RFC 3339 in UTC with six digits of a second:
/// `2026-11-21T08:30:00.000125Z`.
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

    /// Returns the time that is later by a number of microseconds, or the first or last possible time.
    package func advanced(by time: Int64) -> Timestamp {
        let (sum, overflows) = microseconds.addingReportingOverflow(time)
        return Timestamp(microseconds: overflows ? (time > 0 ? .max : .min) : sum)
    }
}

extension Timestamp: LosslessStringConvertible {
    /// RFC 3339, UTC, microseconds.
    public var description: String {
        let text = utf8
        return String(decoding: text.indices.map { text[$0] }, as: UTF8.self)
    }

    /// The text in UTF-8, formatted without the C library, which would take longer than the rest of a JSON line.
    package var utf8: [27 of UInt8] {
        let (seconds, fraction) = floorDivide(microseconds, 1_000_000)
        let (days, second) = floorDivide(seconds, 86_400)
        let (year, month, day) = date(daysSince1970: days)
        var text = [27 of UInt8](repeating: UInt8(ascii: "-"))
        text.write(year, at: 0..<4)
        text.write(month, at: 5..<7)
        text.write(day, at: 8..<10)
        text[10] = UInt8(ascii: "T")
        text.write(second / 3600, at: 11..<13)
        text[13] = UInt8(ascii: ":")
        text.write(second / 60 % 60, at: 14..<16)
        text[16] = UInt8(ascii: ":")
        text.write(second % 60, at: 17..<19)
        text[19] = UInt8(ascii: ".")
        text.write(fraction, at: 20..<26)
        text[26] = UInt8(ascii: "Z")
        return text
    }

    /// Parses a text such as `2026-11-21T08:30:00.000125Z`; `nil` for any other form.
    public init?(_ description: String) {
        self.init(text: Array(description.utf8).span)
    }

    /// Parses the UTF-8 of a text such as `2026-11-21T08:30:00.000125Z`; `nil` for any other form.
    package init?(text: Span<UInt8>) {
        guard text.count == 27, text[4] == 0x2D, text[7] == 0x2D, text[10] == 0x54,
            text[13] == 0x3A, text[16] == 0x3A, text[19] == 0x2E, text[26] == 0x5A,
            let year = number(text, 0..<4), let month = number(text, 5..<7),
            let day = number(text, 8..<10), let hour = number(text, 11..<13),
            let minute = number(text, 14..<16), let second = number(text, 17..<19),
            let fraction = number(text, 20..<26),
            1...12 ~= month, hour < 24, minute < 60, second < 60,
            case let monthStart = daysSince1970(year, month),
            1...(daysSince1970(year, month + 1) - monthStart) ~= day
        else { return nil }
        let seconds = (((monthStart + day - 1) * 24 + hour) * 60 + minute) * 60 + second
        self.init(microseconds: seconds * 1_000_000 + fraction)
    }
}

extension InlineArray<27, UInt8> {
    /// Writes a number with leading zeros.
    fileprivate mutating func write(_ number: Int64, at range: Range<Int>) {
        var rest = number
        for index in range.reversed() {
            self[index] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
            rest /= 10
        }
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

/// Returns the number of days from 1970-01-01 to the first one of a month in the Gregorian calendar;
/// month 13 is the next year's first.
///
/// Years start on 1 March here, so that the leap day is the last day of a year.
private func daysSince1970(_ year: Int64, _ month: Int64) -> Int64 {
    // 400 years are added because division rounds towards zero for negative numbers.
    let year = (month <= 2 ? year - 1 : year) + 400
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468 - 146_097
}

/// Returns the year, month and day of a number of days since 1970-01-01; years start on 1 March here,
/// too.
private func date(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivide(daysSince1970 + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
}

/// Divides and rounds down, so that the remainder is never negative.
package func floorDivide(_ value: Int64, _ by: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: by)
    return remainder < 0 ? (quotient - 1, remainder + by) : (quotient, remainder)
}
