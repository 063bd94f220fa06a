// Prints a recording line by line, as sentences or unchanged.
import Glibc
import PeerList
import PeerRecording
import TerminalList

/// Prints a recording on standard output, with its original timing if a speed is given.
struct ReplayStream {
    private static let capacity = 64 << 10

    private let options: ReplayOptions
    private let recording: Recording
    private let speed: Double
    private var sentences: PlainLines
    /// The bytes that are not written yet.
    private var buffer: [UInt8] = []
    /// The `errno` of a failure to write.
    private var failure: Int32?
    /// The time of a line, and when it was printed: the recording's clock runs from there.
    private var anchor: (recorded: Timestamp, reached: ContinuousClock.Instant)?
    /// The time of the previous line.
    private var last: Timestamp?

    /// Opens the recording.
    ///
    /// - Throws: `RecordingError` if that fails.
    init(_ options: ReplayOptions, charset: Charset) throws(RecordingError) {
        self.options = options
        recording = try Recording(path: options.path, follows: options.follows)
        recording.makesUpdates = options.form != .json
        speed = options.speed ?? 0
        sentences = PlainLines(charset: charset)
    }

    /// Prints every line that can be used, and reports the others on standard error.
    ///
    /// - Returns: The exit status.
    /// - Throws: `RecordingError` if the recording cannot be read.
    mutating func run() async throws(RecordingError) -> ExitStatus {
        var isWhole = true
        while failure == nil, let step = try recording.next() {
            switch step {
            case .damage(let damage):
                complain("\(options.path): \(damage)")
                if !damage.isCutOff { isWhole = false }
            case .line:
                if let time = recording.list.time {
                    while let due = sentences.due, due <= time {
                        await wait(until: due)
                        write(sentences.removeDueLines(at: due))
                    }
                    await wait(until: time)
                }
                addLine()
            }
            // Reading may wait now, so what was read is printed before.
            if !recording.hasBufferedLine {
                if options.follows || options.path == "-" { write(sentences.removeAllLines()) }
                flush()
            }
        }
        write(sentences.removeAllLines())
        flush()
        if let code = failure, code != EPIPE {
            complain("standard output: \(LineFailure(code: code))")
            return .failure
        }
        return isWhole ? .done : .failure
    }

    /// Waits until a time in the recording.
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
        if options.form == .json { return write(recording.text + [UInt8(ascii: "\n")]) }
        guard let time = recording.list.time else { return }
        if recording.beginsRun, let header = recording.list.header {
            sentences.begin(header, at: time)
        }
        if let update = recording.update { sentences.update(update) }
        if let notice = recording.notice { sentences.notice(notice) }
        write(sentences.removeDueLines(at: time))
    }

    private mutating func write(_ bytes: [UInt8]) {
        buffer += bytes
        if buffer.count >= Self.capacity { flush() }
    }

    private mutating func flush() {
        if failure == nil { failure = writeAll(buffer, to: STDOUT_FILENO) }
        buffer = []
    }
}
