// The list of the peers on the link.
import DiffCore
package import FoundationEssentials
import PeerHappenings
package import PeerList
import PeerSystem
import PeerText

/// The list of the peers on the link; also replies to machines that probe their visibility.
package struct LinkSource: ListSource {
    private var listing: PeerListing
    private let verifier: BatchVerifier
    /// Whether this machine is announced under a name of its own.
    private let isAnnounced: Bool
    private var backend: Backend
    private var fill = InitialFillEnd()
    private var visibility = VisibilityResponder()
    private let probe = AddressInquiry()

    package init(
        _ listing: PeerListing, backend: Backend, verifier: BatchVerifier, isAnnounced: Bool = false
    ) {
        (self.listing, self.backend) = (listing, backend)
        (self.verifier, self.isAnnounced) = (verifier, isAnnounced)
    }

    package var devices: ListBuilder { listing.devices }
    package var services: ListBuilder? { listing.services }

    package mutating func remember(_ known: @escaping @Sendable (ServiceKey) -> KnownDevice?) {
        listing.remember(known)
    }

    package mutating func apply(_ event: DiscoveryEvent) -> SourceEffects {
        let outcome = listing.apply(event)
        var effects = SourceEffects(
            devices: outcome.devices, services: services == nil ? nil : outcome.update,
            notices: outcome.notices)
        effects.happenings =
            happenings(of: event, outcome.devices)
            + outcome.notices.compactMap { linkHappening($0, outcome.devices) }
        switch event.kind {
        // The descriptions and the MAC addresses of hosts, and senders, may come late, and are not waited for.
        case .deviceInfo, .hardware, .heard: effects.isNews = false
        case .found, .removed, .linkCaughtUp, .linkExpired, .resolved, .answered:
            effects.isSighting = true
        case .handedOver(let backend, let host):
            self.backend = backend
            effects.observer = (host, backend)
        case .running(let host): effects.observer = (host, nil)
        default: break
        }
        visibility.respond(to: event.kind, in: listing) { [isAnnounced, backend] in
            // By an announcement, or by avahi-daemon.
            isAnnounced || backend == .daemon && DaemonSettings.publishesHostHere
        }
        return effects
    }

    /// Returns what happened to the backend.
    private func happenings(
        of event: DiscoveryEvent, _ update: PeerListUpdate?
    ) -> [SourceHappening] {
        switch event.kind {
        case .lost:
            [.init(.backendLost, backend.rawValue, count: update.lostCount, at: event.time)]
        case .backendChanged(let backend, _):
            [
                .init(
                    .backendBack, backend.rawValue, count: devices.snapshot.numberOfItems,
                    at: event.time)
            ]
        default: []
        }
    }

    /// Returns what happened to an interface, if a notice tells of it.
    private func linkHappening(_ notice: Notice, _ update: PeerListUpdate?) -> SourceHappening? {
        guard let name = notice.interface else { return nil }
        return switch notice.code {
        case .linkLost: .init(.linkLost, name, count: update.lostCount, at: notice.time)
        case .linkBack: .init(.linkBack, name, count: unknownCount, at: notice.time)
        default: nil
        }
    }

    private var unknownCount: Int {
        devices.sections.flatMap(\.items).count { $0.peer.presence == .unknown }
    }

    package mutating func fillEnd(before event: DiscoveryEvent) -> Timestamp? {
        fill.end(before: event, openCount: listing.openCount)
    }

    package mutating func fillEnd(at time: Timestamp) -> Timestamp? {
        fill.end(at: time, openCount: listing.openCount)
    }

    package var fillDue: Timestamp? { fill.due(openCount: listing.openCount) }

    package func isQuiet(_ oneShot: OneShot, silence: Duration, age: Duration) -> Bool {
        let isEmpty = !listing.sections.contains { $0.items.contains { !$0.peer.isSelf } }
        guard age >= (isEmpty ? oneShot.patience : oneShot.answers) else { return false }
        if listing.openCount == 0 { return silence >= oneShot.quiet }
        return listing.openCount <= OneShot.unansweredLimit && silence >= oneShot.unanswered
    }

    package var searchText: String {
        let open = listing.openCount
        return counted(devices.snapshot.numberOfItems, "device")
            + (open > 0 ? ", waiting for \(counted(open, "answer"))" : "")
    }

    package var unansweredNames: [String] { listing.openNames }

    /// The devices of other machines; avahi-daemon may have outdated records of them.
    package var cachedDevices: [UUID] {
        guard backend == .daemon else { return [] }
        return devices.sections.flatMap(\.items)
            .filter { item in
                // What other protocols tell was heard, and is in no cache.
                let protocols = item.peer.protocols
                return !item.peer.isSelf && item.peer.presence == .present
                    && (protocols.isEmpty || protocols.contains(.mdns))
            }.map(\.id)
    }

    package func sightings(of ids: [UUID]) -> ItemSightings {
        ItemSightings(paths: listing.paths(of: ids), lastSeen: listing.lastSeen(of: ids))
    }

    package func verify(_ ids: [UUID], _ reply: @escaping @Sendable (Verification) -> Void) {
        let items = ids.map(listing.services(of:))
        let name = backend == .embedded ? "the embedded stack" : "avahi-daemon"
        Task { [verifier] in reply(await verifier.verify(items, backend: name)) }
    }

    package func askAddresses(
        of ids: Set<UUID>, _ reply: @escaping @Sendable (UUID, [AddressAnswer]?) -> Void
    ) {
        let all = devices.sections.flatMap(\.items).map(\.peer)
        let others = AddressQuestion.Others.here(all)
        let questions = ids.map { id -> (id: UUID, questions: [AddressQuestion]?) in
            let (peer, service) = row(id)
            guard let peer, !peer.isSelf else { return (id, nil) }
            return (id, AddressQuestion.all(of: peer, port: service?.port, among: others))
        }
        Task { [probe] in
            for await (id, answers) in probe.answers(to: questions) { reply(id, answers) }
        }
    }

    /// Returns the device of a row, and the service if the row is one.
    private func row(_ id: UUID) -> (peer: Peer?, service: Service?) {
        if let peer = devices.item(id)?.peer { return (peer, nil) }
        for item in devices.sections.lazy.flatMap(\.items) {
            if let service = item.peer.services.first(where: { $0.id == id }) {
                return (item.peer, service)
            }
        }
        return (nil, nil)
    }
}

extension PeerListUpdate? {
    /// The number of devices whose presence has become unknown.
    fileprivate var lostCount: Int {
        self?.items.changes.values.count { $0.now.peer.presence == .unknown } ?? 0
    }
}

extension DiscoveryEvent: SourceEvent {}

/// Verifies services in batches of the size that the browser accepts, a few at a time.
package struct BatchVerifier: Sendable {
    /// The maximum number of services in a batch; the browser asks for no more at once.
    private static let batchSize = 128
    /// The number of batches at a time, less than the browser accepts.
    private static let batchesAtOnce = 3

    /// The time after which a batch counts as not verified, because the backend hangs.
    var limit = Duration.seconds(8)
    let verify: @Sendable ([UUID]) async -> Verification

    package init(
        limit: Duration = .seconds(8), verify: @escaping @Sendable ([UUID]) async -> Verification
    ) {
        (self.limit, self.verify) = (limit, verify)
    }

    /// Verifies the services of items, given item by item, and returns the sum of the batches.
    func verify(_ items: [[UUID]], backend: String) async -> Verification {
        // The services of an item stay together: if a whole batch does not answer, the browser treats
        // its items as silent.
        let batches = items.filter { !$0.isEmpty }.reduce(into: [[UUID]]()) { batches, services in
            if let last = batches.last, last.count + services.count <= Self.batchSize {
                batches[batches.count - 1] += services
            } else {
                batches.append(services)
            }
        }
        if batches.isEmpty { return .unavailable("there is nothing to verify") }
        var (answered, asked) = (Set<UUID>(), 0)
        for start in stride(from: 0, to: batches.count, by: Self.batchesAtOnce) {
            let results = await withTaskGroup { [limit, verify] group in
                for batch in batches[start...].prefix(Self.batchesAtOnce) {
                    group.addTask {
                        (batch.count, await withTimeout(limit) { await verify(batch) })
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for (count, result) in results {
                switch result {
                case .answered(let services, let all):
                    answered.formUnion(services)
                    asked += all
                case .unanswered: asked += count
                case .unavailable(let reason): return .unavailable(reason)
                case nil: return .unavailable("\(backend) does not answer")
                }
            }
        }
        return answered.isEmpty ? .unanswered : .answered(answered, of: asked)
    }
}

extension DaemonSettings {
    /// Whether the daemon of this machine publishes the host name with its addresses; true if its
    /// settings are unreadable.
    fileprivate static var publishesHostHere: Bool {
        guard let settings = readText(usualPath).map({ DaemonSettings($0) }) else { return true }
        return !settings.isOn("publish", "disable-publishing", otherwise: false)
            && settings.isOn("publish", "publish-addresses", otherwise: true)
    }
}

/// Returns the interfaces that multicast DNS uses, or the one of this name, each with its first
/// address, as in `eth0 10.0.0.2, wlan0 10.1.0.7`; at most three, and the number of the others.
package func listenedInterfaces(_ name: String?) -> String {
    let used = LocalInterface.all().filter {
        $0.isUsable && (name == nil || name == $0.interface.name)
    }
    let names = used.prefix(3).map { used in
        used.interface.name + (used.addresses.first.map { " " + $0.address.description } ?? "")
    }
    let more = used.count > names.count ? ["\(used.count - names.count) more"] : []
    return (names + more).joined(separator: ", ")
}
