// Probes the link: announces this machine, collects the replies of others, and queries known devices.
import FoundationEssentials
import PeerList
import PeerSystem

actor VisibilityProbe {
    struct Observations: Sendable {
        var devices: HeardCheck
        /// All devices, including this machine.
        var listing = PeerListing()
        /// The services that responded to a query.
        var responded: Set<UUID> = []
        /// The reason why this machine could not be announced, if so.
        var announceFailure: String?
        var backend = Backend.daemon
        var port = VisibilityListener.usualPort
        var replies = VisibilityListener.Replies()
    }

    private static let announceLimit = Duration.seconds(5)

    private var listing = PeerListing()
    private var responder = VisibilityResponder()
    /// Receives the outcome of the announcement: why it failed, or `nil`.
    private let outcome = AsyncStream.makeStream(of: String?.self)

    /// Announces this machine through a backend, and waits for replies for a time.
    func observe(
        for time: Duration, over choice: BackendChoice
    ) async throws(BackendError) -> Observations {
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

        let failure = await announceFailure()
        let first = HeardCheck.services(of: HeardCheck.others(in: listing))
        async let responses = browser.verify(first)
        var replies = VisibilityListener.Replies()
        if failure == nil { replies = await listener.replies(within: time) }
        // Devices found in the meantime are queried as well.
        let later = HeardCheck.services(of: HeardCheck.others(in: listing))
            .filter { !first.contains($0) }
        let results = [await responses, await browser.verify(later)]
            .compactMap(\.answeredServices)
        let responded: Set<UUID>? = results.isEmpty ? nil : Set(results.joined())
        let devices = HeardCheck(listing, responded: responded, within: time)
        await browser.stop(within: .seconds(1))
        return Observations(
            devices: devices, listing: listing, responded: responded ?? [],
            announceFailure: failure, backend: backend, port: listener.port, replies: replies)
    }

    /// Waits until the probe is announced or that has failed, and returns the reason if it has.
    private func announceFailure() async -> String? {
        let outcomes = outcome.stream
        let failure = await withTimeout(Self.announceLimit) {
            await outcomes.first { _ in true } ?? "interrupted"
        }
        let seconds = Self.announceLimit.components.seconds
        return failure ?? "no confirmation within \(seconds) seconds"
    }

    /// Applies events to the list, and replies to the probes of other machines.
    private func follow(_ events: some AsyncSequence<DiscoveryEvent, Never> & Sendable) async {
        for await event in events {
            _ = listing.apply(event)
            responder.respond(to: event.kind, in: listing, isPublished: { true })
            switch event.kind {
            case .announced: outcome.continuation.yield(nil)
            case .notice(.announceFailed, let message): outcome.continuation.yield(message)
            default: break
            }
        }
    }
}

extension PeerListing {
    /// The names of the devices by the texts of their addresses.
    var namesByAddress: [String: String] {
        let pairs = sections.flatMap(\.items).map(\.peer).flatMap { peer in
            peer.addresses.map { ($0, peer.displayName) }
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
