// Reads the list of a recording as of a time.
import PeerModel
package import PeerRecording

/// The list of a recording at its end, or at a time.
package struct RecordedMoment {
    package let list: RecordedList
    /// Whether all lines before could be used, but for a last line that is cut off.
    package let isWhole: Bool

    /// Reads a recording, and reports on standard error damage and a time after its end; throws if the list is
    /// unknown.
    package init(of path: String, at time: RecordingTime?) throws(RecordingError) {
        try self.init(of: try Progress.open(path), path, at: time)
    }

    /// Reads the rest of a recording.
    package init(
        of recording: Recording, _ path: String, at time: RecordingTime? = nil
    ) throws(RecordingError) {
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
