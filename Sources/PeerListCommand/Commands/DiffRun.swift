// Runs `peerlist diff`: reads two recordings, compares their lists, and prints the differences.
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
            if comparison.onlyInFirst > 0 { warn(of: second, self.second) }
            if comparison.onlyInSecond > 0 { warn(of: first, self.first) }
            let printed = printOut(text(comparison, from: first, to: second))
            return printed == .done ? .different : .trouble
        } catch {
            complain(error.description)
            return .trouble
        }
    }

    /// Says that what a list lacks is not known to have been absent.
    private func warn(of list: RecordedList, _ path: String) {
        guard list.header?.isCapture == true else { return }
        complain(
            "\(path) is a capture, which has only what others asked for; what it lacks may have been there"
        )
    }

    private func text(
        _ comparison: ListComparison, from first: RecordedList, to second: RecordedList
    ) -> String {
        if isJSON {
            var encoder = LineEncoder()
            return String(decoding: encoder.update(comparison.update) ?? [], as: UTF8.self)
        }
        let titles = ["--- " + first.title(self.first), "+++ " + second.title(self.second)]
        return (titles + comparison.lines(charset))
            .map { SafeText.logText($0, charset: charset) + "\n" }.joined()
    }
}
