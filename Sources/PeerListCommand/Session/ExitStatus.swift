// The exit statuses of the program.

/// The exit statuses of the program.
enum ExitStatus: Int32 {
    /// Done, and something was found.
    case done = 0
    /// A one-shot command found nothing.
    case nothingFound = 1
    /// Wrong usage.
    case usage = 2
    /// A failure, such as no backend or a full disk.
    case failure = 3
    /// Interrupted by a signal.
    case interrupted = 130

    /// The status of `peerlist diff` when the lists differ.
    static let different = nothingFound
    /// The status of `peerlist diff` when the lists cannot be compared.
    static let trouble = usage
    /// The status of `peerlist doctor` when there is a problem.
    static let problem = nothingFound
}

extension ExitStatus {
    /// The status after a session; a failure is reported on standard error.
    init(of ending: SessionEnd) {
        switch ending {
        case .finished, .readerGone: self = .done
        case .nothingFound: self = .nothingFound
        case .interrupted: self = .interrupted
        case .failed(let reason):
            complain(reason)
            self = .failure
        }
    }
}
