// Finds in recordings when each expectation was broken.
import FoundationEssentials
import PeerHappenings
import PeerModel
package import PeerRecording

/// The faults in one recording or in several, one after the other.
///
/// Between two runs, and where lines are missing, nothing is known: a fault that is there before and after goes on,
/// and any other fault ends with the lines before or begins with them after.
package struct RecordedFaults {
    /// The maximum number of faults that are kept.
    static let faultLimit = 10_000

    private var book: ExpectationBook
    private var account = RecordedAccount()
    private var fill = RecordedFill()
    private var run: UUID?
    private var start: Timestamp?
    private var last: Timestamp?
    private var faults: [Fault] = []
    /// The number of faults that are left out.
    private var omittedCount = 0

    package init(_ file: ExpectationFile) { book = ExpectationBook(file) }

    /// Adds the last line of a recording.
    package mutating func add(_ recording: Recording) {
        guard let time = recording.list.time else { return }
        let header = recording.list.header
        if recording.beginsRun, header?.run != run { lose() }
        run = header?.run
        book.isCapture = header?.backend == LineHeader.captureBackend
        start = min(start ?? time, time)
        advance(to: time)
        last = max(last ?? time, time)
        let touched = recording.touchedItems
        if recording.beginsRun { _ = fill.begin(run, isEmpty: touched.isEmpty, at: time) }
        if touched.contains(where: { $0.departure == nil }) { fill.find(at: time) }
        if let event = recording.sourceHappening, event.event == .filled {
            fill.end(at: event.time)
        }
        account.add(recording)
        book.sources = account.sources
        for (item, departure) in touched where departure == nil {
            book.refresh(item, during: fill.fill, at: time)
        }
    }

    /// Notes that lines are missing, so the list is not known.
    package mutating func lose() {
        if let last {
            for happening in account.removeAll() { book.apply(happening) }
            keep(book.removeAll(at: last))
        }
        book.begin()
        (account, fill, run) = (RecordedAccount(), RecordedFill(), nil)
    }

    /// Does what is due until a time, in order.
    private mutating func advance(to time: Timestamp) {
        while let due = [account.due, readyTime, book.due].compactMap(\.self).min(), due <= time {
            step(to: due)
        }
        fill.advance(to: time)
    }

    /// The time at which all that was there at the start of the list is known; `nil` if it is known or not in sight.
    private var readyTime: Timestamp? {
        guard !book.isReady, case .over(let end) = fill.fill else { return nil }
        return end.advanced(by: ExpectationBook.settling)
    }

    private mutating func step(to time: Timestamp) {
        fill.advance(to: time)
        for happening in account.removeDue(at: time) { book.apply(happening) }
        if case .over(let end) = fill.fill, let readyTime, readyTime <= time {
            book.becomeReady(at: end)
        }
        keep(book.removeDue(at: time))
    }

    private mutating func keep(_ events: [FaultEvent]) {
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

    /// Ends the recordings, of which all was read or not, and returns the result; `nil` if there was no list.
    package mutating func finish(isWhole: Bool = true) -> ExpectationResult? {
        guard let start, let last else { return nil }
        for happening in account.removeAll() { book.apply(happening) }
        // After the last lines that can be read nothing is known, unless a list goes on there.
        if run != nil { book.becomeReady(at: last) }
        // The list of a moment, as '--once' writes it, has no time for which something may last.
        let isMoment =
            book.isReady && !book.isCapture
            && last < start.advanced(by: ExpectationBook.settling)
        if isMoment { return ExpectationResult(ofMoment: &book, isWhole: isWhole, at: last) }
        keep(book.removeAll(at: last))
        return ExpectationResult(
            of: book, faults: faults, isWhole: isWhole, from: start, at: last,
            omittedCount: omittedCount + book.omittedCount)
    }
}
