// Prints a recording on standard output: its lines as they are, or sentences.
import PeerHappenings
import PeerModel
package import PeerRecording
package import PeerText
package import TerminalText

/// Prints a recording on standard output, with its original timing if a speed is given.
package struct ReplayStream {
    private static let capacity = 64 << 10

    private let path: String
    private let follows: Bool
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

    /// Opens a recording, which is played at once without a speed.
    package init(
        _ path: String, follows: Bool, speed: Double?, printsLines: Bool, charset: Charset,
        reading format: RecordingFormat
    ) throws(RecordingError) {
        (self.path, self.follows, self.printsLines) = (path, follows, printsLines)
        let recording = try Recording(path: path, follows: follows, reading: format)
        Progress.update(.reading(recording, path: path))
        recording.joinsEvents = !printsLines
        self.recording = recording
        self.speed = speed ?? 0
        sentences = PlainLines(charset: charset)
    }

    /// Prints every line that can be used, and reports the others on standard error.
    package mutating func run() async throws(RecordingError) -> ExitStatus {
        var isWhole = true
        while failure == nil, let step = try recording.next() {
            switch step {
            case .damage(let damage):
                complain("\(path): \(damage)")
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
                if follows || path == "-" { write(account.removeAll()) }
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
        if failure == nil { failure = writeOut(buffer, isLast: false) }
        buffer = []
    }
}
