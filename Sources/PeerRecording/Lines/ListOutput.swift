// The interface of the outputs that a session updates: lines, sentences, a table, the screen.
package import FoundationEssentials
package import PeerHappenings
package import PeerModel

package enum OutputEvent {
    /// The list begins, and is empty; or it goes on, and what was recorded meanwhile is missing.
    case began(LineHeader)
    /// The list is not known until it begins again: lines of a recording are missing, or another run follows.
    case lost
    /// The initial fill begins or is over; no update before the first of these events.
    case fill(InitialFill)
    /// The header changed, because of another backend or another name of this machine.
    case handedOver(LineHeader)
    case updated(ItemChanges, UpdateStep)
    /// Something happened and has settled.
    case happened([Happening])
    /// The paths of a service changed, or it was heard again; the list is unchanged.
    case sighted
    case noticed(Notice)
    /// A source through which devices are heard was lost or is back, or other observers of a fleet are online.
    case sources(AbsentSources)
    /// A device was asked whether it answers at its addresses.
    case answered(UUID, [AddressAnswer])
    /// Time passed; sent before each possible change of the list.
    case tick
    /// The file was renamed and is to be opened again.
    case reopened
    case ended(LineEncoder.EndReason)
}

/// The step in which items of a list changed.
package enum UpdateStep {
    /// An event of a live list, with the difference that it makes.
    case event(PeerListUpdate)
    /// A line of a recording, which is read without making the difference.
    case line
    /// Several lines of a recording.
    case lines
    /// A step back in a recording.
    case undone
    /// The list of a recording at another time.
    case seek

    /// Whether the changes happened, rather than being undone or skipped.
    package var isHappening: Bool {
        switch self {
        case .event, .line, .lines: true
        case .undone, .seek: false
        }
    }
}

/// The session calls one output after the other and handles the next event when all have returned, so an output of a
/// live list may not wait for its reader.
package protocol ListOutput: AnyObject {
    /// Whether the output shows services in a list that is grouped by type; otherwise it gets devices, and a
    /// header that says so, whatever the grouping.
    var isGrouped: Bool { get }

    /// Whether something was left out that the next ``OutputEvent/tick`` makes up for.
    var isBehind: Bool { get }

    /// The time of the next ``OutputEvent/tick`` that the output needs; `nil` for none.
    var due: ContinuousClock.Instant? { get }

    /// The same in the time of the list, which is that of the lines of a recording.
    var dueTime: Timestamp? { get }

    /// Handles an event; `list` is the list after it.
    func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection])

    /// Waits until everything is written; returns why not everything was, if so.
    func close(within limit: Duration) async -> LineFailure?
}

extension ListOutput {
    package var isGrouped: Bool { false }
    package var isBehind: Bool { false }
    package var due: ContinuousClock.Instant? { nil }
    package var dueTime: Timestamp? { nil }
}

extension LineOutput: ListOutput {
    package var isGrouped: Bool { true }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        switch event {
        case .began(let header): begin(header, at: time)
        case .handedOver(let header): handedOver(header)
        case .updated(_, .event(let update)): self.update(update, list: list())
        case .happened(let events): for event in events { happening(event, at: time, list: list()) }
        case .fill(.over): endFill()
        case .updated, .lost, .sighted, .fill, .sources, .answered: break
        case .noticed(let notice): self.notice(notice, list: list())
        case .tick: tick(at: time, list: list())
        case .reopened: reopen(at: time, list: list())
        case .ended(let reason): end(reason, at: time, list: list())
        }
    }
}
