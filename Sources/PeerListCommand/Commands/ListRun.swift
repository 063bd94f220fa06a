// Runs the list: starts discovery or reads a fleet, connects the session with its outputs, and stops both.
import FoundationEssentials
import Glibc
import PeerExpect
import PeerExport
import PeerFleet
import PeerHooks
import PeerLedger
import PeerList
import PeerRecording
import PeerReport
import PeerScreen
import PeerSession
import PeerSilent
import PeerSystem
import PeerText
import TerminalList

extension Options {
    @MainActor func run() async throws(UsageError) -> ExitStatus {
        switch (source, destination) {
        case (.recording(let recording), .export(let export)):
            return export.print(list, of: recording, showsProgress: showsProgress)
        case (.recording(let recording), _):
            return try await ReplayRun(recording, self).run()
        default: break
        }
        let obstacle =
            export.watched.flatMap(ExportedFile.obstacle)
            ?? report.watched.flatMap(WatchedReport.obstacle)
        if let obstacle {
            complain("--watch: \(obstacle)")
            return .failure
        }
        var page = PageInput()
        if report.watched != nil {
            if let path = report.expected {
                guard let file = ExpectationFile.read(path) else { return .usage }
                page.expected = file
            }
            do throws(RecordingError) {
                (page.past, page.notices) = try await report.read()
            } catch {
                complain(error.description)
                return .failure
            }
            Progress.end()
        }
        return try await runList(page: page)
    }

    /// Runs the list of the link or of a fleet; a page is made of more, and a judgement is noted.
    @MainActor func runList(
        _ judgement: Judgement = Judgement(), page: PageInput = PageInput()
    ) async throws(UsageError) -> ExitStatus {
        await (try ListRun(self, page, judgement)).run()
    }
}

/// The files from which a page is made, beside the list.
struct PageInput {
    /// The presences in recordings of the time before, and messages about them.
    var past: [RecordedPresence] = []
    var notices: [String] = []
    var expected: ExpectationFile?
}

private struct ListRun {
    private let options: Options
    private let settings: ScreenSettings
    /// Whether the live list is shown, on the terminal that is standard output.
    private let isOnScreen: Bool
    private let hooks: [Hook]
    private let broker: BrokerAccess?
    private let page: PageInput
    /// The result of comparing the list with what is expected.
    private let judgement: Judgement
    private let inbox = AsyncStream<SessionMessage>.makeStream()

    init(_ options: Options, _ page: PageInput, _ judgement: Judgement) throws(UsageError) {
        (self.options, self.page, self.judgement) = (options, page, judgement)
        isOnScreen = options.destination == .screen && isatty(STDOUT_FILENO) == 1
        var isShown = isOnScreen
        if case .pick(let pick) = options.destination {
            try PickRun.checkTerminal(for: pick)
            isShown = !pick.isOne
        }
        settings = try ScreenSettings(options.screen, isShown: isShown)
        hooks =
            options.hooks.isEmpty && isOnScreen
            ? settings.hooks : options.hooks + options.expect.hooks.map(\.hook)
        for hook in hooks {
            try hook.check(usesLedger: options.usesLedger)
        }
        broker = try options.broker.access()
    }

    @MainActor func run() async -> ExitStatus {
        do throws(OutputFile.Refusal) {
            let file = try options.output.map { path throws(OutputFile.Refusal) in
                try OutputFile(path: path)
            }
            let signals = reopens(file) ? reopenSignals() : nil
            defer { withExtendedLifetime(signals) {} }
            return if let broker, options.source == .fleet {
                await readFleet(broker, file)
            } else {
                await discover(file)
            }
        } catch {
            complain("--output: \(error)")
            return .failure
        }
    }

    /// Whether a file is opened again at SIGHUP, which does not end the list then.
    private func reopens(_ file: OutputFile?) -> Bool {
        file?.isRegular == true || options.capture != nil
    }

    /// Watches for SIGHUP, at which a file is reopened unless the terminal is gone.
    private func reopenSignals() -> Signals {
        let (entry, hadTerminal) = (inbox.continuation, hasControllingTerminal())
        return Signals([SIGHUP]) {
            // The kernel detaches the terminal before it sends SIGHUP, so a SIGHUP while there still is
            // one was sent by a process.
            let isTerminalGone = hadTerminal && !hasControllingTerminal()
            entry.yield(isTerminalGone ? .ended(.interrupted) : .reopen)
        }
    }

    /// The list, where it comes from, and how it is shown to work.
    private struct Origin<Source: ListSource, Events: AsyncSequence<Source.Event, Never> & Sendable>
    {
        let header: LineHeader
        let events: Events
        /// Returns when the source of the events has answered.
        var answer: @Sendable () async -> Void = {}
        /// The capture of what is heard, if there is one.
        var capture: (file: CaptureFile, browsers: [any CapturingBrowser])?
        let source: () -> sending Source
    }

    @MainActor private func discover(_ file: OutputFile?) async -> ExitStatus {
        let announcedID = options.announcement == nil ? nil : MachineIdentity().announcedID()
        var browse = options.browseOptions(announcedID: announcedID)
        browse.usesWitness =
            options.usesWitness
            && (settings.usesWitness || options.reportsSenders || options.capture != nil)
        browse.reportsSenders = browse.usesWitness && (options.reportsSenders || isOnScreen)
        let browser = LinkBrowser(browse, asking: options.backend)
        let protocols = options.otherProtocols(usual: settings.protocols)
        let others =
            protocols.isEmpty
            ? nil
            : SilentBrowser(
                protocols, on: browse, fetchesDescriptions: options.fetchesDescriptions
            ) { browser.reportOther($0) }
        let browsers: [any CapturingBrowser] = [browser] + (others.map { [$0] } ?? [])
        let capture = options.capture.map { CaptureFile(path: $0) }
        do throws(FileRefusal) {
            try await capture?.begin(browsers)
        } catch {
            complain("--capture: \(error)")
            return .failure
        }
        do throws(BackendError) {
            let host = try await browser.start()
            Task { await others?.start() }
            let backend = await browser.backend
            let header = options.lineHeader(
                host: host, backend: backend.rawValue, announcedID: announcedID)
            let isAnnounced = options.announcement != nil
            let origin = Origin(
                header: header, events: browser.events, answer: { _ = await browser.backend },
                capture: capture.map { ($0, browsers) }
            ) { [options] in
                LinkSource(
                    PeerListing(options: options.list, makerOf: MakerRegistry.lookup()),
                    backend: backend,
                    verifier: BatchVerifier {
                        guard let others else { return await browser.verify($0) }
                        return await others.verify($0) { await browser.verify($0) }
                    },
                    isAnnounced: isAnnounced)
            }
            let status = await runHooks { await show(origin, file, $0) }
            await others?.stop()
            let limit = isAnnounced ? AnnounceRun.withdrawalLimit : .seconds(1)
            if await !browser.stop(within: limit), isAnnounced {
                complain(AnnouncementEvent.leftText)
            }
            return status
        } catch {
            complain(error.description)
            return .failure
        }
    }

    @MainActor private func readFleet(
        _ broker: BrokerAccess, _ file: OutputFile?
    ) async -> ExitStatus {
        let brokers: [BrokerAccess]
        do throws(BrokerAccessError) {
            var others: [BrokerAccess] = []
            for url in options.broker.others { others.append(try options.broker.access(to: url)) }
            brokers = [broker] + others
        } catch {
            complain(error.description)
            return .failure
        }
        let feeds = FleetFeed.feeds(of: brokers.map(\.url), options.broker.selection)
        let header = options.lineHeader(
            host: hostLabel() + ".local", backend: LineHeader.fleetBackend, announcedID: nil)
        let names = feeds.map { $0.name ?? "" }
        let origin = Origin(header: header, events: FleetFeed.events(of: feeds)) { [options] in
            FleetSource(options.list, brokers: names, trusting: options.broker.trusted)
        }
        for (feed, access) in zip(feeds, brokers) { feed.start(access) }
        let status = await runHooks { await show(origin, file, $0) }
        for feed in feeds { await feed.stop() }
        return status
    }

    /// Starts the programs of hooks for the time of a body.
    @MainActor private func runHooks(
        during body: @MainActor ([HookRunner]) async -> ExitStatus
    ) async -> ExitStatus {
        let runners = hooks.map { hook in
            HookRunner(hook, output: isOnScreen ? nil : STDERR_FILENO) { [inbox] in
                inbox.continuation.yield(.notice($0, $1))
            }
        }
        let status = await body(runners)
        for text in await HookRunner.stop(runners, within: .seconds(2)) { complain(text) }
        return status
    }

    /// Runs the live list on a terminal, otherwise writes to standard output.
    @MainActor private func show(
        _ origin: Origin<some ListSource, some Any>, _ file: OutputFile?, _ runners: [HookRunner]
    ) async -> ExitStatus {
        let entry = inbox.continuation
        if case .pick(let pick) = options.destination {
            let run = PickRun(pick, options, settings, entry)
            return await run.run(origin.header) {
                await runSession(origin, nil, $0, [], $1)
            }
        }
        guard isOnScreen else {
            let ending = reopens(file) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
            let signals = Signals(ending) { entry.yield(.ended(.interrupted)) }
            defer { withExtendedLifetime(signals) {} }
            // The table of types does not show which devices are there.
            let verifies = if case .types = options.destination { false } else { true }
            var once =
                options.once
                ? options.withProgress(
                    options.oneShot(usual: settings.protocols, verifies: verifies))
                : nil
            if case .expect(let expect) = options.destination, !expect.writes {
                once?.asks = { expect.file.devicesToAsk(in: $0) }
            }
            let end = await runSession(origin, file, output(runners), runners, once)
            if end == .nothingFound, !options.isExpectation {
                NothingFound(origin.header.filter, isFleet: options.source == .fleet).report()
            }
            return switch (options.destination, end) {
            case (.export(let export), .nothingFound): export.statusWithoutDevices
            // The ordinary end of a file that is kept up to date.
            case (.export, .interrupted) where !options.once: .done
            case (.report, .interrupted): .done
            case (.expect, .finished), (.expect, .nothingFound): judgement.status
            case (.expect, .interrupted) where !options.once: .done
            default: ExitStatus(of: end)
            }
        }
        do throws(TerminalError) {
            let selection = options.broker.selection
            let others = options.broker.others.map(\.title)
            let chosen = (selection.sites + selection.observers).map { "only \($0)" }
            let url = broker.map {
                ([$0.url.title] + others + chosen).joined(separator: "  ")
            }
            let network = options.source == .fleet ? { _ in url } : listenedInterfaces
            let screen = ScreenLoop(
                try settings.terminal(),
                PeerScreen(settings, isRecording: file != nil, network: network),
                session: entry
            ) { entry.yield(.ended($0)) }
            let (output, events) = ScreenOutput.make()
            let shown = Task { await screen.run(events) }
            let ending = await runSession(origin, file, output, runners)
            shown.cancel()
            await shown.value
            return ExitStatus(of: ending)
        } catch {
            complain("\(error); use --plain, --json or --once")
            return .failure
        }
    }

    private func runSession(
        _ origin: Origin<some ListSource, some Any>, _ file: OutputFile?,
        _ main: sending (any ListOutput)?, _ runners: [HookRunner], _ once: OneShot? = nil
    ) async -> SessionEnd {
        let entry = inbox.continuation
        var outputs: [any ListOutput] = []
        if let file {
            outputs.append(LineOutput(file: file, sync: options.sync) { entry.yield(.file($0)) })
        }
        if let main { outputs.append(main) }
        if !runners.isEmpty, !options.isExpectation { outputs.append(HookOutput(runners)) }
        if let broker, options.source != .fleet {
            outputs.append(
                PublisherOutput(
                    broker, options.broker.observer, options.home, interface: options.interface,
                    entry))
        }
        if let broker, let home = options.home, options.source == .fleet {
            outputs.append(HomeOutput(broker, home, entry))
        }
        if let (file, browsers) = origin.capture {
            outputs.append(CaptureOutput(file, browsers, entry))
        }
        if writesNotices { outputs.append(NoticeOutput()) }
        let manager = ServiceManager.current
        if let manager { outputs.append(ServiceOutput(manager)) }
        let watch = manager?.watch { [answer = origin.answer] reply in
            // The event loop works if the source answers.
            await answer()
            entry.yield(.heartbeat(reply: reply))
        }
        defer { watch?.cancel() }
        let session = Session(
            source: origin.source(), header: origin.header, oneShot: once,
            inbox: (inbox.stream, entry), outputs: outputs,
            ledger: options.usesLedger ? LedgerFile() : nil)
        return await session.run(origin.events)
    }

    /// Whether notices are written to standard error: for the journal, and if nothing else shows them.
    /// `--once` writes them itself.
    private var writesNotices: Bool {
        let isFile = options.export.watched ?? options.report.watched != nil
        let isShown = options.destination != .nothing && !isFile && !options.isExpectation
        return !options.once && (Journal.readsErrors || !isShown)
    }

    /// Returns the output of a destination other than the screen; `nil` for none.
    private func output(_ runners: [HookRunner]) -> sending (any ListOutput)? {
        let onEvent = { @Sendable [entry = inbox.continuation] (event: LineWriter.Event) in
            if case .failed(let failure) = event { entry.yield(.ended(SessionEnd(failure))) }
        }
        var writer: LineWriter {
            LineWriter(
                descriptor: STDOUT_FILENO,
                limit: options.once ? .max : LineWriter.defaultLimit, onEvent: onEvent)
        }
        let style = TableStyle(
            charset: settings.charset, columns: FrameSize(ofWindow: STDOUT_FILENO)?.columns,
            hasHeading: options.hasHeading)
        let list = options.list
        switch options.destination {
        case .nothing: return nil
        case .lines where options.once: return OnceOutput(writer, .lines)
        case .lines: return LineOutput(descriptor: STDOUT_FILENO, onEvent: onEvent)
        case .table:
            return OnceOutput(
                writer,
                .text { list in
                    ListTable(header: list.header, style: style)
                        .text(list.sections, observers: list.observers ?? [:])
                })
        case .types(isJSON: true):
            return OnceOutput(writer, .text { TypeCount.json(TypeCount.all(in: $0.sections)) })
        case .types:
            return OnceOutput(
                writer, .text { TypeCount.table(TypeCount.all(in: $0.sections), style) })
        case .export(let export):
            if let path = export.watched { return ExportedFile(path: path, list, export) }
            return OnceOutput(
                writer,
                .text {
                    Export(of: $0.sections, in: $0.header.browsedDomain, list, export).reported()
                })
        case .report(let report):
            guard let path = report.watched else { return nil }
            return WatchedReport(
                path: path, past: page.past, notices: page.notices, expecting: page.expected)
        case .expect(let expect) where expect.writes:
            return OnceOutput(
                writer,
                .text { [judgement] in
                    judgement.text(of: WrittenExpectations(of: $0.sections), writtenTo: expect.path)
                })
        case .expect(let expect) where expect.watches:
            return ExpectOutput(
                writer, isJSON: expect.format == .json, expect.file, expect.hooks, runners
            ) { [entry = inbox.continuation] in entry.yield(.ask($0)) }
        case .expect(let expect):
            return OnceOutput(
                writer,
                .text { [judgement] list in
                    let result = ExpectationResult(
                        expect.file, of: list.sections, observers: list.observers,
                        answers: list.answers, at: .now())
                    return judgement.text(of: result, expect.format)
                })
        case .screen, .sentences, .pick:
            return PlainOutput(
                writer, settings.charset,
                reportsNotices: !writesNotices || !Journal.reads(STDOUT_FILENO))
        }
    }
}

extension Options {
    fileprivate var isExpectation: Bool { if case .expect = destination { true } else { false } }

    /// The options of the device trackers in Home Assistant; `nil` for none.
    fileprivate var home: HomeOptions? {
        broker.homeAssistant.map {
            HomeOptions(prefix: $0, after: broker.considerHome, isOfKinds: !list.kinds.isEmpty)
        }
    }

    /// Shows the progress of a search on the terminal.
    func withProgress(_ oneShot: OneShot) -> OneShot {
        let end = ContinuousClock.now + timeout
        let title = source == .fleet ? "reading the fleet" : "looking for devices"
        let work = LongWork.search(title, until: end)
        guard Progress.begin(work, isWanted: showsProgress, handlesSignals: true) else {
            return oneShot
        }
        var oneShot = oneShot
        oneShot.progress = { found in
            guard let found else { return Progress.end() }
            Progress.update(.search("\(title): \(found)", until: end))
        }
        return oneShot
    }

    /// Returns what to browse for and to announce, the identifier of this machine included.
    fileprivate func browseOptions(announcedID: UUID?) -> BrowseOptions {
        var browse = BrowseOptions()
        // Types of other protocols, and all types of one, only select rows.
        browse.types = list.types.filter { type in
            DiscoveryProtocol(ofType: type) == .mdns && type != DiscoveryProtocol.mdns.typePrefix
        }
        browse.interface = interface.flatMap { NetworkInterface(named: $0) }
        browse.family = family
        browse.domain = domain
        browse.announcement = announcement.map { name in
            let id = announcedID.map { ["id=" + $0.uuidString.lowercased()] } ?? []
            // The first label of the host name has at most 63 bytes, as an instance name has.
            let names = [name, hostLabel(), "peerlist"]
            return Announcement(
                name: names.first { !$0.isEmpty } ?? "", type: Identity.serviceType, port: 0,
                txt: ["txtvers=1"] + id)
        }
        return browse
    }

    fileprivate func lineHeader(host: String, backend: String, announcedID: UUID?) -> LineHeader {
        LineHeader(
            run: .randomByKernel(), observerHost: host,
            observerID: announcedID ?? Identity.uuid(forName: Identity.canonical(host)),
            backend: backend, grouping: list.grouping,
            filter: LineHeader.Filter(
                types: list.types, kinds: list.kinds, vouched: list.vouched, interface: interface,
                family: family, domain: domain),
            fill: .running)
    }
}

extension Options {
    /// Returns the protocols besides multicast DNS by which devices are found; `usual` are those of the settings. If types
    /// are named, others would find no row, and in another domain there is multicast DNS alone.
    func otherProtocols(usual: Set<DiscoveryProtocol>) -> Set<DiscoveryProtocol> {
        let isAll = list.types.isEmpty && domain == nil
        return (isAll ? protocols.union(usual) : protocols).subtracting([.mdns])
    }

    /// Returns the end of a session that reports what is there; `usual` are the protocols of the settings.
    func oneShot(
        usual: Set<DiscoveryProtocol>, verifies: Bool = false,
        receive: (@Sendable ([ListSection], _ isQuiet: Bool) -> Void)? = nil
    ) -> OneShot {
        OneShot(
            timeout: timeout,
            answers: SilentBrowser.answerTime(by: otherProtocols(usual: usual)),
            verifies: verifies, receive: receive)
    }
}
