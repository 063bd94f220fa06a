// Times as a person at this machine reads them.
import Glibc
import PeerList

extension Timestamp {
    /// The local time of day, `08:30:05`.
    var clockTime: String {
        var seconds = time_t(microseconds / 1_000_000)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        let numbers = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
        return numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
