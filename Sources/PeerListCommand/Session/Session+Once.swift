// When a session ends by itself: the rules of `--once`.
import PeerList

extension Session {
    /// When the program ends by itself.
    struct Once: Sendable {
        /// Discovery is quiet when nothing was found out for so long and no lookup is open.
        static let quiet = Duration.seconds(1)
        /// Nobody is said to be there before three questions could have been answered: they are asked at
        /// once, after 1 s and after 3 s (RFC 6762, section 5.2), and any packet may be lost.
        static let doubt = Duration.seconds(4)
        /// The hard deadline.
        let timeout: Duration
    }

    /// Whether nothing more is to be expected.
    var isQuiet: Bool {
        let now = ContinuousClock.now
        return listing.openCount == 0 && now - lastEvent >= Once.quiet
            && (now - start >= Once.doubt || hasFoundOthers)
    }

    private var hasFoundOthers: Bool {
        listing.sections.contains { section in section.items.contains { !$0.peer.isSelf } }
    }

    /// Has the session look at its ends when they may have come.
    func startTimers(_ once: Once) -> [Task<Void, Never>] {
        waitForQuiet()
        return [post(.deadline, after: once.timeout)]
    }

    /// Looks again when nothing could have been found out for long enough.
    func waitForQuiet() {
        let rest = lastEvent + Once.quiet - .now
        post(.quietTime, after: max(rest, .milliseconds(50)))
    }
}
