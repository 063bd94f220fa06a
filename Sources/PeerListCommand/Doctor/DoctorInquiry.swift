// Announces this machine for some seconds, hears who is there, and gathers the answers of others.
import FoundationEssentials
import PeerList

/// Asks the link who sees this machine.
struct DoctorInquiry {
    /// What came of it.
    enum Outcome: Sendable {
        /// This machine was announced; who is heard, and who answered.
        case asked(heard: HeardCheck.Survey, seen: VisibilityCheck.Survey)
        /// Others were heard, but this machine could not be announced, for this reason.
        case unannounced(heard: HeardCheck.Survey, by: Backend, reason: String)
        /// Nothing could be asked, for this reason.
        case unavailable(String)
    }

    /// How long to wait for the backend to announce this machine.
    private static let patience = Duration.seconds(5)

    /// The shortest wait after which a missing reply means something.
    ///
    /// An announcement is repeated after one second (RFC 6762, section 8.3), browsing over the second
    /// IP version starts later, and replies are sent one by one.
    static let conclusiveTime = Duration.seconds(3)

    /// How long to wait for replies.
    let time: Duration
    /// Who may be asked.
    let backend: BackendChoice

    /// Asks, and waits.
    func run() async -> Outcome {
        let listener: VisibilityListener
        let browser: LinkBrowser
        let backend: Backend
        do throws(BackendError) {
            listener = try VisibilityListener()
            browser = LinkBrowser(options(listener), asking: self.backend)
            _ = try await browser.start()
            // Later a daemon that hangs could hold up the answer.
            backend = await browser.backend
        } catch {
            return .unavailable(error.description)
        }
        let (signs, entry) = AsyncStream.makeStream(of: Sign.self)
        let ear = Ear(entry)
        let hearing = Task { await ear.run(browser.events) }
        let reason = await waitUntilAnnounced(signs, entry)
        let first = await ear.rollCall()
        async let answers = first.run()
        // Nobody can answer before that, and what arrives waits at the socket.
        let harvest = reason == nil ? await listener.replies(within: time) : .init()
        // Whoever was found meanwhile is called as well.
        let answered = union(await answers, await ear.rollCall(without: first.machines).run())
        let heard = await ear.survey(answered: answered, within: time)
        await browser.stop(within: .seconds(1))
        hearing.cancel()
        if let reason { return .unannounced(heard: heard, by: backend, reason: reason) }
        let seen = VisibilityCheck.Survey(
            port: listener.port, time: time, harvest: harvest, runners: heard.runners,
            silentRunners: heard.silentRunners)
        return .asked(heard: heard, seen: seen)
    }

    private func union(_ first: Set<UUID>?, _ second: Set<UUID>?) -> Set<UUID>? {
        first.map { $0.union(second ?? []) } ?? second.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func options(_ listener: VisibilityListener) -> BrowseOptions {
        var options = BrowseOptions()
        // A name of its own each time: nothing that others remember of an earlier one is in its way.
        options.announcement = Announcement(
            name: "doctor \(listener.nonce.text.prefix(6))",
            type: LinkBrowser.identityType, port: listener.port,
            txt: ["txtvers=1", "\(VisibilityNonce.key)=\(listener.nonce.text)"])
        return options
    }

    /// What the announcement depends on.
    private enum Sign: Sendable {
        case announced
        case failed(String)
    }

    /// Waits for the announcement; returns why there is none.
    private func waitUntilAnnounced(
        _ signs: AsyncStream<Sign>, _ entry: AsyncStream<Sign>.Continuation
    ) async -> String? {
        let timer = Task {
            try? await Task.sleep(for: Self.patience)
            let seconds = Self.patience.components.seconds
            entry.yield(.failed("that was not done within \(seconds) seconds"))
        }
        defer { timer.cancel() }
        for await sign in signs {
            switch sign {
            case .announced: return nil
            case .failed(let reason): return reason
            }
        }
        return nil
    }

    /// Hears what is found out, answers others that ask the same, and keeps the list.
    private actor Ear {
        private let listing = PeerListing()
        private let entry: AsyncStream<Sign>.Continuation
        private var responder = VisibilityResponder()

        init(_ entry: AsyncStream<Sign>.Continuation) { self.entry = entry }

        func run(_ events: AsyncStream<DiscoveryEvent>) async {
            for await event in events {
                _ = listing.apply(event)
                responder.respond(to: event.kind, in: listing, isPublished: { true })
                switch event.kind {
                case .announced: entry.yield(.announced)
                case .notice(.announceFailed, let message): entry.yield(.failed(message))
                default: break
                }
            }
        }

        func rollCall(without called: Set<UUID> = []) -> RollCall {
            let others = HeardCheck.others(in: listing).filter { !called.contains($0.id) }
            return RollCall(of: others, in: listing)
        }

        func survey(answered: Set<UUID>?, within time: Duration) -> HeardCheck.Survey {
            HeardCheck.survey(listing, answered: answered, within: time)
        }
    }
}
