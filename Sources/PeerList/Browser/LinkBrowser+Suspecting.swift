// Services that went on one path: all are asked for at once before each is looked up on another.
import FoundationEssentials

extension LinkBrowser {
    /// How long services that go at about the same time are gathered, to be asked for in one go.
    static let suspicion = Duration.milliseconds(100)

    struct Suspecting {
        /// Whose lookup timed out on one path, while another is left, and what else their hosts offer.
        var suspects: Set<UUID> = []
        var due: Duration?
    }

    /// Takes note that a service that was there does not answer on a path any more.
    ///
    /// A machine that falls silent takes all its services along. To look each up on another path, a few
    /// at a time, would take five seconds for every few of them; one question to the link says at once
    /// which of them are there at all.
    ///
    /// - Returns: Whether it is asked for; some cannot be.
    /// - Complexity: O(*n*), where *n* is the number of services.
    func suspect(_ service: Resolving.Service) -> Bool {
        guard service.host != nil, question(service.key.id) != nil else { return false }
        guard !suspecting.suspects.contains(service.key.id) else { return true }
        for (id, other) in resolving.services
        where other.host == service.host && !verifying.doubts.contains(id) {
            suspecting.suspects.insert(id)
        }
        suspecting.suspects.insert(service.key.id)
        if suspecting.due == nil { suspecting.due = now + Self.suspicion }
        return true
    }

    /// Asks for the suspects once they are gathered.
    func continueSuspecting() {
        guard let due = suspectingDeadline(), due <= now else { return }
        let questions = suspecting.suspects.compactMap(question).prefix(Self.verifyLimit)
        suspecting.suspects.subtract(questions.map(\.service.id))
        // Who left meanwhile is no suspect any more.
        suspecting.suspects.formIntersection(resolving.services.keys)
        suspecting.due = suspecting.suspects.isEmpty ? nil : now + Self.suspicion
        guard !questions.isEmpty else { return }
        verifying.probeCount += 1
        Task { [ask = verifying.ask] in
            let answered = try? await ask(Array(questions))
            verifying.probeCount -= 1
            // Where it cannot be asked, the other path has to say.
            for id in questions.map(\.service.id) {
                settleSuspicion(id, answered?.contains(id) ?? true)
            }
            proceed()
        }
    }

    private func settleSuspicion(_ id: UUID, _ isThere: Bool) {
        guard let service = resolving.services[id] else { return }
        if !isThere {
            fellSilent(id)
        } else if !service.failedPaths.isEmpty {
            closeLookup(id)
            resolving.schedule.ask(id, at: now)
        }
    }

    /// When the suspects are asked for, or `nil` for never; while many questions are out, later.
    func suspectingDeadline() -> Duration? {
        verifying.probeCount < Self.probeLimit ? suspecting.due : nil
    }
}
