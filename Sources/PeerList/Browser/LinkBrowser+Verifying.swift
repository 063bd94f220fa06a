// Asking for services again, past the daemon's cache, and what follows from the answer.
public import FoundationEssentials

extension LinkBrowser {
    /// How many services one call asks for, so that it is a few packets on each path.
    static let verifyLimit = 128
    /// How many calls may wait at once.
    static let probeLimit = 4

    struct Verifying {
        var doubts = DoubtSchedule()
        /// How many probes are under way.
        var probeCount = 0
        /// Whether one of them asks for what is in doubt.
        var isAskingAgain = false
        /// Asks the link for services; which of them are answered for.
        var ask: @Sendable ([LinkProbe.Question]) async throws(ProbeError) -> Set<UUID> = {
            questions throws(ProbeError) in try await LinkProbe(questions).run()
        }
        /// Asks the link on some paths for the addresses of hosts; the answers are the stack's to hear.
        var askForAddresses: @Sendable ([String], Set<LinkPath>) -> Void = { hosts, paths in
            for path in paths {
                guard let socket = try? ProbeSocket(path) else { continue }
                for message in ProbeMessage.addressQuestions(for: hosts) {
                    _ = socket.send(message)
                }
            }
        }
        /// Asks the link on some paths for types that are not among the known ones.
        var askForTypes: @Sendable (Set<String>, [LinkPath]) -> AsyncStream<String> = {
            TypeProbe(known: $0, paths: $1).run()
        }
    }

    /// Asks the link for services, and takes note of who answers.
    ///
    /// A service that is answered for is looked up afresh, and so is present
    /// again if it was not. One that is not is reported as unanswered, and
    /// stays so until it answers, whatever the daemon still has in its cache.
    ///
    /// - Parameter services: The services, of which the first 128 are asked for; where none of
    ///   those answers, the others count as silent too.
    /// - Returns: Within 5 s, what was found out.
    public func verify(_ services: [UUID]) async -> Verification {
        guard isRunning else {
            return .unavailable(
                backend == .embedded ? "the embedded stack is away" : "avahi-daemon is away")
        }
        guard verifying.probeCount < Self.probeLimit else {
            return .unavailable("other peers are being asked just now")
        }
        let all = services.compactMap(question)
        let questions = Array(all.prefix(Self.verifyLimit))
        guard !questions.isEmpty else {
            return .unavailable("nothing of it is announced on this link")
        }
        do throws(ProbeError) {
            let answered = try await probe(questions)
            guard answered.isEmpty else {
                return .answered(services: answered.count, of: questions.count)
            }
            // Where so many keep silent, the rest of them does as well.
            if isRunning {
                for question in all.dropFirst(questions.count) { fellSilent(question.service.id) }
                proceed()
            }
            return .unanswered
        } catch {
            return .unavailable("the question cannot be sent: \(error.description)")
        }
    }

    /// Asks again for what is in doubt and due.
    func continueVerifying() {
        guard !verifying.isAskingAgain else { return }
        let ids = verifying.doubts.due(at: now).prefix(Self.verifyLimit)
        guard !ids.isEmpty else { return }
        verifying.isAskingAgain = true
        Task {
            do throws(ProbeError) {
                _ = try await probe(ids.compactMap(question))
            } catch {
                // Where it cannot be asked, it is as if nobody had answered.
                for id in ids where verifying.doubts.contains(id) {
                    verifying.doubts.add(id, at: now)
                }
            }
            verifying.isAskingAgain = false
            proceed()
        }
    }

    func verifyingDeadline() -> Duration? {
        verifying.isAskingAgain ? nil : verifying.doubts.deadline
    }
}

extension LinkBrowser {
    /// Asks the link, and makes of each answer and each silence what follows from it.
    private func probe(
        _ questions: [LinkProbe.Question]
    ) async throws(ProbeError) -> Set<UUID> {
        verifying.probeCount += 1
        defer { verifying.probeCount -= 1 }
        let answered = try await verifying.ask(questions)
        // Nothing can be said of services when the daemon went away meanwhile.
        guard isRunning else { return answered }
        for id in questions.map(\.service.id) where resolving.services[id] != nil {
            if answered.contains(id) {
                verifying.doubts.remove(id)
                noteSignOfLife(of: id)
                if let key = resolving.services[id]?.key { report(.answered(key)) }
                lookUpAfresh(id)
            } else {
                fellSilent(id)
            }
        }
        proceed()
        return answered
    }

    /// A service gave no answer when the link was asked for it.
    func fellSilent(_ id: UUID) {
        guard let service = resolving.services[id] else { return }
        verifying.doubts.add(id, at: now)
        report(.unanswered(service.key))
    }

    /// The question for a service, on the paths that lead away from this machine where there are any.
    func question(_ id: UUID) -> LinkProbe.Question? {
        // What is announced elsewhere is not asked for on this link, nor what is no name in DNS.
        guard let service = resolving.services[id], service.key.domain.lowercased() == "local",
            ProbeMessage.name(of: service.key) != nil
        else { return nil }
        let outward = service.paths.filter { !interface($0.interface).isLoopback }
        let paths = outward.isEmpty ? service.paths : outward
        return LinkProbe.Question(service: service.key, paths: Set(paths))
    }
}
