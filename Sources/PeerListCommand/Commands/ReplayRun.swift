// Runs `peerlist replay`: in the list, line by line, or as of a time.
import Glibc
import PeerCapture
import PeerHappenings
import PeerList
import PeerRecording
import PeerScreen
import PeerSession
import PeerText
import TerminalList

struct ReplayRun {
    private let recording: RecordingOptions
    private let destination: Options.Destination
    private let isOnScreen: Bool
    private let showsProgress: Bool
    private let settings: ScreenSettings

    init(_ recording: RecordingOptions, _ options: Options) throws(UsageError) {
        (self.recording, destination) = (recording, options.destination)
        showsProgress = options.showsProgress
        isOnScreen = options.destination == .screen && isatty(STDOUT_FILENO) == 1
        settings = try ScreenSettings(options.screen, isShown: isOnScreen)
    }

    /// Shows the recording until its end, or in the list until the user quits.
    @MainActor func run() async -> ExitStatus {
        do throws(RecordingError) {
            if isOnScreen { return try await show() }
            if let time = recording.time { return try printMoment(time) }
            var stream = try ReplayStream(
                recording, printsLines: destination == .lines, charset: settings.charset)
            return try await stream.run()
        } catch {
            complain(error.description)
            return .failure
        }
    }

    private func printMoment(_ time: RecordingTime) throws(RecordingError) -> ExitStatus {
        Progress.begin(.search("reading", until: nil), isWanted: showsProgress)
        let moment = try RecordedMoment(of: recording.path, at: time)
        let list = moment.list
        // A known list has a header.
        guard let header = list.header, let end = list.time else { return .failure }
        let text: String
        if destination == .lines {
            var encoder = LineEncoder()
            let line = encoder.begin(header, sections: list.listSections, at: end)
            text = String(decoding: line, as: UTF8.self)
        } else {
            let table = OnceTable(header: header, style: TableStyle(charset: settings.charset))
            text = table.text(list.listSections)
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
        let indexer = try RecordingIndexer(
            path: recording.path, follows: recording.follows, reading: .capture)
        if recording.path == "-" { readKeysFromTerminal() }
        let (messages, entry) = AsyncStream.makeStream(of: ReplayMessage.self)
        let events = AsyncStream<ScreenEvent>.makeStream()
        let session = ReplaySession(
            try Playback(indexer), path: recording.path,
            speed: recording.speed ?? (recording.follows ? 0 : 1), start: recording.time,
            events: events.continuation, entry: entry)
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

/// Prints a recording on standard output, with its original timing if a speed is given.
struct ReplayStream {
    private static let capacity = 64 << 10

    private let options: RecordingOptions
    /// Whether the recorded lines are printed as they are, instead of sentences.
    private let printsLines: Bool
    private let recording: Recording
    private let speed: Double
    private var sentences: PlainLines
    private var account = RecordedAccount()
    private var buffer: [UInt8] = []
    private var failure: ExitStatus?
    /// The time of a line, and when it was printed: the recording's clock runs from there.
    private var anchor: (recorded: Timestamp, reached: ContinuousClock.Instant)?
    private var last: Timestamp?

    init(
        _ options: RecordingOptions, printsLines: Bool, charset: Charset
    ) throws(RecordingError) {
        (self.options, self.printsLines) = (options, printsLines)
        recording = try Recording(
            path: options.path, follows: options.follows, reading: .capture)
        recording.makesUpdates = !printsLines
        recording.joinsEvents = !printsLines
        speed = options.speed ?? 0
        sentences = PlainLines(charset: charset)
    }

    /// Prints every line that can be used, and reports the others on standard error.
    mutating func run() async throws(RecordingError) -> ExitStatus {
        var isWhole = true
        while failure == nil, let step = try recording.next() {
            switch step {
            case .damage(let damage):
                complain("\(options.path): \(damage)")
                if !damage.isCutOff { isWhole = false }
            case .line:
                if let time = recording.list.time {
                    while let due = account.due, due <= time, !printsLines {
                        await wait(until: due)
                        write(account.removeDue(at: due))
                    }
                    await wait(until: time)
                }
                addLine()
            }
            // Reading may wait now, so what was read is printed before.
            if !recording.hasBufferedLine {
                if options.follows || options.path == "-" { write(account.removeAll()) }
                flush()
            }
        }
        write(account.removeAll())
        flush()
        return isWhole ? failure ?? .done : .failure
    }

    private mutating func wait(until time: Timestamp) async {
        guard speed > 0 else { return }
        defer { last = time }
        // After the clock was set back, the next line is due at once.
        guard let anchor, let last, time >= last else {
            anchor = (time, .now)
            return
        }
        let passed = Double(time.microseconds - anchor.recorded.microseconds) / speed
        // Bounded, because more than a thousand years would overflow a duration.
        let due = anchor.reached + .microseconds(min(passed, 3e16))
        guard due > .now else { return }
        flush()
        // The task is never cancelled.
        try? await Task.sleep(until: due)
    }

    /// Writes the line that was read, or the sentences that are not delayed.
    private mutating func addLine() {
        if printsLines { return write(recording.text + [UInt8(ascii: "\n")]) }
        guard let time = recording.list.time else { return }
        if recording.beginsRun, let header = recording.list.header {
            sentences.begin(header, at: time)
        }
        if let notice = recording.notice { sentences.add(notice) }
        account.add(recording)
        write(account.removeDue(at: time))
    }

    /// Writes the sentences about what happened.
    private mutating func write(_ events: [Happening]) {
        for event in events { sentences.add(event) }
        write(sentences.removeAll())
    }

    private mutating func write(_ bytes: [UInt8]) {
        buffer += bytes
        if buffer.count >= Self.capacity { flush() }
    }

    private mutating func flush() {
        if failure == nil { failure = writeOut(buffer) }
        buffer = []
    }
}
