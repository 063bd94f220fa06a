// One run of the list: opens what it needs, lets the session run, and closes it all again.
import FoundationEssentials
import Glibc
import PeerList
import TerminalList

/// One run of the list, from the options to the exit status.
struct ListRun {
    private let options: Options
    private let settings: ScreenSettings
    private var charset: Charset { settings.charset }
    private let inbox = AsyncStream<SessionMessage>.makeStream()

    /// A run with these options.
    ///
    /// - Throws: ``UsageError`` where the settings of the live list are wrong.
    init(_ options: Options) throws(UsageError) {
        self.options = options
        settings = try ScreenSettings(
            options.screen, form: options.once ? .plain : options.form)
    }

    /// Runs until the end.
    ///
    /// - Returns: The status to exit with; what is wrong has been said on standard error.
    @MainActor func run() async -> ExitStatus {
        do throws(OutputFile.Refusal) {
            let file = try options.output.map { path throws(OutputFile.Refusal) in
                try OutputFile(path: path)
            }
            let watchers = watchers(of: file)
            defer { withExtendedLifetime(watchers) {} }
            return await discover(file)
        } catch {
            complain("--output: \(error)")
            return .failure
        }
    }

    /// Watches for SIGHUP, at which a regular file is reopened.
    ///
    /// Without such a file, or when the terminal is gone, SIGHUP ends the program.
    private func watchers(of file: OutputFile?) -> [AnyObject] {
        guard let file, file.isRegular else { return [] }
        let (entry, terminal) = (inbox.continuation, ControllingTerminal())
        return [Signals([SIGHUP]) { entry.yield(terminal.isGone ? .signalled : .reopen) }]
    }

    @MainActor private func discover(_ file: OutputFile?) async -> ExitStatus {
        let announcedID = options.announcement == nil ? nil : MachineIdentity().announcedID()
        let browser = LinkBrowser(
            options.browseOptions(announcedID: announcedID), asking: options.backend)
        do throws(BackendError) {
            let host = try await browser.start()
            let header = options.lineHeader(
                host: host, backend: await browser.backend, announcedID: announcedID)
            let status = await show(browser, header, file)
            let isAnnounced = options.announcement != nil
            let limit = isAnnounced ? AnnounceRun.withdrawalLimit : .seconds(1)
            if await !browser.stop(within: limit), isAnnounced {
                complain(AnnounceRun.leftText)
            }
            return status
        } catch {
            complain(error.description)
            return .failure
        }
    }

    /// Gives the list out on a terminal as the live list, else line by line.
    @MainActor private func show(
        _ browser: LinkBrowser, _ header: LineHeader, _ file: OutputFile?
    ) async -> ExitStatus {
        let entry = inbox.continuation
        guard options.form == .automatic, !options.once, isatty(STDOUT_FILENO) == 1 else {
            let ending = file?.isRegular == true ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
            let signals = Signals(ending) { entry.yield(.signalled) }
            defer { withExtendedLifetime(signals) {} }
            let end = await hold(browser, header, file, standardOutput())
            if end == .nothingFound { NothingFound(header.filter).report() }
            return ExitStatus(of: end)
        }
        do throws(TerminalError) {
            let screen = ScreenLoop(
                try settings.terminal(),
                PeerScreen(
                    settings, sort: RowSort(options.sort),
                    isRecording: file != nil, network: listenedInterfaces),
                session: SessionQuestions(entry)
            ) { end in
                entry.yield(end == .finished ? .quit : .signalled)
            }
            let (output, news) = ScreenOutput.make()
            let shown = Task { await screen.run(news) }
            let ending = await hold(browser, header, file, output)
            shown.cancel()
            await shown.value
            return ExitStatus(of: ending)
        } catch {
            complain("\(error); use --plain, --json or --once")
            return .failure
        }
    }

    private func hold(
        _ browser: LinkBrowser, _ header: LineHeader, _ file: OutputFile?,
        _ main: sending any ListOutput
    ) async -> SessionEnd {
        let entry = inbox.continuation
        var outputs: [any ListOutput] = [main]
        if let file {
            let lines = LineOutput(file: file, sync: options.sync) { entry.yield(.file($0)) }
            outputs.insert(lines, at: 0)
        }
        let session = Session(
            listing: PeerListing(options: options.listOptions), header: header,
            once: options.once ? Session.Once(timeout: options.timeout) : nil,
            inbox: (inbox.stream, entry), outputs: outputs, ask: { await browser.verify($0) },
            isAnnounced: options.announcement != nil)
        return await session.run(browser.events)
    }

    private func standardOutput() -> sending any ListOutput {
        let told = { @Sendable [entry = inbox.continuation] (event: LineWriter.Event) in
            if case .failed(let failure) = event { entry.yield(.outputFailed(failure)) }
        }
        if let form = onceForm {
            return OnceOutput(descriptor: STDOUT_FILENO, form: form, onEvent: told)
        }
        return switch options.form {
        case .json: LineOutput(descriptor: STDOUT_FILENO, onEvent: told)
        case .automatic, .plain:
            PlainOutput(descriptor: STDOUT_FILENO, charset: charset, onEvent: told)
        }
    }

    /// How a one-shot command writes the list; `nil` if the changes are written as they happen.
    private var onceForm: OnceOutput.Form? {
        guard options.once, options.form != .plain else { return nil }
        let style = TableStyle(
            charset: charset, columns: FrameSize(ofWindow: STDOUT_FILENO)?.columns,
            hasHeading: options.hasHeading)
        switch (options.subject, options.form) {
        case (.peers, .json): return .lines
        case (.types, .json): return .text { TypeCount.json(TypeCount.all(in: $1)) }
        case (.peers, _): return .text { OnceTable(header: $0, style: style).text($1) }
        case (.types, _): return .text { TypeCount.table(TypeCount.all(in: $1), style) }
        }
    }
}

/// The interfaces that multicast DNS works on, each with its first address, in a few words:
/// `eth0 10.0.0.2, wlan0 10.1.0.7`; empty where there is none.
///
/// - Parameter name: The only interface that is used; `nil` for all.
/// - Returns: At most three of them, and how many more there are.
func listenedInterfaces(_ name: String?) -> String {
    let used = LocalInterface.all().filter {
        $0.isUsable && (name == nil || name == $0.interface.name)
    }
    let words = used.prefix(3).map { used in
        used.interface.name + (used.addresses.first.map { " " + $0.address.description } ?? "")
    }
    let more = used.count > words.count ? ["\(used.count - words.count) more"] : []
    return (words + more).joined(separator: ", ")
}
