// Passes the events of a session to its outputs, and decides when they need a tick.
import PeerModel
import PeerRecording

/// The outputs of a session: outputs of devices, and outputs that group the list.
struct SessionOutputs {
    private let outputs: [any ListOutput]
    /// Whether writing to the output file fails; it is tried again at ticks.
    var isFileFailing = false
    /// The next tick for outputs that have left something out; `nil` if none has.
    private var catchUpDue: ContinuousClock.Instant?

    init(_ outputs: [any ListOutput]) { self.outputs = outputs }

    /// The time of the next tick; `nil` for none.
    var due: ContinuousClock.Instant? {
        ([catchUpDue] + outputs.map(\.due)).compactMap(\.self).min()
    }

    /// The time of the next tick that an output needs in the time of the list; `nil` for none.
    var dueTime: Timestamp? { outputs.compactMap(\.dueTime).min() }

    /// Whether an output needs a tick by a time.
    func needsTick(at now: ContinuousClock.Instant) -> Bool {
        outputs.contains { $0.due.map { $0 <= now } == true }
    }

    /// Plans a tick for outputs that have left something out, even without events.
    mutating func planCatchUp(at now: ContinuousClock.Instant) {
        guard catchUpDue == nil, isFileFailing || outputs.contains(where: \.isBehind) else {
            return
        }
        catchUpDue = now + .milliseconds(100)
    }

    /// Returns once whether the planned tick is due.
    mutating func removeCatchUp(at now: ContinuousClock.Instant) -> Bool {
        guard let catchUpDue, catchUpDue <= now else { return false }
        self.catchUpDue = nil
        return true
    }

    /// Sends an event to the outputs of devices, and another event to the outputs that group the list; `nil` for none.
    /// `list` returns the list for either.
    func send(
        _ event: OutputEvent?, grouped: OutputEvent?, at time: Timestamp,
        list: (_ isGrouped: Bool) -> [ListSection]
    ) {
        for output in outputs {
            guard let event = output.isGrouped ? grouped : event else { continue }
            output.handle(event, at: time) { list(output.isGrouped) }
        }
    }

    /// Closes the outputs; returns the last failure.
    func close(within limit: Duration) async -> LineFailure? {
        var failure: LineFailure?
        for output in outputs { failure = await output.close(within: limit) ?? failure }
        return failure
    }
}
