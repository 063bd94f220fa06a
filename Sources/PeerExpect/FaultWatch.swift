// Follows the faults of a list by the events of a session.
package import FoundationEssentials
import PeerHappenings
package import PeerModel
package import PeerRecording

/// The comparison of a list with what is expected, event by event.
package struct FaultWatch {
    var book: ExpectationBook
    /// Whether a list has begun, and goes on.
    private(set) var isKnown = false
    private var fill = InitialFill.running

    package init(_ file: ExpectationFile) { book = ExpectationBook(file) }

    /// The faults that are not over, in the order of their beginnings.
    package var faults: [Fault] { book.faults }

    /// The expectations of which too little is known to say whether they are met.
    package var unknown: [Undecided] { book.undecided.filter { $0.reason == .unknown } }

    /// Whether everything that was there at the start is known.
    package var isReady: Bool { book.isReady }

    /// The devices that are there and are to be asked whether they answer at their addresses.
    package var devicesToAsk: Set<UUID> { book.devicesToAsk }

    /// The time at which the next event of a fault is known; `nil` if there is none in sight.
    package var due: Timestamp? { [readyTime, book.due].compactMap(\.self).min() }

    /// Handles an event; returns the faults that have begun or ended since, or `nil` if it says nothing about the
    /// list.
    package mutating func handle(_ event: OutputEvent, at time: Timestamp) -> [FaultEvent]? {
        switch event {
        case .began(let header):
            if !isKnown { book.begin() }
            isKnown = true
            book.isCapture = header.isCapture
            if header.isFleet { book.sources.apply([:]) }
        case .fill(let fill): self.fill = fill
        case .updated(let items, _):
            for item in items.arrivals.values { book.refresh(item, during: fill, at: time) }
            for change in items.changes.values {
                book.refresh(change.now, during: fill, at: time)
            }
        case .happened(let events): for event in events { book.apply(event) }
        case .sources(let sources): book.sources = sources
        case .tick, .ended: break
        case .lost:
            defer {
                book.begin()
                (isKnown, fill) = (false, .running)
            }
            return book.removeAll(at: time)
        case .answered(let id, let addresses): book.setAnswers(addresses, of: id, at: time)
        case .handedOver, .sighted, .noticed, .reopened: return nil
        }
        if let readyTime, readyTime <= time, case .over(let end) = fill {
            book.becomeReady(at: end)
        }
        return book.removeDue(at: time)
    }

    /// The time at which all that was there at the start is known; `nil` if it is known or not in sight.
    private var readyTime: Timestamp? {
        guard !book.isReady, case .over(let end) = fill else { return nil }
        return end.advanced(by: ExpectationBook.settling)
    }
}
