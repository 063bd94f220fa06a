// Indexes a recording in one pass so that playback can seek.
import PeerCapture
public import PeerModel
import PeerSystem

/// The contents of the part of a recording that was read.
public struct RecordingIndex: Sendable {
    /// Arrivals and departures by time.
    public private(set) var activity = RecordingActivity()
    /// The number of lines that changed the list, each `begin` included.
    public var changeCount: Int { end.changeCount }
    /// Whether the end was reached and nothing more will come.
    public fileprivate(set) var isComplete = false
    /// The part of the file that was read, up to 1; `nil` if its size is not known.
    package fileprivate(set) var readPart: Double?
    /// The number of damaged parts, and the first of them.
    public private(set) var damage: (count: Int, first: RecordingDamage?) = (0, nil)

    /// Whether everything up to a time is known, because a line of that time or later was read.
    public func hasReached(_ time: Timestamp) -> Bool {
        isComplete || end.time.map { $0 >= time } == true
    }

    private(set) var end = RecordingPosition()
    private(set) var checkpoints = RecordingCheckpoints()

    fileprivate mutating func add(_ step: Recording.Step, of recording: Recording) {
        switch step {
        case .damage(let found): damage = (damage.count + 1, damage.first ?? found)
        case .line:
            end = recording.list.position
            let changes = recording.beginsRun ? nil : recording.changes
            activity.add(
                .init(
                    arrivals: changes?.arrivals.count ?? 0,
                    departures: changes?.departures.count ?? 0), at: recording.list.lastTime)
            if checkpoints.isDue(after: end.line) { checkpoints.add(recording.checkpoint) }
        }
    }
}

/// Reads a recording to its end and reports its index on the way.
///
/// A plain file is played in place. A pipe, a compressed file and a followed file cannot be read at
/// any offset, so they are copied.
public final class RecordingIndexer: @unchecked Sendable {
    // @unchecked: only `run` uses the recording, and it is called once; the rest never changes.
    private let recording: Recording
    private let copy: SpooledBytes?
    private let readCount: ReadCount?
    private let path: String
    /// The list of the bytes before any of them, if they are a capture.
    let unread: CapturedList

    /// Opens a recording, as ``Recording/init(path:follows:)`` does, and copies it if necessary.
    public init(path: String, follows: Bool = false) throws(RecordingError) {
        self.path = path
        let bytes = try Recording.bytes(path, follows: follows)
        let file = bytes as? GzipBytes
        let isPlain = try file?.isPlainFile() ?? false
        copy = isPlain && path != "-" ? nil : try SpooledBytes(bytes)
        readCount = file?.readCount
        unread = Recording.capture(path, readCount)
        recording = Recording(copy ?? bytes, unread: unread)
    }

    /// Returns the file of the indexed bytes, which can be read at any offset.
    func file() throws(RecordingError) -> InputFile {
        try InputFile(path: copy?.path ?? path, name: path, window: 0..<0)
    }

    /// Calls ``run(_:)`` on a thread of its own, once; returns whether the thread was started.
    public func start(_ report: @escaping @Sendable (RecordingIndex) -> Bool) -> Bool {
        startThread { self.run(report) } == 0
    }

    /// Reads to the end, once, and reports the index so far every 2,000 lines until a report returns `false`.
    /// A failure to read counts as damage and ends the recording.
    public func run(_ report: (RecordingIndex) -> Bool) {
        var index = RecordingIndex()
        var unreported = 0
        do throws(RecordingError) {
            while let step = try recording.next() {
                index.add(step, of: recording)
                unreported += 1
                // Before waiting for a pipe, the index of the bytes that have arrived is reported.
                guard unreported >= 2000 || (copy != nil && !recording.hasBufferedLine) else {
                    continue
                }
                unreported = 0
                index.readPart = readCount.flatMap { count in
                    count.all.map { min(1, Double(count.read) / Double(max(1, $0))) }
                }
                if !report(index) { return }
            }
        } catch {
            let damage = RecordingDamage(
                line: index.end.line + 1, byte: recording.offset, message: error.description,
                isCutOff: true)
            index.add(.damage(damage), of: recording)
        }
        index.isComplete = true
        _ = report(index)
    }
}
