// Why lines could not be written.
import Glibc

/// Why lines could not be written.
public enum LineFailure: Error, Hashable, Sendable {
    /// The other end of the pipe is closed: the reader has what it wanted.
    case readerGone
    /// The disk, or the user's share of it, is full.
    case diskFull
    /// The reader takes the lines too slowly: so many bytes wait, and no more may.
    case tooSlow(waiting: Int)
    /// The file that is to go on in the place of another cannot be opened.
    case notOpened(OutputFile.Refusal)
    /// The system refuses, with this `errno`.
    case system(code: Int32)

    /// What an `errno` of `write` means.
    public init(code: Int32) {
        switch code {
        case EPIPE: self = .readerGone
        case ENOSPC, EDQUOT: self = .diskFull
        default: self = .system(code: code)
        }
    }
}

extension LineFailure: CustomStringConvertible {
    /// What happened and what to do, to be read after the name of the output.
    public var description: String {
        switch self {
        case .readerGone: "nobody reads it any more"
        case .diskFull: "the disk is full; make room on it, or write to another"
        case .tooSlow(let waiting):
            "it is read too slowly: \(waiting >> 10) KiB wait; use a faster reader, or a file"
        case .notOpened(let refusal): refusal.description
        case .system(EBADF): "it is closed; open it, or leave it out"
        case .system(EFBIG): "the file may not grow any more; write to another one"
        case .system(let code): unsafe String(cString: strerror(code))
        }
    }
}
