// The day and the time of day as a person at this machine reads them.
import Glibc
import PeerList

/// A moment on the calendar and the clock of this machine.
struct LocalTime: Equatable, Sendable {
    /// The day: `2026-11-21`.
    let day: String
    /// The time of day: `08:30:05`.
    let clock: String

    /// A moment that is written out already.
    init(day: String, clock: String) {
        self.day = day
        self.clock = clock
    }

    /// A moment as the system's time zone has it.
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

/// Numbers of two digits or more, with a sign between them.
private func joined(_ numbers: [Int32], _ separator: String) -> String {
    numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: separator)
}
