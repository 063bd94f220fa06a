// Applies discovery events to the list, and passes every difference to all outputs.
import DiffCore
import FoundationEssentials
import PeerList
import PeerRecording

/// Handles one event after the other, and updates all outputs before the next one.
actor Session {
    /// When a session ends by itself; without this, never.
    struct Once: Sendable {
        /// The time after which discovery gives up waiting to be quiet.
        let timeout: Duration
        /// The time without events after which discovery is quiet, if no lookup is open.
        var quiet = Duration.seconds(1)
        /// The minimum time before the network counts as empty: queries are sent at once, after 1 s and
        /// after 3 s (RFC 6762, section 5.2), and any packet may be lost.
        var patience = Duration.seconds(4)
        /// Receives the list then, and the session goes on; `nil` to end it.
        var receive: (@Sendable ([ListSection], _ isQuiet: Bool) -> Void)?

        static let lateText =
            "discovery was not quiet in time, devices may be missing; see --timeout"
    }

    /// The number of events after which waiting messages are handled.
    private static let eventsInTurn = 8

    private let listing: PeerListing
    private let outputs: [any ListOutput]
    private var header: LineHeader
    /// Whether this machine is announced under a name of its own.
    private let isAnnounced: Bool
    private var once: Once?
    private let verifier: BatchVerifier

    private let messages: AsyncStream<SessionMessage>
    private nonisolated let inbox: AsyncStream<SessionMessage>.Continuation
    private let start = ContinuousClock.now
    private var lastEvent = ContinuousClock.now
    private var fill = InitialFill.running
    private var fillEnd = InitialFillEnd()
    private var isOver = false
    private var isCatchingUp = false
    /// Whether writing to the output file fails; it is tried again at ticks, at most once a second.
    private var isFileFailing = false
    /// Replies to machines that probe whether they are visible.
    private var visibility = VisibilityResponder()
    private let ledger: LedgerFile?
    /// The devices of the ledger; `nil` without one, or if it cannot be read.
    private var known: KnownDevices?
    /// Whether it was reported that the ledger cannot be written.
    private var isLedgerFailing = false

    init(
        listing: sending PeerListing, header: LineHeader, once: Once?,
        inbox: (AsyncStream<SessionMessage>, AsyncStream<SessionMessage>.Continuation),
        outputs: sending [any ListOutput], verifier: BatchVerifier, isAnnounced: Bool = false,
        ledger: LedgerFile? = nil
    ) {
        self.ledger = ledger
        (self.listing, self.outputs, self.verifier) = (listing, outputs, verifier)
        (self.header, self.once, self.isAnnounced) = (header, once, isAnnounced)
        (messages, self.inbox) = inbox
    }

    /// Runs until a message ends the session, then closes the outputs.
    func run(_ events: some AsyncSequence<DiscoveryEvent, Never> & Sendable) async -> SessionEnd {
        send(.began(header))
        send(.fill(fill))
        readLedger()
        let following = Task { await follow(events) }
        defer { following.cancel() }
        if let once {
            post(.deadline, after: once.timeout)
            waitForQuiet(once)
        }
        var ending = SessionEnd.finished
        for await message in messages {
            guard let end = handle(message) else { continue }
            ending = end
            break
        }
        isOver = true
        let closed = await close(ending)
        let isEmpty = listing.sections.allSatisfy(\.items.isEmpty)
        return closed == .finished && once != nil && isEmpty ? .nothingFound : closed
    }

    /// Handles a message; returns how the session ends, if it does.
    private func handle(_ message: SessionMessage) -> SessionEnd? {
        switch message {
        case .ended(let end): return end
        case .file(let event): handle(event)
        case .verify(let ids, let reply): verify(ids, reply)
        case .sightings(let ids, let reply):
            reply(ItemSightings(paths: listing.paths(of: ids), lastSeen: listing.lastSeen(of: ids)))
        case .label(let id, let text, let reply): reply(label(id, text))
        case .notice(let code, let message): report(code, message)
        case .saveLedger: saveLedger()
        case .savedLedger(let result): handle(result)
        case .reopen: send(.reopened)
        case .heartbeat(let reply): reply()
        case .catchUpTime:
            isCatchingUp = false
            let now = Timestamp.now()
            endFill(fillEnd.end(at: now, openCount: listing.openCount), at: now)
            send(.tick)
            planCatchUp()
        case .quietTime:
            guard let once else { return nil }
            guard !isQuiet(once) else { return finish(once, isQuiet: true) }
            waitForQuiet(once)
        case .deadline:
            guard let once else { return nil }
            report(.deadline, Once.lateText)
            return finish(once, isQuiet: false)
        }
        return nil
    }

    private func close(_ ending: SessionEnd) async -> SessionEnd {
        let reason: LineEncoder.EndReason =
            switch ending {
            case .finished, .nothingFound, .readerGone: .finished
            case .interrupted: .interrupted
            case .failed: .failed
            }
        await saveLedgerAtEnd()
        send(.ended(reason))
        var failures: [LineFailure] = []
        for output in outputs {
            if let failure = await output.close(within: .seconds(2)) { failures.append(failure) }
        }
        guard ending == .finished || ending == .interrupted, let failure = failures.last else {
            return ending
        }
        if failure == .readerGone { return .readerGone }
        return .failed("the output is incomplete: \(failure)")
    }

    private func send(_ event: OutputEvent, at time: Timestamp = .now()) {
        for output in outputs {
            output.handle(event, at: time) { known?.marked(listing.sections) ?? listing.sections }
        }
    }

    private nonisolated func post(_ message: SessionMessage, after wait: Duration) {
        Task { [inbox] in
            try? await Task.sleep(for: wait)
            inbox.yield(message)
        }
    }
}

extension Session {
    /// Applies events one by one; the rest waits in the browser, which bounds it.
    private func follow(_ events: some AsyncSequence<DiscoveryEvent, Never> & Sendable) async {
        var count = 0
        for await event in events {
            guard !isOver else { return }
            apply(event)
            count += 1
            // Messages are handled in between, also while events never stop.
            if count.isMultiple(of: Self.eventsInTurn) { await Task.yield() }
        }
    }

    private func apply(_ event: DiscoveryEvent) {
        // The descriptions and the MAC addresses of hosts may come late, and are not waited for.
        switch event.kind {
        case .deviceInfo, .hardware: break
        default: lastEvent = .now
        }
        endFill(fillEnd.end(before: event, openCount: listing.openCount), at: event.time)
        // An output that starts again does so with the list that the change applies to.
        send(.tick, at: event.time)
        let outcome = listing.apply(event)
        if let update = outcome.update {
            send(.updated(known?.recognize(update, during: fill) ?? update), at: update.time)
            planSave()
        }
        switch event.kind {
        case .found, .removed, .resolved, .answered:
            if outcome.update == nil { send(.sighted, at: event.time) }
        case .handedOver(let backend, let host): changeHeader(host, backend.rawValue)
        case .running(let host): changeHeader(host, header.backend)
        default: break
        }
        for notice in outcome.notices { report(notice) }
        planCatchUp()
        visibility.respond(to: event.kind, in: listing) {
            // By an announcement, or by avahi-daemon.
            isAnnounced
                || header.backend == Backend.daemon.rawValue && DaemonSettings.publishesHostHere
        }
    }

    /// Ends the initial fill, if it has an end.
    private func endFill(_ end: Timestamp?, at time: Timestamp) {
        guard let end else { return }
        fill = .over(end)
        send(.fill(fill), at: time)
    }

    /// Changes the backend, the name of this machine and, unless it is announced, its identifier.
    private func changeHeader(_ host: String, _ backend: String) {
        let before = header
        header.backend = backend
        header.observerHost = host
        if before.observerID == Identity.uuid(forName: Identity.canonical(before.observerHost)) {
            header.observerID = Identity.uuid(forName: Identity.canonical(host))
        }
        if header != before { send(.handedOver(header)) }
    }

    private func report(_ code: Notice.Code, _ message: String) {
        report(Notice(code, message, time: .now()))
    }

    private func report(_ notice: Notice) {
        send(.noticed(notice), at: notice.time)
        planCatchUp()
    }

    /// Plans a tick for outputs that have left something out, even without events.
    private func planCatchUp() {
        guard !isCatchingUp, isFileFailing || outputs.contains(where: \.isBehind) else { return }
        isCatchingUp = true
        post(.catchUpTime, after: .milliseconds(100))
    }

    // MARK: The ledger

    private func readLedger() {
        guard let ledger else { return }
        do throws(LedgerFailure) {
            let content = try ledger.read()
            if let damage = content.damage { report(.ledgerDamaged, damage) }
            known = KnownDevices(content.ledger, grouping: header.grouping)
        } catch {
            report(.ledgerFailed, "no device is recognised: \(error)")
        }
    }

    /// Labels a device for the user; returns why it was not, if so.
    private func label(_ id: UUID, _ text: String) -> String? {
        guard known != nil else { return "there is no ledger of devices in use" }
        guard known?.setLabel(text, of: id) == true else {
            return listing.item(id) == nil
                ? "the device is not known"
                : "its host name is for one connection, and nothing else identifies it"
        }
        showLabels()
        planSave()
        return nil
    }

    /// Updates the listed devices whose labels have changed.
    private func showLabels() {
        let changes = known?.adoptLabels { [listing] in listing.item($0) } ?? [:]
        guard !changes.isEmpty else { return }
        var marked = listing.snapshot
        marked.reconfigureItems(Array(changes.keys))
        send(
            .updated(
                PeerListUpdate(
                    time: .now(), cause: .changed, snapshot: listing.snapshot,
                    difference: marked.difference(from: listing.snapshot), arrivals: [:],
                    departures: [:], changes: changes)))
        planCatchUp()
    }

    private func planSave() {
        if let wait = known?.planSave(at: .now) { post(.saveLedger, after: wait) }
    }

    private func saveLedger() {
        guard let ledger, let changes = known?.beginSave(at: .now) else { return }
        Task.detached { [inbox] in inbox.yield(.savedLedger(ledger.save(changes))) }
    }

    private func handle(_ result: Result<LedgerFile.Content, LedgerFailure>) {
        known?.endSave(try? result.get().ledger)
        reportLedger(result)
        showLabels()
        planSave()
    }

    private func saveLedgerAtEnd() async {
        guard let ledger, let changes = known?.finish(listing.sections, at: .now()),
            !changes.isEmpty
        else { return }
        let result = await withTimeout(.seconds(3)) { ledger.save(changes) }
        reportLedger(result ?? .failure(.locked(ledger.path)))
    }

    private func reportLedger(_ result: Result<LedgerFile.Content, LedgerFailure>) {
        switch result {
        case .success(let content):
            isLedgerFailing = false
            if let damage = content.damage { report(.ledgerDamaged, damage) }
        case .failure(let failure):
            if !isLedgerFailing {
                report(.ledgerFailed, "the devices seen are not remembered: \(failure)")
            }
            isLedgerFailing = true
        }
    }

    private func verify(_ ids: [UUID], _ reply: @escaping @Sendable (Verification) -> Void) {
        let items = ids.map(listing.services(of:))
        let isEmbedded = header.backend == Backend.embedded.rawValue
        let backend = isEmbedded ? "the embedded stack" : "avahi-daemon"
        Task { [verifier] in reply(await verifier.verify(items, backend: backend)) }
    }

    private func handle(_ event: LineWriter.Event) {
        isFileFailing = event != .recovered
        switch event {
        case .failed(.diskFull):
            report(
                .diskFull,
                "the disk of the output file is full; the lines start again when there is room")
        case .failed(let failure):
            report(.outputFailed, "the output file cannot be written: \(failure)")
        case .recovered:
            report(.outputBack, "the output file is written again, and starts with the whole list")
        }
    }
}

extension Session {
    /// Whether discovery is complete as far as can be known.
    private func isQuiet(_ once: Once) -> Bool {
        let now = ContinuousClock.now
        let hasFoundOthers = listing.sections.contains { section in
            section.items.contains { !$0.peer.isSelf }
        }
        return listing.openCount == 0 && now - lastEvent >= once.quiet
            && (now - start >= once.patience || hasFoundOthers)
    }

    /// Returns the end of the session, or passes the list on and continues it.
    private func finish(_ once: Once, isQuiet: Bool) -> SessionEnd? {
        guard let receive = once.receive else { return .finished }
        self.once = nil
        receive(known?.marked(listing.sections) ?? listing.sections, isQuiet)
        return nil
    }

    private func waitForQuiet(_ once: Once) {
        post(.quietTime, after: max(lastEvent + once.quiet - .now, .milliseconds(50)))
    }
}

/// Verifies services in batches of the size that the browser accepts, one after the other.
struct BatchVerifier: Sendable {
    /// The maximum number of services in a batch; the browser asks for no more at once.
    private static let batchSize = 128

    /// The time after which a batch counts as not verified, because the backend hangs.
    var limit = Duration.seconds(5)
    let verify: @Sendable ([UUID]) async -> Verification

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
        var (answered, asked) = (0, 0)
        for batch in batches {
            switch await withTimeout(limit, { await verify(batch) }) {
            case .answered(let count, let all):
                answered += count
                asked += all
            case .unanswered: asked += batch.count
            case .unavailable(let reason): return .unavailable(reason)
            case nil: return .unavailable("\(backend) does not answer")
            }
        }
        return answered == 0 ? .unanswered : .answered(services: answered, of: asked)
    }
}

/// An event that a session handles, besides those of discovery.
enum SessionMessage: Sendable {
    /// The user, a signal or a failure ends the session.
    case ended(SessionEnd)
    /// Writing to the output file failed, or works again.
    case file(LineWriter.Event)
    /// The user wants items verified; the result goes to `reply`, on any thread.
    case verify([UUID], reply: @Sendable (Verification) -> Void)
    /// The screen needs the paths of items and when they were last seen; the answer goes to `reply`,
    /// on any thread.
    case sightings([UUID], reply: @Sendable (ItemSightings) -> Void)
    /// The user labels a device, or removes its label by an empty text; the reason why that failed, if it
    /// did, goes to `reply`, on any thread.
    case label(UUID, String, reply: @Sendable (String?) -> Void)
    /// A hook has something to report.
    case notice(Notice.Code, String)
    /// It may be time to write the ledger.
    case saveLedger
    /// The ledger was written, or could not be.
    case savedLedger(Result<LedgerFile.Content, LedgerFailure>)
    case reopen
    /// The service manager wants to know whether the session has hung; it is told by `reply`.
    case heartbeat(reply: @Sendable () -> Void)
    /// An output that is behind may have room again, or a file that failed may work.
    case catchUpTime
    case quietTime
    case deadline
}

/// The paths of items, and when something was last received from them.
struct ItemSightings: Sendable, Equatable {
    var paths: [NetworkPath]
    var lastSeen: Timestamp?
}

enum SessionEnd: Equatable, Sendable {
    case finished
    /// The session finished with an empty list, and `--once` was given.
    case nothingFound
    /// The reader of standard output closed it.
    case readerGone
    case interrupted
    case failed(String)

    /// The end after a failure of standard output.
    init(_ failure: LineFailure) {
        self = failure == .readerGone ? .readerGone : .failed("standard output: \(failure)")
    }
}
