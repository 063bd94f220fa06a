// The end of a session that reports what is there and stops.
package import FoundationEssentials
package import PeerModel
import PeerText

/// The time at which a session ends by itself; without it, it goes on.
package struct OneShot: Sendable {
    /// The time after which discovery gives up waiting to be quiet.
    let timeout: Duration
    /// The time without events after which discovery is quiet, if no lookup is open.
    var quiet = Duration.seconds(1)
    /// The time in which devices answer a question that is asked at the start.
    var answers = Duration.zero
    /// The time without events after which lookups that are open are not waited for: each has sent two
    /// queries by then, at once and after 1 s.
    var unanswered = Duration.seconds(2)
    /// The minimum time before the network counts as empty: queries are sent at once, after 1 s and
    /// after 3 s (RFC 6762, section 5.2), and any packet may be lost.
    var patience = Duration.seconds(4)
    /// Whether the devices that the backend may know from its cache alone are verified before the list is
    /// reported.
    var verifies: Bool
    /// Returns the devices of a list that are asked whether they answer at their addresses, before the list is reported.
    package var asks: (@Sendable ([ListSection]) -> Set<UUID>)?
    /// Receives the list then, and the session goes on; `nil` to end it.
    var receive: (@Sendable ([ListSection], _ isQuiet: Bool) -> Void)?
    /// Receives what was found so far and is waited for, and `nil` at the end.
    package var progress: (@Sendable (String?) -> Void)?

    package init(
        timeout: Duration, quiet: Duration = .seconds(1), answers: Duration = .zero,
        unanswered: Duration = .seconds(2), patience: Duration = .seconds(4),
        verifies: Bool = false,
        receive: (@Sendable ([ListSection], _ isQuiet: Bool) -> Void)? = nil
    ) {
        (self.timeout, self.quiet, self.answers) = (timeout, quiet, answers)
        self.unanswered = unanswered
        (self.patience, self.verifies, self.receive) = (patience, verifies, receive)
    }

    /// The maximum number of open lookups that count as unanswered. Of more, some may have been asked
    /// nothing yet: slow lookups take half of the places that all have.
    static let unansweredLimit = 16

    /// The message about what was not found when the list was reported.
    package static func text(isLate: Bool, waitingFor names: [String]) -> String {
        let reason =
            isLate ? "discovery was not quiet in time, devices may be missing; see --timeout" : nil
        let open = names.isEmpty ? nil : "no answer for \(listed(names.map(quoted), limit: 3))"
        return [reason, open].compactMap(\.self).joined(separator: "; ")
    }
}
