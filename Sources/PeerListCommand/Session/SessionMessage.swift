// The messages of a session, and how it ends.
import FoundationEssentials
import PeerList
import PeerRecording

/// An event that a session handles, besides those of discovery.
enum SessionMessage: Sendable {
    /// The user, a signal or a failure ends the session.
    case ended(SessionEnd)
    /// Writing to the output file failed, or works again.
    case file(LineWriter.Event)
    /// The user wants items verified; the result goes to `reply`, on any thread.
    case verify([UUID], reply: @Sendable (Verification) -> Void)
    /// The screen needs the paths of items and when they were last seen; the answer goes to `reply`,
    /// on any thread.
    case sightings([UUID], reply: @Sendable (ItemSightings) -> Void)
    /// A signal asks to reopen the output file.
    case reopen
    /// An output that is behind may have room again, or a file that failed may work.
    case catchUpTime
    /// Discovery may be quiet.
    case quietTime
    /// The timeout of `--once` is over.
    case deadline
}

/// The paths of items, and when something was last received from them.
struct ItemSightings: Sendable, Equatable {
    var paths: [NetworkPath]
    var lastSeen: Timestamp?
}

/// How a session ended.
enum SessionEnd: Equatable, Sendable {
    case finished
    /// The session finished with an empty list, and `--once` was given.
    case nothingFound
    /// The reader of standard output closed it.
    case readerGone
    /// A signal ended the session.
    case interrupted
    /// The session could not continue, for this reason.
    case failed(String)

    /// The end after a failure of standard output.
    init(_ failure: LineFailure) {
        self = failure == .readerGone ? .readerGone : .failed("standard output: \(failure)")
    }
}
