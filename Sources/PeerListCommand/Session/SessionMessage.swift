// What a session waits for: discovery, outputs that fail, signals, its own clock.
import FoundationEssentials
import PeerList
import PeerRecording

/// One thing that happened to a session.
enum SessionMessage: Sendable {
    /// Standard output failed.
    case outputFailed(LineFailure)
    /// The file that the lines are appended to failed, or goes on again.
    case file(LineWriter.Event)
    /// The user wants to know of items whether they are there; the answer goes to `reply`.
    case verify([UUID], reply: @Sendable (Verification) -> Void)
    /// The screen wants to know on which paths items are announced and when something was last heard
    /// of them; the answer goes to `reply`.
    case sightings([UUID], reply: @Sendable (ItemSightings) -> Void)
    /// The user is done with the list.
    case quit
    /// A signal asks the program to end.
    case signalled
    /// A signal says that the file has been put away and another is to be written.
    case reopen
    /// A file that failed may have room again.
    case retryTime
    /// An output that has fallen behind may have room again.
    case catchUpTime
    /// Discovery may be quiet by now.
    case quietTime
    /// The deadline of `--once` is over.
    case deadline
}

/// On which paths items are announced, and when something was last heard of them.
struct ItemSightings: Sendable, Equatable {
    var paths: [NetworkPath]
    var lastSeen: Timestamp?
}

/// How a session ended.
enum SessionEnd: Equatable, Sendable {
    /// All that was asked for is done.
    case finished
    /// All is done, and a one-shot session found nothing.
    case nothingFound
    /// Nobody reads the output any more, which is no fault.
    case readerGone
    /// A signal ended it.
    case interrupted
    /// It could not go on, for this reason.
    case failed(String)
}
