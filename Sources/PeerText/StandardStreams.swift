// Exit statuses, errors of usage, and text on standard output and standard error outside of a session.
import Glibc
package import PeerRecording
import PeerSystem
import Synchronization

package enum ExitStatus: Int32 {
    case done = 0
    /// A one-shot command found nothing.
    case nothingFound = 1
    case usage = 2
    /// A failure, such as no backend or a full disk.
    case failure = 3
    /// Another observer has taken over the name under which this one published.
    case takenOver = 4
    case interrupted = 130

    /// The status of `peerlist diff` for different lists.
    package static let different = nothingFound
    /// The status of `peerlist diff` for lists that cannot be compared.
    package static let trouble = usage
    /// The status of `peerlist doctor` for problems.
    package static let problem = nothingFound
}

/// An error in the command line; the program exits with status 2.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The problem and what to do, in one line without control characters.
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Writes text to standard output, and returns the exit status, as ``writeOut(_:)`` does.
package func printOut(_ text: String) -> ExitStatus { writeOut(Array(text.utf8)) ?? .done }

/// Writes bytes, the result of a command or a part of it, to standard output; after the last part, no progress is shown.
///
/// - Returns: `nil` if all were written; ``ExitStatus/done`` if the reader has gone;
///   ``ExitStatus/failure`` after a message on standard error if writing failed.
package func writeOut(_ bytes: [UInt8], isLast: Bool = true) -> ExitStatus? {
    guard isLast || !bytes.isEmpty else { return nil }
    if isLast { Progress.end() }
    let isHiding = !isLast && isatty(STDOUT_FILENO) == 1
    let write = { writeAll(bytes, to: STDOUT_FILENO) }
    guard let code = isHiding ? Progress.hide(during: write) : write() else { return nil }
    guard code != EPIPE else { return .done }
    complain("standard output: \(LineFailure(code: code))")
    return .failure
}

/// Returns an object of JSON as a line.
package func jsonLine(_ fill: (inout JSONWriter) -> Void) -> String {
    var text = JSONWriter()
    text.object(fill)
    return String(decoding: text.bytes, as: UTF8.self) + "\n"
}

/// Writes `peerlist: …` to standard error, with control characters escaped; the priority is for the journal.
package func complain(_ message: String, _ priority: Journal.Priority = .error) {
    writeError(printable(message), priority)
    if priority == .error { Complaints.add(message) }
}

/// The messages on standard error, for commands whose readers see standard output alone.
package enum Complaints {
    private static let messages = Mutex<(first: String, last: String)?>(nil)

    package static var first: String? { messages.withLock { $0?.first } }
    package static var last: String? { messages.withLock { $0?.last } }

    fileprivate static func add(_ message: String) {
        messages.withLock { $0 = ($0?.first ?? message, message) }
    }
}

/// Writes `peerlist: …` to standard error; the text must not contain control characters.
package func writeError(_ text: String, _ priority: Journal.Priority = .error) {
    let prefix = Journal.readsErrors ? Journal.prefix(priority) : ""
    // A failure of standard error cannot be reported anywhere.
    _ = Progress.hide { writeAll(Array("\(prefix)peerlist: \(text)\n".utf8), to: STDERR_FILENO) }
}

/// Whether this process has a controlling terminal; `/dev/tty` can be opened only then.
package func hasControllingTerminal() -> Bool {
    let descriptor = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
}
