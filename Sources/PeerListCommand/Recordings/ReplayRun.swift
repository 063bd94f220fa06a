// Runs `peerlist replay`: in the list, line by line, or as of a time.
import Glibc
import PeerList
import PeerRecording
import TerminalList

/// A run of `peerlist replay`, from the options to the exit status.
struct ReplayRun {
    private let options: ReplayOptions
    private let settings: ScreenSettings
    private var charset: Charset { settings.charset }

    /// A run with these options.
    ///
    /// - Throws: ``UsageError`` if the settings of the live list are wrong.
    init(_ options: ReplayOptions) throws(UsageError) {
        self.options = options
        settings = try ScreenSettings(options.screen, form: options.form)
    }

    /// Shows the recording until its end, or in the list until the user quits.
    ///
    /// - Returns: The exit status; errors were reported on standard error.
    @MainActor func run() async -> ExitStatus {
        do throws(RecordingError) {
            if options.form == .automatic, isatty(STDOUT_FILENO) == 1 { return try await show() }
            if let time = options.time { return try printMoment(time) }
            var stream = try ReplayStream(options, charset: charset)
            return try await stream.run()
        } catch {
            complain(error.description)
            return .failure
        }
    }

    /// Prints the list at a time.
    private func printMoment(_ time: RecordingTime) throws(RecordingError) -> ExitStatus {
        let moment = try RecordedMoment(of: options.path, at: time)
        let list = moment.list
        // A known list has a header.
        guard let header = list.header, let end = list.time else { return .failure }
        let text: String
        if options.form == .json {
            var encoder = LineEncoder()
            let line = encoder.begin(header, sections: list.listSections, at: end)
            text = String(decoding: line, as: UTF8.self)
        } else {
            let table = OnceTable(header: header, style: TableStyle(charset: charset))
            text = table.text(list.listSections)
        }
        let printed = printOut(text)
        guard printed == .done, moment.isWhole else { return .failure }
        guard list.count > 0 else {
            complain("\(options.path): the list is empty at that time")
            return .nothingFound
        }
        return .done
    }

    /// Shows the recording in the live list.
    @MainActor private func show() async throws(RecordingError) -> ExitStatus {
        let indexer = try RecordingIndexer(path: options.path, follows: options.follows)
        if options.path == "-" { readKeysFromTerminal() }
        let (messages, entry) = AsyncStream.makeStream(of: ReplayMessage.self)
        let events = AsyncStream<ScreenEvent>.makeStream()
        let session = ReplaySession(
            try Playback(indexer), options, events: events.continuation, entry: entry)
        let screen: ScreenLoop
        do throws(TerminalError) {
            screen = ScreenLoop(
                try settings.terminal(),
                PeerScreen(settings, keys: ReplayCommand.keys(entry))
            ) { entry.yield(.ended($0)) }
        } catch {
            complain("\(error); use --plain or --json")
            return .failure
        }
        let (indices, latest) = AsyncStream.makeStream(
            of: RecordingIndex.self, bufferingPolicy: .bufferingNewest(1))
        let isReading = indexer.start { index in
            latest.yield(index)
            return true
        }
        guard isReading else {
            throw RecordingError("\(options.path): no thread could be started to read it")
        }
        // Only the newest index waits; older ones are dropped.
        let reading = Task { for await index in indices { await session.setIndex(index) } }
        let shown = Task { await screen.run(events.stream) }
        let ending = await session.run(messages)
        reading.cancel()
        shown.cancel()
        await shown.value
        return ExitStatus(of: ending)
    }

    /// Replaces standard input, from which the recording is read, by the terminal.
    private func readKeysFromTerminal() {
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
        // Without a terminal, the screen reports that.
        guard terminal >= 0 else { return }
        dup2(terminal, STDIN_FILENO)
        close(terminal)
    }
}
