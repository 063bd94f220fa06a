// A recording given out again line by line, in words or as it is.
import Glibc
import PeerList
import PeerRecording
import TerminalList

/// Gives a recording out on standard output, with its timing if that is wanted.
struct ReplayStream {
    private let options: ReplayOptions
    private let recording: Recording
    private let speed: Double
    private var words: PlainLines
    private var output = PatientOutput()
    /// A line's time, and when it was given out: the recording's clock goes on from there.
    private var anchor: (recorded: Timestamp, reached: ContinuousClock.Instant)?
    /// The time of the line before.
    private var last: Timestamp?

    /// Opens the recording.
    ///
    /// - Throws: `RecordingError` where that is not possible.
    init(_ options: ReplayOptions, charset: Charset) throws(RecordingError) {
        self.options = options
        recording = try Recording(path: options.path, follows: options.follows)
        recording.makesUpdates = options.form != .json
        speed = options.speed ?? 0
        words = PlainLines(charset: charset)
    }

    /// Gives out every line that can be used; the others are told on standard error.
    ///
    /// - Returns: The status to exit with.
    /// - Throws: `RecordingError` where the recording cannot be read on.
    mutating func run() async throws(RecordingError) -> ExitStatus {
        var isWhole = true
        while output.failure == nil, let step = try recording.next() {
            switch step {
            case .damage(let damage):
                complain("\(options.path): \(damage)")
                if !damage.isCutOff { isWhole = false }
            case .line:
                if let time = recording.list.time {
                    while let due = words.due, due <= time {
                        await wait(until: due)
                        write(words.lines(at: due))
                    }
                    await wait(until: time)
                }
                addLine()
            }
            // Reading may wait now, and what is there must not wait with it.
            if !recording.hasBufferedLine {
                if options.follows || options.path == "-" { write(words.remainingLines()) }
                output.flush()
            }
        }
        write(words.remainingLines())
        output.flush()
        if let code = output.failure, code != EPIPE {
            complain("standard output: \(LineFailure(code: code))")
            return .failure
        }
        return isWhole ? .done : .failure
    }

    /// Waits until a time in the recording.
    private mutating func wait(until time: Timestamp) async {
        guard speed > 0 else { return }
        defer { last = time }
        // A clock that was set back waits for nothing.
        guard let anchor, let last, time >= last else {
            anchor = (time, .now)
            return
        }
        let passed = Double(time.microseconds - anchor.recorded.microseconds) / speed
        // More than a thousand years is more than a duration holds in its finest steps.
        let due = anchor.reached + .microseconds(min(passed, 3e16))
        guard due > .now else { return }
        output.flush()
        // Nobody cancels it.
        try? await Task.sleep(until: due)
    }

    /// Writes the line that was read, and in words what no arrival holds back.
    private mutating func addLine() {
        if options.form == .json { return output.write(recording.text + [UInt8(ascii: "\n")]) }
        guard let time = recording.list.time else { return }
        if recording.beginsRun, let header = recording.list.header {
            words.begin(header, at: time)
        }
        if let update = recording.update { words.update(update) }
        if let notice = recording.notice { words.notice(notice) }
        write(words.lines(at: time))
    }

    private mutating func write(_ lines: [String]) {
        output.write(lines.flatMap { Array("\($0)\n".utf8) })
    }
}

/// Standard output, for a program that has time to wait for its reader.
private struct PatientOutput {
    private static let capacity = 64 << 10

    /// The `errno` of what failed.
    private(set) var failure: Int32?
    private var waiting: [UInt8] = []

    mutating func write(_ bytes: [UInt8]) {
        waiting += bytes
        if waiting.count >= Self.capacity { flush() }
    }

    mutating func flush() {
        if failure == nil { failure = writeAll(waiting, to: STDOUT_FILENO) }
        waiting = []
    }
}
