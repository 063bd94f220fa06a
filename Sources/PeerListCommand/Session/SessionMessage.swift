// The messages of a session, what the screen asks it, and how it ends.
import FoundationEssentials
import PeerList
import PeerRecording

/// An event that a session handles, besides those of discovery.
enum SessionMessage: Sendable {
    /// Writing to standard output failed.
    case outputFailed(LineFailure)
    /// Writing to the output file failed, or works again.
    case file(LineWriter.Event)
    /// The user wants items verified; the result goes to `reply`.
    case verify([UUID], reply: @Sendable (Verification) -> Void)
    /// The screen needs the paths of items and when they were last seen; the answer goes to `reply`.
    case sightings([UUID], reply: @Sendable (ItemSightings) -> Void)
    /// The user quits.
    case quit
    /// A signal asks the program to end.
    case signalled
    /// A signal asks to reopen the output file.
    case reopen
    /// It is time to try an output file again that failed.
    case retryTime
    /// An output that is behind may have room again.
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
}

/// The requests of the screen to the session; replies come on any thread.
struct SessionQuestions {
    /// Verifies items.
    let verify: ([UUID], @escaping @Sendable (Verification) -> Void) -> Void
    /// Returns the paths of items, and when they were last seen.
    let sightings: ([UUID], @escaping @Sendable (ItemSightings) -> Void) -> Void

    /// Requests that are sent to the inbox of a session.
    init(_ inbox: AsyncStream<SessionMessage>.Continuation) {
        verify = { inbox.yield(.verify($0, reply: $1)) }
        sightings = { inbox.yield(.sightings($0, reply: $1)) }
    }
}
