// The statuses that the program ends with.

/// The statuses that the program ends with.
enum ExitStatus: Int32 {
    case done = 0
    case failure = 1
    case usage = 2
    case noBackend = 3
    case interrupted = 130

    /// Of `peerlist diff`: the lists differ.
    static let different = ExitStatus.failure
    /// Of `peerlist diff`: they could not be compared.
    static let trouble = ExitStatus.usage
}

extension ExitStatus {
    /// The status after a session; what has made it fail is said on standard error.
    init(of ending: SessionEnd, failure: ExitStatus = .failure) {
        switch ending {
        case .finished, .readerGone: self = .done
        case .interrupted: self = .interrupted
        case .failed(let reason):
            complain(reason)
            self = failure
        }
    }
}
