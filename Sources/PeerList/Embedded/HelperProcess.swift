// Starts a program with a socket for standard input and output, and another for standard error; reads both.
import Glibc
import PeerSystem

/// A running helper program, and this process's ends of its sockets.
///
/// The helper is in a session of its own, so that no key at the terminal reaches it, and has no
/// other descriptors.
struct HelperProcess {
    /// The end of the helper's standard input and output; does not block.
    let channel: Int32
    /// The end of the helper's standard error; does not block.
    let errors: Int32
    private let program: StartedProgram

    var pid: pid_t { program.pid }

    /// Starts a program with an empty environment.
    ///
    /// - Throws: ``BackendError`` if the program cannot be started.
    init(_ path: String, arguments: [String] = []) throws(BackendError) {
        // The ends to close: all of them after a failure, and only the helper's ends once the helper runs.
        var unused: [Int32] = []
        defer { for descriptor in unused { close(descriptor) } }
        let (channel, itsChannel) = try HelperProcess.socketPair()
        unused = [channel, itsChannel]
        let (errors, itsErrors) = try HelperProcess.socketPair()
        unused += [errors, itsErrors]
        do throws(StartedProgram.StartError) {
            program = try StartedProgram(
                [path] + arguments, environment: [],
                descriptors: (itsChannel, itsChannel, itsErrors))
        } catch {
            throw BackendError("\(path) cannot be started: \(error)")
        }
        unused = [itsChannel, itsErrors]
        (self.channel, self.errors) = (channel, errors)
    }

    /// Ends the helper and the programs that it started, and returns the way in which the helper ended, such as
    /// "signal 11".
    func end() -> String {
        // Before the sockets are closed, because a program that writes to a closed socket would end
        // by SIGPIPE.
        program.send(SIGKILL)
        close(channel)
        close(errors)
        return program.end() ?? "exit status 0"
    }

    /// Returns this process's end, which does not block and is not inherited, and the helper's end.
    private static func socketPair() throws(BackendError) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw BackendError(
                "no socket for the embedded stack: \(StartedProgram.StartError(code: errno))")
        }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return (ends[0], ends[1])
    }

    /// Returns the bytes that can be read now: none at the end of the stream, `nil` if more may arrive.
    static func chunk(of descriptor: Int32) -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? nil : [] }
        return bytes.prefix(count)
    }
}

/// The last line of a stream, cut to a limited length.
struct LastWords {
    /// The maximum length of a kept line, in bytes.
    static let limit = 400

    private var line: [UInt8] = []
    private var isComplete = false

    mutating func append(_ bytes: some Collection<UInt8>) {
        for byte in bytes {
            if byte == 0x0a {
                isComplete = true
            } else {
                if isComplete { line = [] }
                isComplete = false
                if line.count < Self.limit { line.append(byte) }
            }
        }
    }

    /// Appends what can be read now; returns whether the stream has ended.
    mutating func read(from descriptor: Int32) -> Bool {
        guard let chunk = HelperProcess.chunk(of: descriptor) else { return false }
        append(chunk)
        return chunk.isEmpty
    }

    /// Appends what is left in a socket, but no more, in case the helper continues to write.
    mutating func readRest(from descriptor: Int32) {
        for _ in 0..<16 {
            guard let chunk = HelperProcess.chunk(of: descriptor), !chunk.isEmpty else { return }
            append(chunk)
        }
    }

    /// The last line, or `nil` if there was none.
    var text: String? { line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
}
