// The messages to a session, and how it ends.
package import FoundationEssentials
package import PeerLedger
package import PeerModel
package import PeerRecording
import PeerText

/// An event that a session handles, besides its source's events.
package enum SessionMessage: Sendable {
    /// The user, a signal or a failure ends the session.
    case ended(SessionEnd)
    /// Writing to the output file failed, or works again.
    case file(LineWriter.Event)
    /// The user wants items verified; the result goes to `reply`, on any thread.
    case verify([UUID], reply: @Sendable (Verification) -> Void)
    /// The user wants to know whether the device of a row answers at its addresses; the answers go to `reply`, on any thread.
    case askAddresses(UUID, reply: @Sendable ([AddressAnswer]) -> Void)
    /// A device was asked for the outputs whether it answers at its addresses; `nil` if it could not be asked.
    case answered(UUID, [AddressAnswer]?)
    /// An output wants to know whether devices answer at their addresses.
    case ask(Set<UUID>)
    /// The screen needs the paths of items and when they were last seen; the answer goes to `reply`,
    /// on any thread.
    case sightings([UUID], reply: @Sendable (ItemSightings) -> Void)
    /// The user labels a device, or removes its label by an empty text; the reason why that failed, if it
    /// did, goes to `reply`, on any thread.
    case label(UUID, String, reply: @Sendable (String?) -> Void)
    /// A hook has something to report.
    case notice(Notice.Code, String)
    /// The ledger was written, or could not be.
    case savedLedger(Result<LedgerFile.Content, LedgerFailure>)
    case reopen
    /// The devices that a cache may have kept are verified.
    case verified
    /// The service manager wants to know whether the session has hung; it is told by `reply`.
    case heartbeat(reply: @Sendable () -> Void)
    /// The session is to act by itself.
    case due
}

extension LineWriter.Event {
    /// The notice of an event of the output file.
    var notice: (code: Notice.Code, message: String) {
        switch self {
        case .failed(.diskFull):
            (
                .diskFull,
                "the disk of the output file is full; the lines start again when there is room"
            )
        case .failed(let failure):
            (.outputFailed, "the output file cannot be written: \(failure)")
        case .recovered:
            (.outputBack, "the output file is written again, and starts with the whole list")
        }
    }
}

/// The paths of items, and when something was last received from them.
package struct ItemSightings: Sendable, Equatable {
    package var paths: [NetworkPath]
    package var lastSeen: Timestamp?
}

package enum SessionEnd: Equatable, Sendable {
    case finished
    /// The session finished with an empty list, and `--once` was given.
    case nothingFound
    /// The reader of standard output closed it.
    case readerGone
    case interrupted
    case failed(String)
    /// Another observer of the fleet has taken over the name of this one.
    case takenOver(String)

    /// The end after a failure of standard output.
    package init(_ failure: LineFailure) {
        self = failure == .readerGone ? .readerGone : .failed("standard output: \(failure)")
    }
}

extension ExitStatus {
    /// The status after a session; a failure is reported on standard error, and so is a takeover.
    package init(of ending: SessionEnd) {
        switch ending {
        case .finished, .readerGone: self = .done
        case .nothingFound: self = .nothingFound
        case .interrupted: self = .interrupted
        case .failed(let reason):
            complain(reason)
            self = .failure
        case .takenOver(let reason):
            complain(reason)
            self = .takenOver
        }
    }
}
