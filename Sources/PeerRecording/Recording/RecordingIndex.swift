// What is known of a recording that was read once, up to where that is done.
public import PeerList

/// What is known of a recording, of which some or all was read.
public struct RecordingIndex: Sendable {
    /// When how many came and left.
    public internal(set) var activity = RecordingActivity()
    /// How many lines changed the list, each `begin` included.
    public var changeCount: Int { end.changeCount }
    /// Whether the end was reached, behind which nothing comes any more.
    public internal(set) var isComplete = false
    /// What could not be used: how many places, and the first of them.
    public internal(set) var damage: (count: Int, first: RecordingDamage?) = (0, nil)

    /// Whether all is known up to a time, which takes a line that is not before it.
    public func hasReached(_ time: Timestamp) -> Bool {
        isComplete || end.time.map { $0 >= time } == true
    }

    /// Behind the last whole line.
    var end = RecordingPlace()
    var checkpoints = RecordingCheckpoints()

    /// Takes in what came of one line.
    mutating func take(_ step: Recording.Step, of recording: Recording) {
        switch step {
        case .damage(let found): note(found)
        case .line:
            guard let line = recording.line else { return }
            if line.changesList {
                end.changeCount += 1
                end.lastChange = recording.lineNumber
            }
            activity.add(line.activity, at: line.time)
            end.line = recording.lineNumber
            end.offset = recording.offset
            end.time = max(end.time ?? line.time, line.time)
            if checkpoints.isDue(after: end.line) {
                checkpoints.add(RecordingCheckpoint(place: end, list: recording.list))
            }
        }
    }
}

extension RecordingIndex {
    /// Takes in that the rest cannot be read.
    mutating func end(with error: RecordingError, at recording: Recording) {
        note(
            RecordingDamage(
                line: end.line + 1, byte: recording.offset, message: error.description,
                isCutOff: true))
    }

    private mutating func note(_ found: RecordingDamage) {
        damage = (damage.count + 1, damage.first ?? found)
    }
}

extension RecordedLine {
    /// Whether the list may be another one after the line.
    var changesList: Bool {
        switch content {
        case .begin, .difference: true
        case .notice, .end, .unknown: false
        }
    }

    /// How many items come and leave with the line.
    var activity: RecordingActivity.Count {
        var count = RecordingActivity.Count()
        guard case .difference(_, let changes) = content else { return count }
        for change in changes {
            switch change {
            case .insert: count.arrivals += 1
            case .delete: count.departures += 1
            default: break
            }
        }
        return count
    }
}
