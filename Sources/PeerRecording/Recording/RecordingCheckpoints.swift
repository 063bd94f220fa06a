// Keeps states of a recording's reader, from which it can go on.
import PeerCapture

/// A state of reading from which it can go on.
struct RecordingCheckpoint: Sendable {
    var list = RecordedList()
    /// The state of the capture that is read; `nil` of lines, and before anything was read.
    var capture: CapturedList?

    /// The offset of the bytes that are read next.
    var offset: Int { capture?.offset ?? list.position.offset }
    var weight: Int { list.count + 50 + (capture?.weight ?? 0) }
}

/// The checkpoints of a recording.
///
/// When they exceed ``budget``, every second one is removed, and the distance
/// between them doubles.
struct RecordingCheckpoints: Sendable {
    /// The maximum number of items in all lists; each list counts as 50 items more, and a capture as the records and
    /// services that it knows.
    static let budget = 200_000

    private var checkpoints = [RecordingCheckpoint()]
    private(set) var items = 0
    private var distance = 64

    func isDue(after line: Int) -> Bool {
        line >= (checkpoints.last?.list.position.line ?? 0) + distance
    }

    mutating func add(_ checkpoint: RecordingCheckpoint) {
        checkpoints.append(checkpoint)
        items += checkpoint.weight
        guard items > Self.budget, checkpoints.count > 2 else { return }
        checkpoints = checkpoints.indices.filter { $0.isMultiple(of: 2) }.map { checkpoints[$0] }
        items = checkpoints.reduce(0) { $0 + $1.weight }
        distance *= 2
    }

    /// Returns the last checkpoint whose position satisfies a predicate, in O(*n*) for *n* checkpoints;
    /// the budget allows 4,000.
    func last(where isWanted: (RecordingPosition) -> Bool) -> RecordingCheckpoint {
        checkpoints.last { isWanted($0.list.position) } ?? RecordingCheckpoint()
    }
}
