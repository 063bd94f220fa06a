// Marks messages on standard error with their priority if systemd's journal reads them (sd-daemon(3)).
import Glibc
import PeerSystem

package enum Journal {
    /// The priorities of syslog(3).
    package enum Priority: Int, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
    }

    /// Whether standard error goes to the journal.
    package static let readsErrors = reads(STDERR_FILENO)

    /// Whether a descriptor is the stream of this device and inode, as in `8:4711`.
    ///
    /// The variable is inherited, so a descriptor that was redirected since is not the stream.
    package static func reads(
        _ descriptor: Int32, stream: String? = environmentVariable("JOURNAL_STREAM")
    ) -> Bool {
        var status = stat()
        guard let stream, unsafe fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    /// Returns the prefix of a line of this priority.
    package static func prefix(_ priority: Priority) -> String { "<\(priority.rawValue)>" }
}
