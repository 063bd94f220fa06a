// Writes notices to standard error, with their priority if the journal reads it.
import Glibc
package import PeerModel
package import PeerRecording
import PeerText

package final class NoticeOutput: ListOutput {
    private let writer: LineWriter
    private let isJournal: Bool

    package init(descriptor: Int32 = STDERR_FILENO, isJournal: Bool = Journal.readsErrors) {
        // A failure of standard error cannot be reported anywhere.
        writer = LineWriter(descriptor: descriptor) { _ in }
        self.isJournal = isJournal
    }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        guard case .noticed(let notice) = event else { return }
        let prefix = isJournal ? Journal.prefix(notice.code.priority) : ""
        writer.write(Array("\(prefix)peerlist: \(printable(notice.message))\n".utf8))
    }

    package func close(within limit: Duration) async -> LineFailure? {
        _ = await writer.close(within: limit)
        return nil
    }
}

extension Notice.Code {
    /// The importance of a notice in the journal.
    fileprivate var priority: Journal.Priority {
        switch self {
        case .backendBack, .linkBack, .objectRoom, .cacheRoom, .serviceRoom, .outputBack, .nextFile:
            .notice
        case .diskFull, .outputFailed: .error
        default: .warning
        }
    }
}
