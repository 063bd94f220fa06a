// Prints the lines of a recording on standard output, as they are.
package import PeerRecording
package import PeerText

/// Prints the lines of a recording on standard output, with their original timing if a speed is given.
package struct ReplayStream {
    private static let capacity = 64 << 10

    private let path: String
    private let recording: Recording
    private var pace: Pace
    private var buffer: [UInt8] = []
    private var failure: ExitStatus?

    /// Begins at a line of a recording at a path, which is played at once without a speed.
    package init(_ recording: Recording, at path: String, speed: Double?) {
        (self.recording, self.path) = (recording, path)
        recording.joinsEvents = false
        pace = Pace(speed)
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
                    var pace = pace
                    await pace.wait(until: time) { flush() }
                    self.pace = pace
                }
                buffer += recording.text + [UInt8(ascii: "\n")]
                if buffer.count >= Self.capacity { flush() }
            }
            // Reading may wait now, so what was read is printed before.
            if !recording.hasBufferedLine { flush() }
        }
        flush()
        return isWhole ? failure ?? .done : .failure
    }

    private mutating func flush() {
        if failure == nil { failure = writeOut(buffer, isLast: false) }
        buffer = []
    }
}
