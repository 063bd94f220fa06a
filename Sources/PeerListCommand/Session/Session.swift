// Applies discovery events to the list, and passes every difference to all outputs.
import FoundationEssentials
import PeerList
import PeerRecording

/// Handles one event after the other, and updates all outputs before the next one.
actor Session {
    /// When a session ends by itself.
    struct Once: Sendable {
        /// The time after which discovery gives up waiting to be quiet.
        let timeout: Duration
        /// The time without events after which discovery is quiet, if no lookup is open.
        var quiet = Duration.seconds(1)
        /// The minimum time before the network counts as empty: queries are sent at once, after 1 s and
        /// after 3 s (RFC 6762, section 5.2), and any packet may be lost.
        var patience = Duration.seconds(4)
    }

    let listing: PeerListing
    private let outputs: [any ListOutput]
    private(set) var header: LineHeader
    /// Whether this machine is announced under a name of its own.
    let isAnnounced: Bool
    private let once: Once?
    private let verifier: BatchVerifier

    private let messages: AsyncStream<SessionMessage>
    private nonisolated let inbox: AsyncStream<SessionMessage>.Continuation
    private let start = ContinuousClock.now
    private var lastEvent = ContinuousClock.now
    private var isOver = false
    private var isCatchingUp = false
    /// Whether writing to the output file fails, so that it is tried again.
    private var isFileFailing = false
    /// Replies to machines that probe whether they are visible.
    var visibility = VisibilityResponder()

    /// A session with an empty list.
    ///
    /// - Parameters:
    ///   - listing: The list.
    ///   - header: The header for the outputs.
    ///   - once: When the session ends by itself; `nil` for never.
    ///   - inbox: The messages, and where the outputs send theirs.
    ///   - outputs: The outputs.
    ///   - verifier: Verifies services.
    ///   - isAnnounced: Whether this machine is announced under a name of its own.
    init(
        listing: sending PeerListing, header: LineHeader, once: Once?,
        inbox: (AsyncStream<SessionMessage>, AsyncStream<SessionMessage>.Continuation),
        outputs: sending [any ListOutput], verifier: BatchVerifier, isAnnounced: Bool = false
    ) {
        self.listing = listing
        self.isAnnounced = isAnnounced
        self.outputs = outputs
        self.header = header
        self.once = once
        self.verifier = verifier
        (messages, self.inbox) = inbox
    }

    /// Runs until a message ends the session, then closes the outputs.
    func run(_ events: some AsyncSequence<DiscoveryEvent, Never> & Sendable) async -> SessionEnd {
        for output in outputs { output.begin(header, at: .now()) }
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

    /// Handles a message.
    ///
    /// - Returns: How the session ends, if it does.
    private func handle(_ message: SessionMessage) -> SessionEnd? {
        switch message {
        case .outputFailed(.readerGone): return .readerGone
        case .outputFailed(let failure): return .failed("standard output: \(failure)")
        case .file(let event): handle(event)
        case .verify(let ids, let reply): verify(ids, reply)
        case .sightings(let ids, let reply):
            reply(ItemSightings(paths: listing.paths(of: ids), lastSeen: listing.lastSeen(of: ids)))
        case .quit: return .finished
        case .signalled: return .interrupted
        case .reopen:
            for output in outputs { output.reopen(at: .now(), list: listing.sections) }
        case .retryTime: retryFile()
        case .catchUpTime:
            isCatchingUp = false
            tick(at: .now())
            planCatchUp()
        case .quietTime:
            guard let once, !isQuiet(once) else { return .finished }
            waitForQuiet(once)
        case .deadline:
            let message = "discovery was not quiet in time, devices may be missing; see --timeout"
            report(Notice(.deadline, message, time: .now()))
            return .finished
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
        for output in outputs { output.end(reason, at: .now(), list: listing.sections) }
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

    private nonisolated func post(_ message: SessionMessage, after wait: Duration) {
        Task { [inbox] in
            try? await Task.sleep(for: wait)
            inbox.yield(message)
        }
    }
}

/// Discovery events.
extension Session {
    /// Applies events one by one; the rest waits in the browser, which bounds it.
    private func follow(_ events: some AsyncSequence<DiscoveryEvent, Never> & Sendable) async {
        for await event in events {
            guard !isOver else { return }
            apply(event)
            // Messages are handled between any two events.
            await Task.yield()
        }
    }

    private func apply(_ event: DiscoveryEvent) {
        lastEvent = .now
        tick(at: event.time)
        let outcome = listing.apply(event)
        if let update = outcome.update {
            for output in outputs { output.update(update, list: listing.sections) }
        } else if event.kind.isSighting {
            for output in outputs { output.sighted() }
        }
        changeHeader(event.kind)
        for notice in outcome.notices { report(notice) }
        planCatchUp()
        replyToVisibilityProbes(after: event)
    }

    /// Updates the header when the backend or the name of this machine changes.
    private func changeHeader(_ kind: DiscoveryEvent.Kind) {
        let before = header
        switch kind {
        case .handedOver(let backend, let host):
            header.backend = backend.rawValue
            header.rename(host)
        case .running(let host): header.rename(host)
        default: return
        }
        guard header != before else { return }
        for output in outputs { output.handedOver(header) }
    }

    private func report(_ notice: Notice) {
        for output in outputs { output.notice(notice, list: listing.sections) }
        planCatchUp()
    }

    /// Called before the list changes, so that an output that starts again does so with the list that
    /// the change applies to.
    private func tick(at time: Timestamp) {
        for output in outputs { output.tick(at: time, list: listing.sections) }
    }

    /// Plans a tick for outputs that have left something out.
    private func planCatchUp() {
        guard !isCatchingUp, outputs.contains(where: \.isBehind) else { return }
        isCatchingUp = true
        post(.catchUpTime, after: .milliseconds(100))
    }

    private func verify(_ ids: [UUID], _ reply: @escaping @Sendable (Verification) -> Void) {
        let items = ids.map(listing.services(of:))
        let isEmbedded = header.backend == Backend.embedded.rawValue
        let backend = isEmbedded ? "the embedded stack" : "avahi-daemon"
        Task { [verifier] in reply(await verifier.verify(items, backend: backend)) }
    }
}

/// The output file.
extension Session {
    private func handle(_ event: LineWriter.Event) {
        switch event {
        case .failed(let failure):
            if !isFileFailing { post(.retryTime, after: LineOutput.retryInterval) }
            isFileFailing = true
            report(failure.notice)
        case .recovered:
            isFileFailing = false
            let message = "the output file is written again, and starts with the whole list"
            report(Notice(.outputBack, message, time: .now()))
        }
    }

    /// Tries the file again, even without events, until writing works.
    private func retryFile() {
        guard isFileFailing else { return }
        tick(at: .now())
        post(.retryTime, after: LineOutput.retryInterval)
    }
}

/// The end of `--once`.
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

    /// Plans the next check of whether discovery is quiet.
    private func waitForQuiet(_ once: Once) {
        post(.quietTime, after: max(lastEvent + once.quiet - .now, .milliseconds(50)))
    }
}

extension LineFailure {
    /// The notice of a failing output file.
    fileprivate var notice: Notice {
        switch self {
        case .diskFull:
            Notice(
                .diskFull,
                "the disk of the output file is full; the lines start again when there is room",
                time: .now())
        default: Notice(.outputFailed, "the output file cannot be written: \(self)", time: .now())
        }
    }
}

extension DiscoveryEvent.Kind {
    /// Whether the event is about a path, or a sign of life.
    fileprivate var isSighting: Bool {
        switch self {
        case .found, .removed, .resolved, .answered: true
        default: false
        }
    }
}

extension LineHeader {
    /// Changes the name of this machine, and the identifier unless it is an announced one.
    fileprivate mutating func rename(_ host: String) {
        let isDerived = observerID == Identity.uuid(forName: Identity.canonical(observerHost))
        observerHost = host
        if isDerived { observerID = Identity.uuid(forName: Identity.canonical(host)) }
    }
}
