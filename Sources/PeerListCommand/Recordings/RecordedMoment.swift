// The list of a recording at its end, or at a moment.
import PeerList
import PeerRecording

/// The list of a recording at its end, or at a moment.
struct RecordedMoment {
    /// The list, which is known.
    let list: RecordedList
    /// Whether all lines before could be used, but for one that was cut off.
    let isWhole: Bool

    /// Reads a recording, and tells on standard error what is damaged.
    ///
    /// - Throws: `RecordingError` where there is no list, or it is not known.
    init(of path: String, at time: RecordingTime?) throws(RecordingError) {
        let recording = try Recording(path: path)
        var isWhole = true
        var limit: Timestamp?
        if let time {
            // The time may be one on the day of the first line, which is read first.
            try Self.read(recording, path, upTo: Timestamp(microseconds: .min), &isWhole)
            limit = recording.nextTime.map(time.moment)
        }
        try Self.read(recording, path, upTo: limit, &isWhole)
        guard recording.list.header != nil else {
            if let start = recording.nextTime {
                throw RecordingError("\(path) begins after --at, at \(LocalTime(start))")
            }
            throw RecordingError(
                "\(path) \(recording.isLost ? "holds no list that can be read" : "is empty")")
        }
        guard !recording.isLost else {
            throw RecordingError(
                "\(path): the list at that point is not known, because lines are missing")
        }
        (list, self.isWhole) = (recording.list, isWhole)
    }

    private static func read(
        _ recording: Recording, _ path: String, upTo limit: Timestamp?, _ isWhole: inout Bool
    ) throws(RecordingError) {
        while let step = try recording.next(upTo: limit) {
            // Reported as it is found: there may be more damage than could be kept.
            guard case .damage(let damage) = step else { continue }
            complain("\(path): \(damage)")
            if !damage.isCutOff { isWhole = false }
        }
    }
}
