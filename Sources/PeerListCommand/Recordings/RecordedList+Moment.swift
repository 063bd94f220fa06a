// The list of a recording at its end, or at a moment.
import PeerList

extension RecordedList {
    /// The list at the end of a recording, or as it was at a time; what is damaged is told on standard error.
    ///
    /// - Throws: `RecordingError` where there is none, or it is not known.
    init(atEndOf path: String, time: Timestamp?) throws(RecordingError) {
        let recording = try Recording(path: path)
        while let step = try recording.next(upTo: time) {
            // Told as it is found: there may be more of it than could be kept.
            if case .damage(let damage) = step { complain("\(path): \(damage)") }
        }
        guard recording.list.header != nil else {
            let reason =
                recording.nextTime != nil ? "it begins later than --at" : "it holds no list"
            throw RecordingError("\(path) has no list to show: \(reason)")
        }
        guard !recording.isLost else {
            throw RecordingError(
                "\(path) ends in doubt: lines are missing, so its list is not known")
        }
        self = recording.list
    }
}
