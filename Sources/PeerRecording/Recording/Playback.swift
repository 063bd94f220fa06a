// Plays an indexed recording from any position and in both directions.
public import FoundationEssentials
package import PeerHappenings
public import PeerModel

/// A position in a recording with the list there, which moves in both directions.
///
/// Its range is the part of the recording that ``index`` covers. A step back reads forward from an
/// earlier checkpoint, so that the list is identical in both directions.
public final class Playback {
    private let file: InputFile
    private let recording: Recording
    private var notices: [Notice] = []
    private var happenings: [SourceHappening] = []
    /// A position 64 lines before the last sought position, from which further steps back are read.
    private var nearby = RecordingCheckpoint()

    /// The index of the recording, which bounds the playback.
    public var index = RecordingIndex() {
        didSet { extendWindow(from: file.window?.lowerBound ?? 0) }
    }

    /// The list at this position; empty at the start, and while ``isLost``.
    public var list: RecordedList { recording.list }

    /// The number of lines so far that changed the list, each `begin` included.
    public var changeCount: Int { list.position.changeCount }

    private var lastChange: Int { list.position.lastChange }

    /// Whether lines are missing here, so that the list is unknown.
    public var isLost: Bool { recording.isLost }

    /// The reasons for the departures in the last line.
    public var departureReasons: [UUID: Departure] {
        recording.changes?.departures.mapValues(\.reason) ?? [:]
    }

    /// A playback at the start of a recording that has yet to be indexed.
    public init(_ indexer: RecordingIndexer) throws(RecordingError) {
        file = try indexer.file()
        recording = Recording(file, unread: indexer.unread)
    }

    /// Returns the time of the next line in range, if any.
    public func nextTime() throws(RecordingError) -> Timestamp? {
        // Every line is later than this limit, so the next line is read but not applied.
        while try advance(upTo: Timestamp(microseconds: .min)) {}
        return recording.nextTime
    }

    /// Returns and removes the last notices, at most eight, since the last call or seek.
    public func removeNotices() -> [Notice] {
        defer { notices = [] }
        return notices
    }

    /// Returns and removes the last events of what the list is heard through, at most 64, since the last call or seek.
    package func removeHappenings() -> [SourceHappening] {
        defer { happenings = [] }
        return happenings
    }

    /// Applies at most `count` lines that are not later than a time.
    public func play(upTo limit: Timestamp?, atMost count: Int) throws(RecordingError) {
        for _ in 0..<count {
            guard try advance(upTo: limit) else { return }
        }
    }

    /// Advances past the next difference; returns whether there was one.
    public func stepForward() throws(RecordingError) -> Bool {
        let start = changeCount
        while changeCount == start, try advance() {}
        return changeCount != start
    }

    /// Goes back to before the last difference by reading from the last checkpoint before it; returns
    /// whether there was a difference.
    public func stepBack() throws(RecordingError) -> Bool {
        guard lastChange > 0 else { return false }
        try seek(toLine: lastChange - 1)
        // Stops after the previous difference, not after damage between the two.
        if isLost { try seek(toLine: lastChange) }
        return true
    }

    /// Seeks to the start, before the first line.
    public func seekToStart() throws(RecordingError) { try seek(toLine: 0) }

    /// Seeks to the end of the range.
    public func seekToEnd() throws(RecordingError) { try seek(toLine: index.end.line) }

    /// Seeks to before the first line that is later than a time.
    public func seek(to time: Timestamp) throws(RecordingError) {
        resume(at: index.checkpoints.last { $0.time ?? time <= time })
        while try advance(upTo: time) {}
    }

    /// Returns a time from which about a number of lines, or more, are read up to another time; `nil` for the start.
    package func time(_ count: Int, linesBefore time: Timestamp) -> Timestamp? {
        let last = index.checkpoints.last { $0.time ?? time <= time }.list.position.line
        return index.checkpoints.last { $0.line <= last - count }.list.position.time
    }

    private func seek(toLine line: Int) throws(RecordingError) {
        let checkpoint = index.checkpoints.last { $0.line <= line }
        let isNear = checkpoint.offset < nearby.offset && nearby.list.position.line <= line
        resume(at: isNear ? nearby : checkpoint)
        while try advance(lastLine: line) {
            if list.position.line == line - 64, !isLost { nearby = recording.checkpoint }
        }
    }

    private func resume(at checkpoint: RecordingCheckpoint) {
        extendWindow(from: checkpoint.offset)
        recording.resume(at: checkpoint)
        (notices, happenings) = ([], [])
    }

    /// Reads from an offset up to the end of the index.
    private func extendWindow(from start: Int) {
        file.window = start..<max(start, index.end.offset)
    }

    /// Applies one more line, or skips a damaged part; returns `false` at the end.
    private func advance(
        upTo limit: Timestamp? = nil, lastLine: Int = .max
    ) throws(RecordingError) -> Bool {
        // What is behind the last line that is indexed is not read, as the end of a capture would end its list.
        let last = min(lastLine, index.end.line)
        guard list.position.line < last,
            let step = try recording.next(upTo: limit, lastLine: last)
        else { return false }
        guard step == .line else { return true }
        if let notice = recording.notice { notices = notices.suffix(7) + [notice] }
        if let happening = recording.sourceHappening {
            happenings = happenings.suffix(63) + [happening]
        }
        return true
    }
}
