// Text on standard output and standard error, outside of a session.
import Glibc
import PeerRecording

/// Writes text to standard output.
///
/// - Returns: ``ExitStatus/done``, also when nobody reads it; ``ExitStatus/failure`` after a
///   complaint if it could not be written.
func printOut(_ text: String) -> ExitStatus {
    guard let code = write(text, to: STDOUT_FILENO), code != EPIPE else { return .done }
    complain("standard output: \(LineFailure(code: code))")
    return .failure
}

/// Writes `peerlist: …` to standard error, with what would act on a terminal made visible.
func complain(_ message: String) { writeError(printable(message)) }

/// Writes `peerlist: …` to standard error; the text must be printable.
func writeError(_ text: String) {
    // A failure of standard error cannot be reported anywhere.
    _ = write("peerlist: \(text)\n", to: STDERR_FILENO)
}

/// Writes all of a text; returns the `errno` of what failed, or `nil`.
private func write(_ text: String, to descriptor: Int32) -> Int32? {
    writeAll(Array(text.utf8), to: descriptor)
}

/// Writes all of these bytes, however long it takes; returns the `errno` of what failed, or `nil`.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { bytes in
            unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        }
        if count < 0 {
            switch errno {
            case EINTR: break
            case EAGAIN: waitUntilWritable(descriptor)
            case let code: return code
            }
        }
        rest = rest.dropFirst(max(0, count))
    }
    return nil
}

/// Waits for a descriptor that somebody who shares it has made non-blocking.
private func waitUntilWritable(_ descriptor: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    unsafe _ = poll(&request, 1, -1)
}
