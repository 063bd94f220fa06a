// The way of an event through the program: from discovery into the list, from the list to every output.
import FoundationEssentials
import PeerList
import PeerRecording

/// Takes what happens one thing at a time, and hands every difference to all outputs before the next.
actor Session {
    let listing: PeerListing
    let outputs: [any ListOutput]
    private(set) var header: LineHeader
    /// Whether this machine is announced under a name of its own.
    let isAnnounced: Bool
    private let once: Once?
    let ask: (@Sendable ([UUID]) async -> Verification)?

    private let messages: AsyncStream<SessionMessage>
    private nonisolated let inbox: AsyncStream<SessionMessage>.Continuation
    let start = ContinuousClock.now
    private(set) var lastEvent = ContinuousClock.now
    private var isOver = false
    private var isCatchingUp = false
    /// Whether the file is not being written, so that it is to be tried again.
    var isFileFailing = false
    /// Replies to machines that probe whether they are visible.
    var visibility = VisibilityResponder()

    /// A session of an empty list.
    ///
    /// - Parameters:
    ///   - listing: The list.
    ///   - header: What the outputs begin with.
    ///   - once: When it ends by itself; `nil`: never.
    ///   - inbox: Where ``post(_:)`` and the outputs' failures arrive.
    ///   - outputs: Where the list is given out.
    ///   - ask: Asks for services again; `nil`: there is nobody to ask.
    ///   - isAnnounced: Whether this machine is announced under a name of its own.
    init(
        listing: sending PeerListing, header: LineHeader, once: Once?,
        inbox: (AsyncStream<SessionMessage>, AsyncStream<SessionMessage>.Continuation),
        outputs: sending [any ListOutput],
        ask: (@Sendable ([UUID]) async -> Verification)? = nil, isAnnounced: Bool = false
    ) {
        self.listing = listing
        self.isAnnounced = isAnnounced
        self.outputs = outputs
        self.header = header
        self.once = once
        self.ask = ask
        (messages, self.inbox) = inbox
    }

    /// Runs until the end, and gives everything out.
    ///
    /// - Parameter events: What is found out.
    /// - Returns: How it ended.
    func run(_ events: AsyncStream<DiscoveryEvent>) async -> SessionEnd {
        for output in outputs { output.begin(header, at: .now()) }
        let following = Task { await follow(events) }
        let timers = once.map(startTimers) ?? []
        defer { for task in timers + [following] { task.cancel() } }

        var ending = SessionEnd.finished
        for await message in messages {
            guard let end = take(message) else { continue }
            ending = end
            break
        }
        isOver = true
        let closed = await close(ending)
        let isEmpty = listing.sections.allSatisfy(\.items.isEmpty)
        return closed == .finished && once != nil && isEmpty ? .nothingFound : closed
    }
}

extension Session {
    /// Takes one message; returns how the session ends if it does.
    private func take(_ message: SessionMessage) -> SessionEnd? {
        switch message {
        case .outputFailed(.readerGone): return .readerGone
        case .outputFailed(let failure): return .failed("standard output: \(failure)")
        case .file(let event): take(event)
        case .verify(let ids, let reply): verify(ids, reply)
        case .sightings(let ids, let reply):
            reply(ItemSightings(paths: listing.paths(of: ids), lastSeen: listing.lastSeen(of: ids)))
        case .quit: return .finished
        case .signalled: return .interrupted
        case .reopen:
            for output in outputs { output.reopen(at: .now(), list: listing.sections) }
        case .retryTime: retryFile()
        case .catchUpTime: catchUp()
        case .quietTime:
            if isQuiet { return .finished }
            waitForQuiet()
        case .deadline:
            tell(
                .deadline, "discovery was not quiet in time, devices may be missing; see --timeout")
            return .finished
        }
        return nil
    }

    /// Takes one event after the other, and no more from the browser than can be taken.
    ///
    /// What waits does so in the browser's hands, which bounds it; other
    /// messages come between any two events.
    private func follow(_ events: AsyncStream<DiscoveryEvent>) async {
        for await event in events {
            guard !isOver else { return }
            take(event)
            await Task.yield()
        }
    }

    /// Lets outputs that have left something out make it good.
    private func catchUp() {
        isCatchingUp = false
        tick(at: .now())
        planCatchUp()
    }

    private func planCatchUp() {
        guard !isCatchingUp, outputs.contains(where: \.isBehind) else { return }
        isCatchingUp = true
        post(.catchUpTime, after: .milliseconds(100))
    }

    private func take(_ event: DiscoveryEvent) {
        lastEvent = .now
        tick(at: event.time)
        let outcome = listing.apply(event)
        if let update = outcome.update {
            for output in outputs { output.update(update, list: listing.sections) }
        } else if event.kind.isSighting {
            for output in outputs { output.sighted() }
        }
        changeHeader(event.kind)
        for notice in outcome.notices { tell(notice) }
        planCatchUp()
        replyToVisibilityProbes(after: event)
    }

    /// Another backend answers, or this machine has another name.
    private func changeHeader(_ kind: DiscoveryEvent.Kind) {
        let before = header
        switch kind {
        case .handedOver(let backend, let host):
            header.backend = backend.rawValue
            header.take(host: host)
        case .running(let host): header.take(host: host)
        default: return
        }
        guard header != before else { return }
        for output in outputs { output.handedOver(header) }
    }

    func tell(_ code: Notice.Code, _ message: String) {
        tell(Notice(code, message, time: .now()))
    }

    private func tell(_ notice: Notice) {
        for output in outputs { output.notice(notice, list: listing.sections) }
        planCatchUp()
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
}

extension Session {
    @discardableResult
    nonisolated func post(
        _ message: SessionMessage, after wait: Duration
    ) -> Task<Void, Never> {
        Task { [inbox] in
            guard (try? await Task.sleep(for: wait)) != nil else { return }
            inbox.yield(message)
        }
    }
}

extension DiscoveryEvent.Kind {
    /// Whether it is about a path, or a sign of life.
    fileprivate var isSighting: Bool {
        switch self {
        case .found, .removed, .resolved, .answered: true
        default: false
        }
    }
}

extension LineHeader {
    /// Takes another name of this machine, and its identifier unless that is an announced one.
    fileprivate mutating func take(host: String) {
        let isOfName = observerID == Identity.uuid(forName: Identity.canonical(observerHost))
        observerHost = host
        if isOfName { observerID = Identity.uuid(forName: Identity.canonical(host)) }
    }
}
