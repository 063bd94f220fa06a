// Probes the link: announces this machine, collects the replies of others, and queries known devices.
import FoundationEssentials
import PeerList

/// A probe of the link for `peerlist doctor`.
actor VisibilityProbe {
    enum Outcome: Sendable {
        case completed(Result)
        /// No probe was possible, for a reason.
        case unavailable(String)
    }

    /// The observations of a completed probe.
    struct Result: Sendable {
        var devices: HeardCheck.Survey
        var announcement = AnnounceOutcome.announced
        /// The backend that was to announce this machine.
        var backend = Backend.daemon
        /// The port that received replies.
        var port = VisibilityListener.usualPort
        var replies = VisibilityListener.Replies()
    }

    /// Whether the probe was announced.
    enum AnnounceOutcome: Sendable {
        case announced
        case failed(String)
    }

    /// The maximum time to wait for the announcement.
    private static let announceLimit = Duration.seconds(5)

    private let listing = PeerListing()
    private var responder = VisibilityResponder()
    private let announcement = AsyncStream.makeStream(of: AnnounceOutcome.self)

    /// Probes the link.
    ///
    /// - Parameters:
    ///   - time: The time to wait for replies.
    ///   - backend: The backend that announces this machine.
    /// - Returns: The observations, or why there are none.
    static func run(for time: Duration, over backend: BackendChoice) async -> Outcome {
        do throws(BackendError) {
            return .completed(try await VisibilityProbe().result(within: time, over: backend))
        } catch {
            return .unavailable(error.description)
        }
    }

    private func result(
        within time: Duration, over choice: BackendChoice
    ) async throws(BackendError) -> Result {
        let listener = try VisibilityListener()
        var options = BrowseOptions()
        // A random name, because others may have cached an earlier probe.
        options.announcement = Announcement(
            name: "doctor \(listener.nonce.text.prefix(6))", type: Identity.serviceType,
            port: listener.port,
            txt: ["txtvers=1", "\(VisibilityNonce.key)=\(listener.nonce.text)"])
        let browser = LinkBrowser(options, asking: choice)
        _ = try await browser.start()
        let backend = await browser.backend
        let following = Task { await follow(browser.events) }
        defer { following.cancel() }

        let announced = await announceOutcome()
        let first = RollCall(of: HeardCheck.others(in: listing), in: listing)
        async let responses = first.run()
        var replies = VisibilityListener.Replies()
        if case .announced = announced { replies = await listener.replies(within: time) }
        // Devices found in the meantime are queried as well.
        let later = HeardCheck.others(in: listing).filter { !first.machines.contains($0.id) }
        let responded = Self.union(
            await responses, await RollCall(of: later, in: listing).run())
        let devices = HeardCheck.survey(listing, responded: responded, within: time)
        await browser.stop(within: .seconds(1))
        return Result(
            devices: devices, announcement: announced, backend: backend, port: listener.port,
            replies: replies)
    }

    /// Combines the results of two queries; `nil` means that no device could be queried.
    private static func union(_ first: Set<UUID>?, _ second: Set<UUID>?) -> Set<UUID>? {
        first.map { $0.union(second ?? []) } ?? second.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Waits until the probe is announced or that has failed.
    private func announceOutcome() async -> AnnounceOutcome {
        let timer = Task { [entry = announcement.continuation] in
            try? await Task.sleep(for: Self.announceLimit)
            let seconds = Self.announceLimit.components.seconds
            entry.yield(.failed("no confirmation within \(seconds) seconds"))
        }
        defer { timer.cancel() }
        for await outcome in announcement.stream { return outcome }
        return .failed("interrupted")
    }

    /// Applies events to the list, and replies to the probes of other machines.
    private func follow(_ events: some AsyncSequence<DiscoveryEvent, Never> & Sendable) async {
        for await event in events {
            _ = listing.apply(event)
            responder.respond(to: event.kind, in: listing, isPublished: { true })
            switch event.kind {
            case .announced: announcement.continuation.yield(.announced)
            case .notice(.announceFailed, let message):
                announcement.continuation.yield(.failed(message))
            default: break
            }
        }
    }
}
