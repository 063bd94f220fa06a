// One run of `peerlist diff`: reads both recordings to their ends, compares, tells.
import PeerList
import PeerRecording
import TerminalList

/// One run of `peerlist diff`, from the options to the exit status.
struct DiffRun {
    private let options: DiffOptions
    private let charset: Charset

    init(_ options: DiffOptions) {
        self.options = options
        charset = .adoptFromEnvironment()
    }

    /// Compares, and prints what differs.
    ///
    /// - Returns: The status to exit with, as that of diff(1): equal, different, or trouble, which has
    ///   been told on standard error.
    func run() -> ExitStatus {
        do throws(RecordingError) {
            let first = try RecordedMoment(of: options.first, at: options.time).list
            let second = try RecordedMoment(of: options.second, at: options.time).list
            guard first.header?.grouping == second.header?.grouping else {
                throw RecordingError(
                    """
                    the recordings cannot be compared: one is grouped by device and the other by type
                    """)
            }
            return tell(ListComparison(from: first, to: second), from: first, to: second)
        } catch {
            complain(error.description)
            return .trouble
        }
    }

    private func tell(
        _ comparison: ListComparison, from first: RecordedList, to second: RecordedList
    ) -> ExitStatus {
        guard !comparison.isEqual else { return .done }
        var text = ""
        if options.isJSON {
            var encoder = LineEncoder()
            text = String(decoding: encoder.update(comparison.update) ?? [], as: UTF8.self)
        } else {
            let words = ComparisonInWords(
                comparison, first: title(options.first, first),
                second: title(options.second, second), charset: charset)
            text = words.lines.map { "\($0)\n" }.joined()
        }
        let printed = printOut(text)
        return printed == .done ? .different : .trouble
    }

    /// The name of a recording, and whose it is.
    private func title(_ path: String, _ list: RecordedList) -> String {
        let name = path == "-" ? "standard input" : path
        let observer = list.header?.observerHost ?? ""
        guard let time = list.time.map(LocalTime.init) else { return name }
        return "\(name)  \(observer)  \(time)"
    }
}
