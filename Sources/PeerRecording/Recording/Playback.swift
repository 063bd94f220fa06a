// Going to and fro in a recording that was read before.
public import FoundationEssentials
public import PeerList

/// A place in a recording and the list there, to go on from in either direction.
///
/// It reaches as far as ``reach`` says the recording was read. Going back reads
/// on from a checkpoint before the place, so the list is the one that going
/// forth had there, to the last byte.
public final class Playback {
    private let bytes: FileBytes
    private let recording: Recording
    /// The last line up to here that changed the list.
    private var lastChange = 0
    /// How many lines up to here changed the list, each `begin` included.
    public private(set) var changeCount = 0

    /// How far the recording can be played, and from where.
    public var reach = RecordingIndex() { didSet { bytes.end = reach.end.offset } }

    /// The list here; empty at the beginning, and where ``isLost``.
    public var list: RecordedList { recording.list }

    /// Whether lines are missing here, so that the list is not known.
    public var isLost: Bool { recording.isLost }

    /// Why those left that the last line took away.
    public var departureReasons: [UUID: PeerListUpdate.Departure] {
        guard case .difference(_, let changes)? = recording.line?.content else { return [:] }
        var reasons: [UUID: PeerListUpdate.Departure] = [:]
        for case .delete(_, let item, let reason) in changes { reasons[item.id] = reason }
        return reasons
    }

    /// What the user was told on the way here, at most the last few of it.
    private var told: [Notice] = []

    init(_ bytes: FileBytes) {
        self.bytes = bytes
        recording = Recording(bytes)
    }

    /// The time of the next line, if there is one within reach.
    ///
    /// - Throws: `RecordingError` where the file cannot be read on.
    public func nextTime() throws(RecordingError) -> Timestamp? {
        // No line is as early as that, so this only looks.
        while try recording.next(upTo: Timestamp(microseconds: .min)) != nil {}
        return recording.nextTime
    }

    /// What the user was told on the way here since this was last asked, at most the last few of it; nothing from before a jump.
    public func takeNotices() -> [Notice] {
        defer { told = [] }
        return told
    }

    /// Takes in lines up to a time, or a number of them.
    ///
    /// - Parameters:
    ///   - limit: No line later than this is taken in.
    ///   - count: How many lines are taken in at most.
    /// - Throws: `RecordingError` where the file cannot be read on.
    public func play(upTo limit: Timestamp?, atMost count: Int) throws(RecordingError) {
        for _ in 0..<count {
            guard try advance(upTo: limit, lastLine: .max) else { return }
        }
    }

    /// Goes on to the next difference and takes it in.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: `RecordingError` where the file cannot be read on.
    public func forward() throws(RecordingError) -> Bool {
        let start = lastChange
        while lastChange == start, try advance(lastLine: .max) {}
        return lastChange != start
    }

    /// Goes back to before the last difference.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: `RecordingError` where the file cannot be read again.
    /// - Complexity: Reads the lines from the last checkpoint before it.
    public func back() throws(RecordingError) -> Bool {
        guard lastChange > 0 else { return false }
        try seek(toLine: lastChange - 1)
        // Behind the difference before, not behind what is damaged between the two.
        if isLost { try seek(toLine: lastChange) }
        return true
    }

    /// Goes to the beginning, before the first line.
    ///
    /// - Throws: `RecordingError` where the file cannot be read again.
    public func seekToStart() throws(RecordingError) { try seek(toLine: 0) }

    /// Goes to the end, as far as it is within reach.
    ///
    /// - Throws: `RecordingError` where the file cannot be read again.
    public func seekToEnd() throws(RecordingError) { try seek(toLine: reach.end.line) }

    /// Goes behind the last line before which, itself included, no line is later than a time.
    ///
    /// - Throws: `RecordingError` where the file cannot be read again.
    public func seek(to time: Timestamp) throws(RecordingError) {
        resume(at: reach.checkpoints.last(upTo: time))
        while try advance(upTo: time, lastLine: .max) {}
    }

    private func seek(toLine line: Int) throws(RecordingError) {
        resume(at: reach.checkpoints.last(upTo: line))
        while try advance(lastLine: line) {}
    }

    private func resume(at checkpoint: RecordingCheckpoint) {
        bytes.offset = checkpoint.place.offset
        recording.resume(at: checkpoint)
        (lastChange, changeCount) = (checkpoint.place.lastChange, checkpoint.place.changeCount)
        told = []
    }

    /// Takes one more line in, or passes over what cannot be used.
    private func advance(
        upTo limit: Timestamp? = nil, lastLine: Int
    ) throws(RecordingError) -> Bool {
        guard let step = try recording.next(upTo: limit, lastLine: lastLine) else { return false }
        guard step == .line, let line = recording.line else { return true }
        if line.changesList {
            lastChange = recording.lineNumber
            changeCount += 1
        }
        if let notice = line.notice { told = told.suffix(7) + [notice] }
        return true
    }
}
