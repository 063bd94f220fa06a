// Runs `peerlist replay`: in the list, line by line, or as of a time.
import Glibc
import PeerRecording
import PeerScreen
import PeerSession
import PeerText
import TerminalList

struct ReplayRun {
    private let recording: RecordingOptions
    private let destination: Options.Destination
    private let isOnScreen: Bool
    /// Whether to print the list at the time of the recording, or else at its end.
    private let isMoment: Bool
    private let showsProgress: Bool
    private let settings: ScreenSettings

    init(_ recording: RecordingOptions, _ options: Options) throws(UsageError) {
        (self.recording, destination) = (recording, options.destination)
        showsProgress = options.showsProgress
        isOnScreen = options.destination == .screen && isatty(STDOUT_FILENO) == 1
        isMoment = options.once || recording.time != nil
        settings = try ScreenSettings(options.screen, isShown: isOnScreen)
    }

    /// Shows the recording until its end, or in the list until the user quits.
    @MainActor func run() async -> ExitStatus {
        do throws(RecordingError) {
            if isOnScreen { return try await show() }
            // Reading a pipe, a file that is followed, or at a speed, is mostly waiting.
            let isWork = recording.path != "-" && !recording.follows && recording.speed ?? 0 == 0
            // Sentences on the terminal show how far it is.
            let isShown = destination != .lines && isatty(STDOUT_FILENO) == 1
            if isMoment || isWork && !isShown {
                Progress.begin(.search("reading", until: nil), isWanted: showsProgress)
            }
            if isMoment { return try printMoment() }
            let opened = try Progress.open(recording.path, follows: recording.follows)
            // The lines of a recording are printed as they are.
            if destination == .lines, try !opened.isCapture() {
                var stream = ReplayStream(opened, at: recording.path, speed: recording.speed)
                return try await stream.run()
            }
            return await play(opened)
        } catch {
            complain(error.description)
            return .failure
        }
    }

    /// Prints the sentences of a recording, or the lines of a capture.
    private func play(_ opened: sending Recording) async -> ExitStatus {
        let inbox = AsyncStream<SessionMessage>.makeStream()
        let isLive = recording.follows || recording.path == "-"
        let writer = LineWriter(waitingFor: STDOUT_FILENO) { [entry = inbox.continuation] event in
            if case .failed(let failure) = event { entry.yield(.ended(SessionEnd(failure))) }
        }
        let source = RecordingSource(
            opened, at: recording.path, isLive: isLive, lineSize: { writer.size })
        let output: any ListOutput =
            destination == .lines ? LineOutput(writer) : PlainOutput(writer, settings.charset)
        let session = Session(source: source, inbox: inbox, outputs: [output])
        let played = await session.play(at: recording.speed)
        let status = ExitStatus(of: played.end)
        return played.isWhole ? status : .failure
    }

    private func printMoment() throws(RecordingError) -> ExitStatus {
        let moment = try RecordedMoment(of: recording.path, at: recording.time)
        let list = moment.list
        // A known list has a header.
        guard var header = list.header, let end = list.time else { return .failure }
        // No lines follow.
        header.fill = .over
        let text: String
        if destination == .lines {
            var encoder = LineEncoder()
            let line = encoder.begin(header, sections: list.listSections, at: end)
            text = String(decoding: line, as: UTF8.self)
        } else {
            let style = TableStyle(
                charset: settings.charset, columns: FrameSize(ofWindow: STDOUT_FILENO)?.columns)
            text = ListTable(header: header, style: style).text(list.listSections)
        }
        let printed = printOut(text)
        guard printed == .done, moment.isWhole else { return .failure }
        guard list.count > 0 else {
            complain("\(recording.path): the list is empty at that time")
            return .nothingFound
        }
        return .done
    }

    @MainActor private func show() async throws(RecordingError) -> ExitStatus {
        let indexer = try RecordingIndexer(path: recording.path, follows: recording.follows)
        if recording.path == "-" { readKeysFromTerminal() }
        let (messages, entry) = AsyncStream.makeStream(of: ReplayMessage.self)
        let events = AsyncStream<ScreenEvent>.makeStream()
        let source = ReplaySource(
            try Playback(indexer), path: recording.path,
            speed: recording.speed ?? (recording.follows ? 0 : 1), start: recording.time,
            events: events.continuation, entry: entry)
        let session = Session(source: source, outputs: [ScreenOutput(events.continuation)])
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
            throw RecordingError("\(recording.path): no thread could be started to read it")
        }
        // Only the newest index waits; older ones are dropped.
        let reading = Task { for await index in indices { await session.setIndex(index) } }
        let shown = Task { await screen.run(events.stream) }
        let ending = await session.replay(messages)
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
