// Local dates and times: shown to the user, and read from `--at`.
import Glibc
import PeerList

/// A local date and time.
struct LocalTime: Equatable, Sendable {
    /// The date: `2026-11-21`.
    let day: String
    /// The time of day: `08:30:05`.
    let clock: String

    /// A date and time as texts.
    init(day: String, clock: String) {
        self.day = day
        self.clock = clock
    }

    /// A timestamp in the system's time zone.
    init(_ time: Timestamp) {
        var seconds = time_t(time.microseconds / 1_000_000)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        day = unsafe joined([parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday], "-")
        clock = unsafe joined([parts.tm_hour, parts.tm_min, parts.tm_sec], ":")
    }
}

extension LocalTime: CustomStringConvertible {
    /// Such as `2026-11-21 08:30:05 local time`.
    var description: String { "\(day) \(clock) local time" }
}

/// Returns numbers of at least two digits, with a separator.
private func joined(_ numbers: [Int32], _ separator: String) -> String {
    numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: separator)
}

/// A time in a recording, as `--at` takes it: local time, unless it has an offset from UTC.
struct RecordingTime: Equatable, Sendable {
    /// The start of the day as if it were in UTC; `nil` for the day on which the recording starts.
    private let day: Timestamp?
    /// The time of day.
    private let clock: Timestamp
    /// The offset from UTC in seconds; `nil` for local time.
    private let offset: Int64?

    /// Parses `2026-11-21`, `2026-11-21T08:30` or `08:30:00`, with an optional `Z` or offset such as `+01:00`.
    init?(_ text: String) {
        var clock = ""
        var day: String?
        if let separator = text.firstIndex(where: { $0 == "T" || $0 == " " }) {
            day = String(text[..<separator])
            clock = String(text[text.index(after: separator)...])
            guard !clock.isEmpty else { return nil }
        } else if text.contains(":") {
            clock = text
        } else {
            day = text.hasSuffix("Z") ? String(text.dropLast()) : text
            clock = text.hasSuffix("Z") ? "00:00Z" : "00:00"
        }
        self.day = day.flatMap { Timestamp("\($0)T00:00:00.000000Z") }
        guard day == nil || self.day != nil else { return nil }

        let sign = clock.lastIndex { $0 == "+" || $0 == "-" || $0 == "Z" }
        offset = sign.flatMap { Self.offset(clock[$0...]) }
        guard sign == nil || offset != nil else { return nil }
        let digits = sign.map { clock[..<$0] } ?? clock[...]
        let rest = "00:00:00.000000".dropFirst(digits.count)
        guard [5, 8].contains(digits.count) || 10...15 ~= digits.count,
            let time = Timestamp("1970-01-01T\(digits)\(rest)Z")
        else { return nil }
        self.clock = time
    }

    /// Returns the seconds of `Z`, `+01:00`, `+0100` or `+01`.
    private static func offset(_ text: Substring) -> Int64? {
        guard text != "Z" else { return 0 }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.count == 2 || digits.count == 4, digits.allSatisfy(\.isWholeNumber),
            let hours = Int64(digits.prefix(2)), let minutes = Int64("0" + digits.dropFirst(2)),
            hours < 24, minutes < 60
        else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return text.hasPrefix("-") ? -seconds : seconds
    }

    /// Returns the timestamp in a recording that starts at another timestamp.
    func timestamp(inRecordingFrom start: Timestamp) -> Timestamp {
        guard let offset else { return localTimestamp(on: day ?? Self.localDay(of: start)) }
        let shift = offset * 1_000_000
        let day = day ?? Timestamp(microseconds: start.microseconds + shift).startOfDay
        return Timestamp(microseconds: day.microseconds + clock.microseconds - shift)
    }

    private func localTimestamp(on day: Timestamp) -> Timestamp {
        let (seconds, fraction) = clock.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        var time = time_t(day.microseconds / 1_000_000 + seconds)
        var parts = unsafe tm()
        unsafe gmtime_r(&time, &parts)
        // The C library determines whether daylight saving time applies.
        unsafe parts.tm_isdst = -1
        return unsafe Timestamp(microseconds: Int64(mktime(&parts)) * 1_000_000 + fraction)
    }

    private static func localDay(of time: Timestamp) -> Timestamp {
        Timestamp("\(LocalTime(time).day)T00:00:00.000000Z") ?? time.startOfDay
    }
}

extension Timestamp {
    /// The start of the day in UTC.
    fileprivate var startOfDay: Timestamp {
        let day: Int64 = 86_400 * 1_000_000
        let rest = microseconds % day
        return Timestamp(microseconds: microseconds - (rest < 0 ? rest + day : rest))
    }
}
