// A program as the system starts it: its pipes, and the events that come out of them.
import CSpawn
import Glibc
import Synchronization

/// A child of this process, and all that is heard of it, in one stream.
struct ChildProcess {
    /// Something that a child wrote, or its end, which comes last.
    enum Event: Sendable {
        case output([UInt8])
        case errors([UInt8])
        case ended(Int32)
    }

    let pid: Int32
    let events: AsyncStream<Event>

    /// Starts a program with three descriptors of its own and no other.
    init(_ arguments: [String], environment: [String: String]) throws {
        let output = try Pipe()
        let errors = try Pipe()
        defer {
            close(output.writing)
            close(errors.writing)
        }
        let started = try ChildProcess.spawn(
            arguments, environment: environment, output: output.writing, errors: errors.writing)
        let (events, continuation) = AsyncStream<Event>.makeStream()
        pid = started
        self.events = events

        try onNewThread {
            ChildProcess.drain(output: output.reading, errors: errors.reading) {
                continuation.yield($0)
            }
            continuation.yield(.ended(ChildProcess.reap(started)))
            continuation.finish()
        }
    }

    private static func spawn(
        _ arguments: [String], environment: [String: String], output: Int32, errors: Int32
    ) throws -> pid_t {
        let nothing = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(nothing) }
        let words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        let settings = unsafe inherited(changedBy: environment).map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + settings).forEach { unsafe free($0) } }
        // The threads of Dispatch block signals, and a pipe that another child inherits would not be seen to end
        // before that does.
        let files = [nothing, output, errors]
        let pid = unsafe pl_spawn(words, settings, files, 0, pl_same_group, -1)
        guard pid > 0 else {
            throw LabError("cannot run \(arguments.joined(separator: " ")): error \(-pid)")
        }
        return pid
    }

    private static let startCount = Atomic(0)

    /// This process's environment, with some variables changed. Each child has a directory of states of
    /// its own, so that no test reads or changes what the user's programs remember.
    private static func inherited(changedBy changes: [String: String]) -> [String] {
        let number = startCount.add(1, ordering: .relaxed).newValue
        let place = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        let own = ["XDG_STATE_HOME": "\(place)/peerlist-states-\(getpid())/\(number)"]
        let changes = own.merging(changes) { $1 }
        var settings: [String] = []
        var next = unsafe environ
        while let setting = unsafe next.pointee {
            settings.append(unsafe String(cString: setting))
            unsafe next += 1
        }
        let names = changes.keys.map { "\($0)=" }
        settings.removeAll { setting in names.contains { setting.hasPrefix($0) } }
        return settings + changes.map { "\($0.key)=\($0.value)" }
    }

    /// Reads both pipes until both have ended.
    private static func drain(output: Int32, errors: Int32, yield: (Event) -> Void) {
        var polled = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while polled.contains(where: { $0.fd >= 0 }) {
            guard unsafe poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else {
                break
            }
            for index in polled.indices where polled[index].revents != 0 {
                let count = unsafe Glibc.read(polled[index].fd, &buffer, buffer.count)
                if count > 0 {
                    let bytes = Array(buffer[..<count])
                    yield(index == 0 ? .output(bytes) : .errors(bytes))
                } else if count == 0 || errno != EINTR {
                    close(polled[index].fd)
                    polled[index].fd = -1  // poll passes over it
                }
            }
        }
    }

    static func reap(_ pid: pid_t) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) == -1, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }
}

/// Both ends of a pipe.
private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw LabError("cannot make a pipe: error \(errno)") }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
}
