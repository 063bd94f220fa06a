// The outcome of `peerlist expect`, which a list notes when it is judged.
import PeerSystem
package import PeerText
import Synchronization

/// The outcome of a list that was judged, or of a file that was made; `nil` as long as there is none.
package final class Judgement: Sendable {
    private let outcome = Mutex<ExitStatus?>(nil)

    package init() {}

    /// Notes the result, and returns its text.
    package func text(of result: ExpectationResult, _ format: ExpectationFormat) -> String {
        outcome.withLock { outcome in
            outcome =
                switch result.verdict {
                case .asExpected: .done
                case .faulty: .unexpected
                case .unknown: .failure
                }
        }
        return result.text(format)
    }

    /// Makes a file, and returns the text for standard output.
    package func text(of written: WrittenExpectations, writtenTo path: String) -> String {
        if written.omittedCount > 0 {
            complain(
                "\(counted(written.omittedCount, "device")) left out: a file has at most "
                    + "\(ExpectationFile.expectationLimit) sections and "
                    + "\(ExpectationFile.sizeLimit >> 10) KiB; combine some in '[devices …]'",
                .warning)
        }
        if path == "-" {
            outcome.withLock { $0 = .done }
            return written.text
        }
        do throws(FileRefusal) {
            try Interruption.deferred { () throws(FileRefusal) in
                try FileEntry(path).replace(by: Array(written.text.utf8))
            }
            outcome.withLock { $0 = .done }
            return "\(printable(path)) expects \(counted(written.count, "device"))\n"
        } catch {
            complain(error.description)
            return ""
        }
    }

    /// Whether there is a result, or a file.
    package var isMade: Bool { outcome.withLock { $0 != nil } }

    /// The status of the command; without a result, it is not known what is there.
    package var status: ExitStatus { outcome.withLock { $0 ?? .failure } }
}

extension ExitStatus {
    /// The status of `peerlist expect` for faults.
    package static let unexpected = nothingFound

    /// The status of a monitoring plug-in: 0 as expected, 2 critical, 3 not known.
    package var ofPlugin: ExitStatus {
        switch self {
        // A plug-in's status for what is critical is that of wrong usage elsewhere.
        case .nothingFound: .usage
        case .usage, .failure, .takenOver: .failure
        case .done, .interrupted: self
        }
    }
}
