// The outcome of `peerlist expect`, which a list notes when it is judged.
import PeerSystem
package import PeerText
import Synchronization

/// The outcome of a list that was judged, or of a file that was made; `nil` as long as there is none.
package final class Judgement: Sendable {
    private let isGood = Mutex<Bool?>(nil)

    package init() {}

    /// Notes the result, and returns its text.
    package func text(of result: ExpectationResult, _ format: ExpectationFormat) -> String {
        isGood.withLock { $0 = result.isAsExpected }
        return result.text(format)
    }

    /// Makes a file, and returns the text for standard output.
    package func text(of written: WrittenExpectations, writtenTo path: String) -> String {
        if path == "-" {
            isGood.withLock { $0 = true }
            return written.text
        }
        do throws(FileRefusal) {
            try Interruption.deferred { () throws(FileRefusal) in
                try FileEntry(path).replace(by: Array(written.text.utf8))
            }
            isGood.withLock { $0 = true }
            return "\(printable(path)) expects \(counted(written.count, "device"))\n"
        } catch {
            complain(error.description)
            return ""
        }
    }

    /// The status of the command; without a result, it is not known what is there.
    package var status: ExitStatus {
        isGood.withLock { $0.map { $0 ? .done : .unexpected } ?? .failure }
    }
}

extension ExitStatus {
    /// The status of `peerlist expect` for faults.
    package static let unexpected = nothingFound
}
