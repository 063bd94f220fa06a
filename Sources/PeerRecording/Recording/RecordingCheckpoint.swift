// Places in a recording from which it can be read on, with the list as it was there.
import PeerList

/// A place between two lines of a recording.
struct RecordingPlace: Sendable {
    /// The number of the line before it; 0 at the beginning.
    var line = 0
    /// The number of the last line before it that changed the list.
    var lastChange = 0
    /// How many lines before it changed the list.
    var changeCount = 0
    /// Where the next line begins in the text.
    var offset = 0
    /// The latest time of the lines before it.
    var time: Timestamp?
}

/// A place from which a recording can be read on.
struct RecordingCheckpoint: Sendable {
    var place = RecordingPlace()
    /// The list after the lines before it.
    var list = RecordedList()
}

/// The checkpoints of a recording: the fewer, the longer it is and the longer its lists are.
///
/// They hold at most ``budget`` items together. When that is reached, every
/// second one goes, and the distance between them doubles.
struct RecordingCheckpoints: Sendable {
    /// How many items all lists have together, each list counted as some items more than it has.
    static let budget = 200_000

    private var checkpoints = [RecordingCheckpoint()]
    private var items = 0
    /// How many lines lie at least between two of them.
    private var distance = 64

    /// Whether one is to be kept after a line.
    func isDue(after line: Int) -> Bool { line >= (checkpoints.last?.place.line ?? 0) + distance }

    /// Keeps a checkpoint that lies behind all others.
    mutating func add(_ checkpoint: RecordingCheckpoint) {
        checkpoints.append(checkpoint)
        items += weight(checkpoint)
        guard items > Self.budget, checkpoints.count > 2 else { return }
        checkpoints = checkpoints.indices.filter { $0.isMultiple(of: 2) }.map { checkpoints[$0] }
        items = checkpoints.reduce(0) { $0 + weight($1) }
        distance *= 2
    }

    private func weight(_ checkpoint: RecordingCheckpoint) -> Int { checkpoint.list.count + 50 }

    /// The last checkpoint that does not lie behind a line.
    ///
    /// - Complexity: O(log *n*) for *n* checkpoints.
    func last(upTo line: Int) -> RecordingCheckpoint { last { $0.line <= line } }

    /// The last checkpoint before which no line is later than a time.
    func last(upTo time: Timestamp) -> RecordingCheckpoint {
        last { $0.time.map { $0 <= time } ?? true }
    }

    /// The last checkpoint for which something holds that holds for the first one, and for no one behind one for which it does not.
    private func last(where holds: (RecordingPlace) -> Bool) -> RecordingCheckpoint {
        var range = 0..<checkpoints.count
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            range =
                holds(checkpoints[middle].place)
                ? middle..<range.upperBound : range.lowerBound..<middle
        }
        return checkpoints[range.lowerBound]
    }
}
