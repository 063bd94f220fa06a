// Indexes a recording in one pass so that playback can seek.
public import PeerModel
import PeerSystem

/// The checkpoints of a recording: positions, each with the list there, from which reading can
/// start.
///
/// When they exceed ``budget``, every second one is removed, and the distance
/// between them doubles.
struct RecordingCheckpoints: Sendable {
    /// The maximum number of items in all lists; each list counts as 50 items more.
    static let budget = 200_000

    private var checkpoints = [RecordedList()]
    private var items = 0
    private var distance = 64

    func isDue(after line: Int) -> Bool {
        line >= (checkpoints.last?.position.line ?? 0) + distance
    }

    mutating func add(_ checkpoint: RecordedList) {
        checkpoints.append(checkpoint)
        items += weight(checkpoint)
        guard items > Self.budget, checkpoints.count > 2 else { return }
        checkpoints = checkpoints.indices.filter { $0.isMultiple(of: 2) }.map { checkpoints[$0] }
        items = checkpoints.reduce(0) { $0 + weight($1) }
        distance *= 2
    }

    private func weight(_ checkpoint: RecordedList) -> Int { checkpoint.count + 50 }

    /// Returns the last checkpoint whose position satisfies a predicate, in O(*n*) for *n* checkpoints;
    /// the budget allows 4,000.
    func last(where isWanted: (RecordingPosition) -> Bool) -> RecordedList {
        checkpoints.last { isWanted($0.position) } ?? RecordedList()
    }
}

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
            guard let line = recording.line else { return }
            end = recording.list.position
            activity.add(
                .init(
                    arrivals: line.changes.count { $0.op == .insert },
                    departures: line.changes.count { $0.op == .delete }), at: line.time)
            if checkpoints.isDue(after: end.line) { checkpoints.add(recording.list) }
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

    /// Opens a recording, as ``Recording/init(path:follows:)`` does, and copies it if necessary.
    public convenience init(path: String, follows: Bool = false) throws(RecordingError) {
        try self.init(path: path, follows: follows, format: nil)
    }

    /// Opens a file or standard input that is a recording, or has another format.
    package convenience init(
        path: String, follows: Bool = false, reading format: RecordingFormat
    ) throws(RecordingError) {
        try self.init(path: path, follows: follows, format: format)
    }

    private init(path: String, follows: Bool, format: RecordingFormat?) throws(RecordingError) {
        self.path = path
        let bytes = try Recording.bytes(path, follows: follows, reading: format)
        let isPlain = try (bytes as? RecordingBytes)?.isPlainFile() ?? false
        copy = isPlain && path != "-" ? nil : try SpooledBytes(bytes)
        readCount = (bytes as? RecordingBytes)?.readCount
        recording = Recording(copy ?? bytes)
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
