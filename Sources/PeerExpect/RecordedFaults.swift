// Finds in recordings when each expectation was broken.
import PeerHappenings
package import PeerModel
package import PeerRecording

/// The faults in one recording or in several, one after the other: an output of the session that plays them.
///
/// Between two runs, and where lines are missing, nothing is known: a fault that is there before and after goes on,
/// and any other fault ends with the lines before or begins with them after.
package final class RecordedFaults: ListOutput {
    /// The maximum number of faults that are kept.
    static let faultLimit = 10_000

    private var watch: FaultWatch
    private let receive: @Sendable (ExpectationResult) -> Void
    private var span: ClosedRange<Timestamp>?
    private var faults: [Fault] = []
    /// The number of faults that are left out.
    private var omittedCount = 0

    package private(set) var dueTime: Timestamp?

    /// Creates an output that passes on its result at the end, unless there was no list.
    package init(_ file: ExpectationFile, receive: @escaping @Sendable (ExpectationResult) -> Void)
    {
        (watch, self.receive) = (FaultWatch(file), receive)
    }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        if case .ended = event {
            if let span { receive(result(from: span.lowerBound, at: span.upperBound)) }
            return
        }
        span = min(span?.lowerBound ?? time, time)...max(span?.upperBound ?? time, time)
        let sources = watch.book.sources
        keep(watch.handle(event, at: time) ?? [])
        // A recording does not say which observers of a fleet were online.
        if case .began = event { watch.book.sources = sources }
        dueTime = watch.due
    }

    package func close(within limit: Duration) async -> LineFailure? { nil }

    private func keep(_ events: [FaultEvent]) {
        for event in events {
            let fault = event.fault
            let known = faults.lastIndex {
                $0.until == nil && $0.since == fault.since && $0.expectation == fault.expectation
                    && $0.text == fault.text
            }
            if let known {
                faults[known].until = fault.until
            } else if faults.count < Self.faultLimit {
                faults.append(fault)
            } else if fault.until == nil {
                omittedCount += 1
            }
        }
    }

    private func result(from start: Timestamp, at last: Timestamp) -> ExpectationResult {
        // After the last lines that can be read nothing is known, unless a list goes on there.
        if watch.isKnown { watch.book.becomeReady(at: last) }
        // The list of a moment, as '--once' writes it, has no time for which something may last.
        let isMoment =
            watch.isReady && !watch.book.isCapture
            && last < start.advanced(by: ExpectationBook.settling)
        if isMoment { return ExpectationResult(ofMoment: &watch.book, at: last) }
        keep(watch.book.removeAll(at: last))
        return ExpectationResult(
            of: watch.book, faults: faults, from: start, at: last,
            omittedCount: omittedCount + watch.book.omittedCount)
    }
}
