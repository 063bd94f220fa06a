// The list of a recording at its end, or at a moment.
import PeerList

/// The list of a recording at its end, or at a moment.
struct RecordedMoment {
    /// The list, which is known.
    let list: RecordedList
    /// Whether all lines before could be used, but for one that was cut off.
    let isWhole: Bool

    /// Reads a recording, and tells on standard error what is damaged.
    ///
    /// - Throws: `RecordingError` where there is no list, or it is not known.
    init(of path: String, at time: Timestamp?) throws(RecordingError) {
        let recording = try Recording(path: path)
        var isWhole = true
        while let step = try recording.next(upTo: time) {
            // Told as it is found: there may be more of it than could be kept.
            guard case .damage(let damage) = step else { continue }
            complain("\(path): \(damage)")
            if !damage.isCutOff { isWhole = false }
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
        (list, self.isWhole) = (recording.list, isWhole)
    }
}
