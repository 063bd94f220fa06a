// Runs `peerlist diff`: reads two recordings, compares their lists, and prints the differences.
import DiffCore
import PeerCapture
import PeerList
import PeerRecording
import PeerText
import TerminalList

extension DiffOptions {
    private var charset: Charset { .adoptFromEnvironment() }

    /// Compares the recordings, prints what differs, and returns the exit status as of diff(1).
    func run() -> ExitStatus {
        Progress.begin(.search("reading", until: nil), isWanted: showsProgress)
        do throws(RecordingError) {
            let first = try RecordedMoment(of: self.first, at: time).list
            let second = try RecordedMoment(of: self.second, at: time).list
            guard first.header?.grouping == second.header?.grouping else {
                throw RecordingError(
                    "the recordings cannot be compared: one is grouped by device and the other by "
                        + "type")
            }
            let comparison = ListComparison(from: first, to: second)
            guard !comparison.isEqual else { return .done }
            let printed = printOut(text(comparison, from: first, to: second))
            return printed == .done ? .different : .trouble
        } catch {
            complain(error.description)
            return .trouble
        }
    }

    private func text(
        _ comparison: ListComparison, from first: RecordedList, to second: RecordedList
    ) -> String {
        if isJSON {
            var encoder = LineEncoder()
            return String(decoding: encoder.update(comparison.update) ?? [], as: UTF8.self)
        }
        let titles = ["--- " + title(self.first, first), "+++ " + title(self.second, second)]
        return (titles + lines(comparison))
            .map { SafeText.logText($0, charset: charset) + "\n" }.joined()
    }

    /// Returns the path, the observer and the time of a recording.
    private func title(_ path: String, _ list: RecordedList) -> String {
        let name = path == "-" ? "standard input" : path
        let observer = list.header?.observerHost ?? ""
        guard let time = list.time.map(LocalTime.init) else { return name }
        return "\(name)  \(observer)  \(time)"
    }

    /// Returns a line for each item in one list only, some lines for each changed one, and the totals.
    private func lines(_ comparison: ListComparison) -> [String] {
        let update = comparison.update
        let gone = update.difference.deletedItems.compactMap {
            update.items.departures[$0.item]?.item
        }
        let new = update.difference.insertedItems.compactMap { update.items.arrivals[$0.item] }
        let changed = update.difference.reconfiguredItems.compactMap {
            update.items.changes[$0.item]
        }
        let totals = """
            \(gone.count) only in the first, \(new.count) only in the second, \
            \(changed.count) different, \(comparison.sameCount) the same
            """
        return gone.map { "- \($0.title): \($0.summary(charset))" }
            + new.map { "+ \($0.title): \($0.summary(charset))" }
            + changed.flatMap { change in
                ["~ \(change.was.title)"] + change.phrases.map { "    \($0)" }
            } + [totals]
    }
}

/// The list of a recording at its end, or at a time.
struct RecordedMoment {
    let list: RecordedList
    /// Whether all lines before could be used, except for a last one that is cut off.
    let isWhole: Bool

    /// Reads a recording, and reports on standard error damage and a time after its end; throws if the list is
    /// unknown.
    init(of path: String, at time: RecordingTime?) throws(RecordingError) {
        Progress.update(.search("opening \(path)", until: nil))
        let recording = try Recording(path: path, reading: .capture)
        Progress.update(.reading(recording, path: path))
        var (isWhole, isEmpty) = (true, true)
        func read(upTo limit: Timestamp?) throws(RecordingError) {
            while let step = try recording.next(upTo: limit) {
                isEmpty = false
                // Reported at once: the damage may be too much to be kept.
                guard case .damage(let damage) = step else { continue }
                complain("\(path): \(damage)")
                if !damage.isCutOff { isWhole = false }
            }
        }
        var limit: Timestamp?
        if let time {
            // The time may be on the day of the first line, so that is read first.
            try read(upTo: Timestamp(microseconds: .min))
            limit = recording.nextTime.map(time.timestamp)
        }
        try read(upTo: limit)
        guard recording.list.header != nil else {
            if let start = recording.nextTime {
                throw RecordingError("\(path) begins after --at, at \(LocalTime(start))")
            }
            throw RecordingError(
                "\(path) \(isEmpty ? "is empty" : "holds no list that can be read")")
        }
        guard !recording.isLost else {
            throw RecordingError(
                "\(path): the list at that point is not known, because lines are missing")
        }
        if let limit, recording.nextTime == nil, let end = recording.list.time, end < limit {
            complain("\(path) ends before --at, at \(LocalTime(end))")
        }
        (list, self.isWhole) = (recording.list, isWhole)
    }
}
