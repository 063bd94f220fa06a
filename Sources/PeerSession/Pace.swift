// The clock of a recording that is played with its timing.
import PeerModel

/// The times at which the lines of a recording are due at a speed; at once without one.
struct Pace {
    private let speed: Double
    /// The time of a line, and when it was reached: the recording's clock runs from there.
    private var anchor: (recorded: Timestamp, reached: ContinuousClock.Instant)?
    private var last: Timestamp?

    init(_ speed: Double?) { self.speed = speed ?? 0 }

    /// Waits until a time of the recording; calls a function before it does.
    mutating func wait(until time: Timestamp, _ prepare: () -> Void = {}) async {
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
        prepare()
        try? await Task.sleep(until: due)
    }
}
