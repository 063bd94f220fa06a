// Applies the events of a source to its list, and passes every difference to all outputs.
import DiffCore
import FoundationEssentials
import PeerHappenings
package import PeerLedger
package import PeerModel
package import PeerRecording
import PeerSystem
import PeerText

/// Handles one event after the other, and updates all outputs before the next one.
package actor Session<Source: ListSource> {
    /// The number of events after which waiting messages are handled.
    private static var eventsInTurn: Int { 8 }
    /// The same for lines of recordings, which are many, and whose messages are few.
    private static var linesInTurn: Int { 512 }

    package var source: Source
    private var outputs: SessionOutputs
    /// The header of the list; `nil` before a recording's first one.
    private var header: LineHeader?
    private let oneShot: OneShot?
    /// Whether the times of the events are in the past, so that the session waits for none of them.
    private var isRecorded = false
    /// The wait for discovery to be quiet; `nil` once the list was passed on.
    private var quietWait: QuietWait?
    /// The devices that are asked for the outputs whether they answer at their addresses.
    private var asked: Set<UUID> = []

    private let messages: AsyncStream<SessionMessage>
    private nonisolated let inbox: AsyncStream<SessionMessage>.Continuation
    private var account = SessionAccount()
    /// The time at which something is to be said to have happened, or an output needs the time.
    private var sayDue: ContinuousClock.Instant?
    private var isOver = false
    /// The time of the latest event, and when it was handled.
    private var latestEvent: Moment?
    private var timer = SessionTimer()
    private let ledgerFile: LedgerFile?
    private var ledger: LedgerKeeper

    package init(
        source: sending Source, header: LineHeader? = nil, oneShot: OneShot? = nil,
        inbox: (AsyncStream<SessionMessage>, AsyncStream<SessionMessage>.Continuation) =
            AsyncStream.makeStream(),
        outputs: sending [any ListOutput], ledger: LedgerFile? = nil
    ) {
        (self.source, self.outputs) = (source, SessionOutputs(outputs))
        ledgerFile = ledger
        self.ledger = LedgerKeeper(reading: nil)
        (self.header, self.oneShot) = (header, oneShot)
        (messages, self.inbox) = inbox
    }

    /// Runs until a message ends the session, then closes the outputs.
    package func run(
        _ events: some AsyncSequence<Source.Event, Never> & Sendable
    ) async -> SessionEnd {
        begin(at: .now())
        setTimer()
        let following = Task { await follow(events) }
        defer {
            following.cancel()
            timer.cancel()
        }
        return await close(await handleMessages(), at: .now())
    }

    /// Handles messages until one ends the session, and returns how.
    private func handleMessages() async -> SessionEnd {
        defer { isOver = true }
        for await message in messages {
            if case .due = message { timer.noteFired() }
            if let end = handle(message, at: .now()) { return end }
            setTimer()
        }
        return .finished
    }

    /// Applies events one by one; the rest waits in the browser, which bounds it.
    private func follow(
        _ events: some AsyncSequence<Source.Event, Never> & Sendable
    ) async {
        var count = 0
        for await event in events {
            guard !isOver else { return }
            let moment = Moment.now()
            apply(event, at: moment.instant, after: moment.time.duration(since: event.time))
            note(event, handledAt: .now)
            setTimer()
            count += 1
            // Messages are handled in between, also while events never stop.
            if count.isMultiple(of: Self.eventsInTurn) { await Task.yield() }
        }
    }

    /// Sends a message to the session when it is to act by itself.
    private func setTimer() {
        if let due { timer.set(to: due) { [inbox] in inbox.yield(.due) } }
    }
}

// MARK: Recordings

extension Session where Source == RecordingSource {
    /// Plays recordings to their ends, or until a message ends the session, with their timing if a speed is given;
    /// then closes the outputs.
    ///
    /// - Returns: How the session has ended, the parts of the recordings that could not be read, and whether any lines
    ///   are missing.
    package func play(
        at speed: Double? = nil
    ) async -> (end: SessionEnd, damage: (count: Int, first: String?), isWhole: Bool) {
        isRecorded = true
        let playing = Task { inbox.yield(.ended(await read(at: Pace(speed)))) }
        defer { playing.cancel() }
        let ending = await handleMessages()
        let moment = Moment(instant: .now, time: latestEvent?.time ?? .now())
        // Outputs of recordings may wait for their readers.
        let end = await close(
            ending, as: source.devices.ending, at: moment, within: .seconds(1 << 32))
        return (end, source.damage, source.isWhole)
    }

    /// Applies the lines of the recordings; returns how that ended.
    private func read(at pace: Pace) async -> SessionEnd {
        var (pace, count) = (pace, 0)
        do throws(RecordingError) {
            while !isOver, let event = try source.next() {
                if event.beginsList || event.kind == .damage { lose() }
                while let due = [accountDue, outputs.dueTime].compactMap(\.self).min(),
                    due <= event.time
                {
                    await pace.wait(until: due)
                    guard !isOver else { return .finished }
                    pass(to: due)
                }
                await pace.wait(until: event.time)
                guard !isOver else { break }
                switch event.kind {
                case .line: apply(event, at: .now)
                case .pause: sayAll(at: event.time)
                case .damage: break
                }
                note(event, handledAt: .now)
                count += 1
                if count.isMultiple(of: Self.linesInTurn) { await Task.yield() }
            }
            return .finished
        } catch {
            return .failed(error.description)
        }
    }

    /// Says what has happened in a list that is not known any more.
    private func lose() {
        guard let time = latestEvent?.time else { return }
        sayAll(at: time)
        forget()
        send(.lost, at: time)
    }
}

// MARK: Events and messages, with the time

extension Session {
    /// The time at which the session acts by itself; `nil` for never.
    var due: ContinuousClock.Instant? {
        guard !isRecorded else { return nil }
        return [outputs.due, sayDue, quietWait?.due, ledger.due].compactMap(\.self).min()
    }

    func begin(at moment: Moment) {
        quietWait = oneShot.map { QuietWait($0, from: moment.instant) }
        if let header {
            begin(header, at: moment.time)
            if header.isFleet { note([:], at: moment.time) }
            setFill(.running, at: moment.time)
        }
        ledger = LedgerKeeper(reading: ledgerFile)
        source.remember(ledger.knownDevices)
        reportLedger(at: moment)
    }

    /// Handles a message; returns how the session ends, if it does.
    func handle(_ message: SessionMessage, at moment: Moment) -> SessionEnd? {
        switch message {
        case .ended(let end): return end
        case .due: return advance(to: moment)
        case .file(let event):
            outputs.isFileFailing = event != .recovered
            let (code, message) = event.notice
            report(code, message, at: moment)
        case .verify(let ids, let reply): source.verify(ids, reply)
        case .askAddresses(let id, let reply): source.askAddresses(of: [id]) { reply($1 ?? []) }
        case .ask(let ids): ask(ids)
        case .answered(let id, let answers):
            if let answers { send(.answered(id, answers), at: moment.time) }
            say(at: moment)
            asked.remove(id)
            if asked.isEmpty { quietWait?.endPause(at: moment.instant) }
        case .sightings(let ids, let reply): reply(source.sightings(of: ids))
        case .label(let id, let text, let reply):
            let fault = ledger.setLabel(text, of: id, isListed: source.devices.item(id) != nil)
            showLabels(at: moment)
            reply(fault)
        case .notice(let code, let message): report(code, message, at: moment)
        case .savedLedger(let result):
            ledger.endSave(result, at: moment.instant)
            reportLedger(at: moment)
            showLabels(at: moment)
        case .reopen: send(.reopened, at: moment.time)
        case .verified: quietWait?.endPause(at: moment.instant)
        case .heartbeat(let reply): reply()
        }
        return nil
    }

    /// Does what is due; returns how the session ends, if it does.
    private func advance(to moment: Moment) -> SessionEnd? {
        let time = timeHandled(at: moment)
        let isCatchUpDue = outputs.removeCatchUp(at: moment.instant)
        let isSayDue = sayDue.map { $0 <= moment.instant } == true
        if isCatchUpDue || isSayDue { endFill(source.fillEnd(at: time), at: moment.time) }
        if isCatchUpDue {
            send(.tick, at: moment.time)
            outputs.planCatchUp(at: moment.instant)
        }
        if isSayDue { say(at: Moment(instant: moment.instant, time: time)) }
        if outputs.needsTick(at: moment.instant) { send(.tick, at: moment.time) }
        if let file = ledger.file, let changes = ledger.beginSave(at: moment.instant) {
            Task.detached { [inbox] in inbox.yield(.savedLedger(file.save(changes))) }
        }
        switch quietWait?.advance(to: moment.instant, source) {
        case nil: return nil
        case .verify(let ids): source.verify(ids) { [inbox] _ in inbox.yield(.verified) }
        case .ask(let ids): ask(ids)
        case .end(let isQuiet, let message):
            if let message { report(.deadline, message, at: moment) }
            oneShot?.progress?(nil)
            guard let receive = oneShot?.receive else { return .finished }
            quietWait = nil
            receive(ledger.marked(source.devices.sections), isQuiet)
        }
        return nil
    }

    /// Asks devices whether they answer at their addresses, for the outputs; a device that is being asked is not asked again.
    private func ask(_ ids: Set<UUID>) {
        let new = ids.subtracting(asked)
        asked.formUnion(new)
        source.askAddresses(of: new) { [inbox] in inbox.yield(.answered($0, $1)) }
    }

    /// Applies an event that has waited for a time.
    package func apply(
        _ event: Source.Event, at instant: ContinuousClock.Instant, after wait: Duration = .zero
    ) {
        let moment = Moment(instant: instant, time: event.time)
        let time = event.time
        endFill(source.fillEnd(before: event), at: time)
        say(at: moment)
        // An output that starts again does so with the list that the change applies to.
        send(.tick, at: time)
        var effects = source.apply(event)
        if let online = effects.online { note(online, at: time) }
        quietWait?.note(isNews: effects.isNews, after: wait, at: instant)
        if let header = effects.header { begin(header, at: time) }
        if let fill = effects.fill { setFill(fill, at: time) }
        if let (items, step) = effects.items {
            send(.updated(items, step), at: time)
            if step.isHappening { account.apply(items, services: nil) }
        } else if effects.devices != nil || effects.services != nil {
            let marked = ledger.recognize(
                effects.devices?.items, effects.services?.items, during: account.fill)
            if let items = marked.devices { effects.devices?.items = items }
            if let items = marked.services { effects.services?.items = items }
            send(effects.devices, grouped: effects.services, at: time)
            account.apply(effects.devices?.items, services: effects.services?.items)
            ledger.planSave(at: instant)
        } else if effects.isSighting {
            send(.sighted, at: time)
        }
        if let state = effects.observer { changeHeader(state.host, state.backend, at: time) }
        if quietWait != nil { oneShot?.progress?(source.searchText) }
        let end = quietWait == nil ? nil : effects.failure
        // The end of the session reports it.
        for notice in effects.notices where notice.message != end { report(notice, at: moment) }
        endFill(source.fillEnd(at: time), at: time)
        for happening in effects.happenings { add(happening, at: time) }
        say(at: moment)
        outputs.planCatchUp(at: instant)
        if let end { inbox.yield(.ended(.failed(end))) }
    }

    /// Says what is due at a time of a recording.
    package func pass(to time: Timestamp) {
        endFill(source.fillEnd(at: time), at: time)
        say(at: Moment(instant: .now, time: time))
    }

    /// Says all that has happened up to a time of a recording, settled or not.
    package func settle(at time: Timestamp) {
        endFill(source.fillEnd(at: time), at: time)
        sayAll(at: time)
    }

    /// Drops what is not said yet, as at a jump in a recording.
    package func forget() { account.reset() }

    /// Ends the ledger and the outputs; returns how the session has ended.
    func close(
        _ ending: SessionEnd, as recorded: LineEncoder.EndReason? = nil, at moment: Moment,
        within limit: Duration = .seconds(2)
    ) async -> SessionEnd {
        oneShot?.progress?(nil)
        let reason: LineEncoder.EndReason =
            switch ending {
            case .finished, .nothingFound, .readerGone: recorded ?? .finished
            case .interrupted: .interrupted
            case .failed, .takenOver: .failed
            }
        await saveLedgerAtEnd(at: moment)
        sayAll(at: moment.time)
        send(.ended(reason), at: moment.time)
        let failure = await outputs.close(within: limit)
        guard ending == .finished || ending == .interrupted, let failure else {
            let isEmpty = list.snapshot.numberOfItems == 0
            return ending == .finished && quietWait != nil && isEmpty ? .nothingFound : ending
        }
        if failure == .readerGone { return .readerGone }
        return .failed("the output is incomplete: \(failure)")
    }

    /// Begins the list, or goes on with it.
    private func begin(_ header: LineHeader, at time: Timestamp) {
        self.header = header
        if source.services != nil { account.beginServices() }
        send(.began(header.ofDevices), grouped: .began(header), at: time)
    }

    /// The list in its grouping.
    private var list: Source.Items { source.services ?? source.devices }

    private func send(_ event: OutputEvent, at time: Timestamp) {
        send(event, grouped: event, at: time)
    }

    private func send(
        _ devices: PeerListUpdate?, grouped services: PeerListUpdate?, at time: Timestamp
    ) {
        let event = devices.map { OutputEvent.updated($0.items, .event($0)) }
        let grouped =
            source.services == nil ? event : services.map { .updated($0.items, .event($0)) }
        send(event, grouped: grouped, at: time)
    }

    /// Sends an event to the outputs of devices, and another event to the outputs that group the list.
    private func send(_ event: OutputEvent?, grouped: OutputEvent?, at time: Timestamp) {
        outputs.send(event, grouped: grouped, at: time) { isGrouped in
            ledger.marked((isGrouped ? list : source.devices).sections)
        }
    }

    // MARK: What happened

    /// Ends the initial fill, if it has an end.
    private func endFill(_ end: Timestamp?, at time: Timestamp) {
        guard let end else { return }
        setFill(.over(end), at: time)
        add(SourceHappening(.filled, "", count: source.deviceCount, at: end), at: time)
    }

    private func setFill(_ fill: InitialFill, at time: Timestamp) {
        account.fill = fill
        send(.fill(fill), at: time)
    }

    private func add(_ happening: SourceHappening, at time: Timestamp) {
        account.add(happening)
        if happening.event != .filled { send(.sources(account.sources), at: time) }
    }

    /// Notes which observers of a fleet are online.
    private func note(_ online: [ObserverName: Bool], at time: Timestamp) {
        account.note(online)
        send(.sources(account.sources), at: time)
    }

    /// Says what has happened and settled, and plans when to say more.
    private func say(at moment: Moment) {
        send(account.removeDue(at: moment.time), at: moment.time)
        if let due = outputs.dueTime, due <= moment.time { send(.tick, at: moment.time) }
        guard !isRecorded else { return }
        sayDue = [
            accountDue.map { moment.instant(of: $0, within: .seconds(3)) },
            outputs.dueTime.map { moment.instant(of: $0, within: .seconds(3_600)) },
        ].compactMap(\.self).min()
    }

    /// Says all that has happened, settled or not.
    private func sayAll(at time: Timestamp) { send(account.removeAll(), at: time) }

    private func send(_ events: SessionAccount.Events?, at time: Timestamp) {
        guard let events else { return }
        send(.happened(events.ofDevices), grouped: .happened(events.grouped), at: time)
    }

    /// The time at which something is to be said, or the initial fill ends.
    private var accountDue: Timestamp? {
        [account.due, source.fillDue].compactMap(\.self).min()
    }

    /// Notes when an event has been handled, which may be long after its time.
    func note(_ event: Source.Event, handledAt instant: ContinuousClock.Instant) {
        latestEvent = Moment(instant: instant, time: event.time)
    }

    /// Returns the time up to which all events have been handled: a busy machine handles them late.
    private func timeHandled(at moment: Moment) -> Timestamp {
        min(moment.time, latestEvent?.time(at: moment.instant) ?? moment.time)
    }

    private func changeHeader(_ host: String, _ backend: Backend?, at time: Timestamp) {
        guard var header else { return }
        header.handOver(to: host, backend)
        guard header != self.header else { return }
        self.header = header
        send(.handedOver(header.ofDevices), grouped: .handedOver(header), at: time)
    }

    private func report(_ code: Notice.Code, _ message: String, at moment: Moment) {
        report(Notice(code, message, time: moment.time), at: moment)
    }

    private func report(_ notice: Notice, at moment: Moment) {
        send(.noticed(notice), at: notice.time)
        outputs.planCatchUp(at: moment.instant)
    }

    // MARK: The ledger

    private func reportLedger(at moment: Moment) {
        for (code, message) in ledger.removeNotices() { report(code, message, at: moment) }
    }

    /// Updates the listed devices whose labels have changed.
    private func showLabels(at moment: Moment) {
        let items = ledger.adoptLedger(at: moment.time) { [source] in source.devices.item($0) }
        ledger.planSave(at: moment.instant)
        guard !items.isEmpty else { return }
        send(
            PeerListUpdate(of: source.devices, items),
            grouped: source.services.map {
                PeerListUpdate(of: $0, ledger.relabelled($0.sections, items))
            }, at: moment.time)
        outputs.planCatchUp(at: moment.instant)
    }

    private func saveLedgerAtEnd(at moment: Moment) async {
        let changes = ledger.finish(source.devices.sections, at: moment.time)
        guard let file = ledger.file, !changes.isEmpty else { return }
        let result = await withTimeout(.seconds(3)) { file.save(changes) }
        ledger.report(result ?? .failure(.locked(file.path)))
        reportLedger(at: moment)
    }
}

extension PeerListUpdate {
    /// Creates the update of a list whose items keep their order and identifiers.
    fileprivate init(of list: some OrderedItems, _ items: ItemChanges) {
        self.init(items, cause: .changed, from: list.snapshot, to: list.snapshot)
    }
}
