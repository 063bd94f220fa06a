// A time in a recording, as `--at` takes it.
import Glibc
import PeerList
import PeerRecording

/// A time in a recording: local time, unless it is given with an offset from UTC.
struct RecordingTime: Equatable, Sendable {
    /// The first moment of the day as if it were a day in UTC; `nil` for the day on which the recording
    /// begins.
    private let day: Timestamp?
    /// The time of day.
    private let clock: Timestamp
    /// The offset from UTC in seconds; `nil` for local time.
    private let offset: Int64?

    /// The time of a text such as `2026-11-21`, `2026-11-21T08:30`, `08:30:00`, or one of these with
    /// `Z` or an offset such as `+01:00` at its end; `nil` if it is none of these.
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

    /// The seconds of `Z`, `+01:00`, `+0100` or `+01`.
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

    /// Returns the moment in a recording that begins at another moment.
    func moment(inRecordingFrom start: Timestamp) -> Timestamp {
        guard let offset else { return localMoment(on: day ?? Self.localDay(of: start)) }
        let shift = offset * 1_000_000
        let day = day ?? Timestamp(microseconds: start.microseconds + shift).startOfDay
        return Timestamp(microseconds: day.microseconds + clock.microseconds - shift)
    }

    private func localMoment(on day: Timestamp) -> Timestamp {
        let (seconds, fraction) = clock.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        var time = time_t(day.microseconds / 1_000_000 + seconds)
        var parts = unsafe tm()
        unsafe gmtime_r(&time, &parts)
        // Whether daylight saving time applies is for the C library to find out.
        unsafe parts.tm_isdst = -1
        return unsafe Timestamp(microseconds: Int64(mktime(&parts)) * 1_000_000 + fraction)
    }

    private static func localDay(of time: Timestamp) -> Timestamp {
        Timestamp("\(LocalTime(time).day)T00:00:00.000000Z") ?? time.startOfDay
    }
}

extension Timestamp {
    /// The first moment of the day in UTC.
    fileprivate var startOfDay: Timestamp {
        let day: Int64 = 86_400 * 1_000_000
        let rest = microseconds % day
        return Timestamp(microseconds: microseconds - (rest < 0 ? rest + day : rest))
    }
}
