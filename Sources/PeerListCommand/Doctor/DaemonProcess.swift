// The processes of avahi-daemon that can be seen here, and which program they run.
import FoundationEssentials
import Glibc

/// A process of avahi-daemon, as proc(5) tells it.
struct DaemonProcess {
    let number: Int32
    private let proc: String

    /// All that can be seen.
    ///
    /// - Parameter proc: Where proc(5) is mounted.
    /// - Returns: Those whose name says so.
    static func all(proc: String = "/proc") -> [DaemonProcess] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: proc)) ?? []
        return names.compactMap { Int32($0) }
            .filter { text(of: "\(proc)/\($0)/comm") == "avahi-daemon\n" }
            .map { DaemonProcess(number: $0, proc: proc) }
    }

    /// Whether it runs a program as it is now on the disk, and not one that was replaced since.
    ///
    /// Root is told which file it is; to others it is the same if it was there before the process.
    func runs(_ program: String) -> Bool {
        var buffer = [CChar](repeating: 0, count: 1_024)
        let count = unsafe readlink("\(proc)/\(number)/exe", &buffer, buffer.count)
        if count > 0 {
            let bytes = buffer.prefix(count).map(UInt8.init(bitPattern:))
            return resolved(String(decoding: bytes, as: UTF8.self)).map { $0 == resolved(program) }
                ?? false
        }
        var state = stat()
        guard unsafe stat(program, &state) == 0, let start = startTime else { return false }
        return state.st_ctim.tv_sec <= start
    }

    /// When it began, in seconds since 1970.
    private var startTime: Int? {
        // The name in parentheses may hold spaces; what is counted stands behind it.
        guard let line = text(of: "\(proc)/\(number)/stat"),
            let end = line.lastIndex(of: ")"),
            case let words = line[end...].split(separator: " "), words.count > 20,
            let ticks = Int(words[20]),
            let boot = text(of: "\(proc)/stat")?.split(separator: "\n")
                .first(where: { $0.hasPrefix("btime ") }).flatMap({ Int($0.dropFirst(6)) })
        else { return nil }
        return boot + ticks / sysconf(Int32(_SC_CLK_TCK))
    }

    /// A path without links; a program that was deleted has none.
    private func resolved(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}
