// Applies the events of a source to its list, and passes every difference to all outputs.
import DiffCore
import FoundationEssentials
import PeerList
package import PeerRecording
import PeerSystem
import PeerText

/// Handles one event after the other, and updates all outputs before the next one.
package actor Session<Source: ListSource> {
    /// The number of events after which waiting messages are handled.
    private static var eventsInTurn: Int { 8 }

    private var source: Source
    private let outputs: [any ListOutput]
    private var header: LineHeader
    private var once: Once?

    private let messages: AsyncStream<SessionMessage>
    private nonisolated let inbox: AsyncStream<SessionMessage>.Continuation
    private var lastEvent = ContinuousClock.now
    private var fill = InitialFill.running
    private var isOver = false
    private var isCatchingUp = false
    /// Whether writing to the output file fails; it is tried again at ticks, at most once a second.
    private var isFileFailing = false
    private let ledger: LedgerFile?
    /// The devices of the ledger; `nil` without one, or if it cannot be read.
    private var known: KnownDevices?
    /// Whether it was reported that the ledger cannot be written.
    private var isLedgerFailing = false

    package init(
        source: sending Source, header: LineHeader, once: Once?,
        inbox: (AsyncStream<SessionMessage>, AsyncStream<SessionMessage>.Continuation),
        outputs: sending [any ListOutput], ledger: LedgerFile? = nil
    ) {
        (self.source, self.outputs, self.ledger) = (source, outputs, ledger)
        (self.header, self.once) = (header, once)
        (messages, self.inbox) = inbox
    }

    /// Runs until a message ends the session, then closes the outputs.
    package func run(
        _ events: some AsyncSequence<Source.Event, Never> & Sendable
    ) async -> SessionEnd {
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
        let isEmpty = source.rows.sections.allSatisfy(\.items.isEmpty)
        return closed == .finished && once != nil && isEmpty ? .nothingFound : closed
    }

    /// Handles a message; returns how the session ends, if it does.
    private func handle(_ message: SessionMessage) -> SessionEnd? {
        switch message {
        case .ended(let end): return end
        case .file(let event): handle(event)
        case .verify(let ids, let reply): source.verify(ids, reply)
        case .sightings(let ids, let reply): reply(source.sightings(of: ids))
        case .label(let id, let text, let reply): reply(label(id, text))
        case .notice(let code, let message): report(code, message)
        case .saveLedger: saveLedger()
        case .savedLedger(let result): handle(result)
        case .reopen: send(.reopened)
        case .heartbeat(let reply): reply()
        case .catchUpTime:
            isCatchingUp = false
            let now = Timestamp.now()
            endFill(source.fillEnd(at: now), at: now)
            send(.tick)
            planCatchUp()
        case .quietTime:
            guard let once else { return nil }
            let isQuiet = source.isQuiet(once, since: lastEvent)
            guard !isQuiet else {
                let names = source.unansweredNames
                if !names.isEmpty {
                    report(.deadline, Once.text(isLate: false, waitingFor: names))
                }
                return finish(once, isQuiet: true)
            }
            waitForQuiet(once)
        case .deadline:
            guard let once else { return nil }
            report(.deadline, Once.text(isLate: true, waitingFor: source.unansweredNames))
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
        for output in outputs { output.handle(event, at: time) { sections } }
    }

    /// The list with the marks of its devices.
    private var sections: [ListSection] {
        known?.marked(source.rows.sections) ?? source.rows.sections
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
    private func follow(
        _ events: some AsyncSequence<Source.Event, Never> & Sendable
    ) async {
        var count = 0
        for await event in events {
            guard !isOver else { return }
            apply(event)
            count += 1
            // Messages are handled in between, also while events never stop.
            if count.isMultiple(of: Self.eventsInTurn) { await Task.yield() }
        }
    }

    private func apply(_ event: Source.Event) {
        let time = event.time
        endFill(source.fillEnd(before: event), at: time)
        // An output that starts again does so with the list that the change applies to.
        send(.tick, at: time)
        let effects = source.apply(event)
        if let online = effects.online { send(.observers(online), at: time) }
        if effects.isNews { lastEvent = .now }
        if var update = effects.update {
            update.items = known?.recognize(update.items, during: fill) ?? update.items
            send(.updated(update), at: time)
            planSave()
        } else if effects.isSighting {
            send(.sighted, at: time)
        }
        if let state = effects.observer { changeHeader(state.host, state.backend) }
        let end = once == nil ? nil : effects.failure
        // The end of the session reports it.
        for notice in effects.notices where notice.message != end { report(notice) }
        endFill(source.fillEnd(at: time), at: time)
        planCatchUp()
        if let end { inbox.yield(.ended(.failed(end))) }
    }

    /// Ends the initial fill, if it has an end.
    private func endFill(_ end: Timestamp?, at time: Timestamp) {
        guard let end else { return }
        fill = .over(end)
        send(.fill(fill), at: time)
    }

    /// Changes the backend, the name of this machine and, unless it is announced, its identifier.
    private func changeHeader(_ host: String, _ backend: Backend?) {
        let before = header
        if let backend { header.backend = backend.rawValue }
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
            return source.rows.item(id) == nil
                ? "the device is not known"
                : "its host name is for one connection, and nothing else identifies it"
        }
        showLabels()
        planSave()
        return nil
    }

    /// Updates the listed devices whose labels have changed.
    private func showLabels() {
        let items = known?.adoptLabels(at: .now()) { [source] in source.rows.item($0) }
        guard let items, !items.isEmpty else { return }
        let snapshot = source.rows.snapshot
        send(.updated(PeerListUpdate(items, cause: .changed, from: snapshot, to: snapshot)))
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
        guard let ledger, let changes = known?.finish(source.rows.sections, at: .now()),
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
    /// Returns the end of the session, or passes the list on and continues it.
    private func finish(_ once: Once, isQuiet: Bool) -> SessionEnd? {
        guard let receive = once.receive else { return .finished }
        self.once = nil
        receive(sections, isQuiet)
        return nil
    }

    private func waitForQuiet(_ once: Once) {
        post(.quietTime, after: max(lastEvent + once.quiet - .now, .milliseconds(50)))
    }
}
