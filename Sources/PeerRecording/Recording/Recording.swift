// Reads a recording line by line, or a capture step by step, and folds its list.
package import PeerCapture
package import PeerHappenings
public import PeerModel

/// A recording that is read line by line.
///
/// The source is the output of `--output` or `--json`, or a capture of packets, plain or compressed by gzip, in a file or
/// on standard input. The steps of a capture count as lines. A line that cannot be read, or is inconsistent with the lines before it, shows
/// that lines are missing. The lines after it are skipped up to the next `begin`, which needs no
/// earlier line.
public final class Recording {
    /// The result of reading a line.
    public enum Step: Sendable, Equatable {
        /// A line was applied to ``Recording/list``, or all lines of an event that has several.
        case line
        /// A line that cannot be used.
        case damage(RecordingDamage)
    }

    private let source: LineSource
    /// The bytes that were read of a file or a pipe that is not followed.
    package let readCount: ReadCount?
    /// The list of the bytes before any of them, if they are a capture.
    private let unread: CapturedList
    /// The list of the capture that is read; `nil` of lines, and until the format is known.
    private var capture: CapturedList?
    private var isFormatKnown = false

    /// A line beyond the limit of ``next(upTo:lastLine:)``, unparsed and parsed.
    private var pendingLine: LineSource.Line?
    private var pending: RecordedLine?
    /// The next step of a capture, if it was looked at.
    private var pendingStep: CapturedList.Step?

    /// The event that continues in the next line: the list before it, its first line and the number of that.
    private var open: (before: RecordedList?, line: RecordedLine, number: Int)?

    /// The list after the lines read so far; empty while ``isLost``.
    public private(set) var list = RecordedList()
    /// Whether lines are missing, so that the list is unknown until the next `begin`.
    public private(set) var isLost = false
    /// Whether the lines of an event are one step.
    public var joinsEvents = true
    /// The bytes of the last line that was applied to the list, without the line feed; none in a capture.
    public private(set) var text: [UInt8] = []
    /// Whether the last line is a `begin`, which starts a run or follows an outage.
    public private(set) var beginsRun = false
    /// The notice in the last line, if this version knows its code.
    public private(set) var notice: Notice?
    /// The event of an interface, a backend, a broker or an observer, if the last line has one.
    package private(set) var sourceHappening: SourceHappening?
    /// The changes of the items by the last line, from the list before it; `nil` if it does not change the list.
    public private(set) var changes: ItemChanges?
    /// The same with the difference of the list, in a capture.
    package private(set) var update: PeerListUpdate?

    var offset: Int { source.offset }
    /// The position in a capture, such as `packet 12, byte 4711`; `nil` in lines.
    package var position: String? { capture?.position.description }

    /// Whether another line can be read without waiting.
    public var hasBufferedLine: Bool {
        guard capture != nil else { return source.hasBufferedLine }
        if pendingStep == nil { pendingStep = capture?.next() }
        return pendingStep != nil
    }

    /// The time of the next line, if reading stopped before it because of a limit.
    public var nextTime: Timestamp? { pendingStep?.time ?? pending?.time }

    /// Opens a recording or a capture, a file or standard input for `-`. With `follows`, reading waits for more at
    /// the end of the file.
    public convenience init(path: String, follows: Bool = false) throws(RecordingError) {
        let bytes = try Self.bytes(path, follows: follows)
        let count = (bytes as? GzipBytes)?.readCount
        self.init(bytes, readCount: count, unread: Self.capture(path, count))
    }

    static func bytes(_ path: String, follows: Bool) throws(RecordingError) -> any ByteSource {
        // Reading from standard input always waits for more.
        if follows, path != "-" { return try FollowedBytes(path: path) }
        return try GzipBytes(path: path)
    }

    /// Returns the list of a file or standard input that may be a capture, before anything was read.
    static func capture(_ path: String, _ count: ReadCount?) -> CapturedList {
        CapturedList(named: recordingName(ofPath: path), isPipe: count?.all == nil)
    }

    /// A recording of these bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - readCount: The number of bytes that were read of their file.
    ///   - unread: The list of the bytes before any of them, if they are a capture.
    package init(
        _ bytes: any ByteSource, readCount: ReadCount? = nil,
        unread: CapturedList = CapturedList(named: "standard input")
    ) {
        source = LineSource(bytes)
        (self.readCount, self.unread) = (readCount, unread)
    }

    /// Whether the list is made of a capture, not read from lines.
    package func isCapture() throws(RecordingError) -> Bool {
        if !isFormatKnown {
            let start = try source.start(CapturedList.startSize)
            isFormatKnown = true
            if CapturedList.isCapture(start) { capture = unread }
        }
        return capture != nil
    }

    /// The state of reading after the last step, from which it can go on.
    var checkpoint: RecordingCheckpoint {
        RecordingCheckpoint(list: list, capture: capture?.checkpoint)
    }

    /// Continues at a checkpoint; the source must return the bytes from its offset on next.
    func resume(at checkpoint: RecordingCheckpoint) {
        source.restart(at: checkpoint.offset, after: checkpoint.list.position.line)
        (list, isLost, changes) = (checkpoint.list, false, nil)
        (pendingLine, pending, pendingStep, open) = (nil, nil, nil, nil)
        (capture, isFormatKnown) = (checkpoint.capture, checkpoint.offset > 0)
    }

    /// Reads the next line, or step of a capture.
    ///
    /// - Parameters:
    ///   - limit: Reading stops before the first line of a later time.
    ///   - lastLine: Reading stops after the line with this number.
    /// - Returns: The result, or `nil` at the end or the limit.
    /// - Throws: `RecordingError` if the file cannot be read.
    /// - Complexity: O(length of the line + *n*) for *n* items in the list.
    public func next(
        upTo limit: Timestamp? = nil, lastLine: Int = .max
    ) throws(RecordingError) -> Step? {
        try isCapture()
            ? nextOfCapture(upTo: limit, lastLine: lastLine)
            : nextOfLines(upTo: limit, lastLine: lastLine)
    }

    private func nextOfLines(
        upTo limit: Timestamp?, lastLine: Int
    ) throws(RecordingError) -> Step? {
        while let line = try nextLine() {
            // A line after `lastLine` is not even parsed, because it may be damaged.
            if open == nil, line.number > lastLine {
                pendingLine = line
                return nil
            }
            do throws(RecordingDamage) {
                guard let read = try parse(line) else { continue }
                if open == nil, let limit, read.time > limit {
                    (pendingLine, pending) = (line, read)
                    return nil
                }
                if try apply(read, line) { return .line }
            } catch {
                // A cut-off line is not part of the recording, and the list before it is known.
                if error.isCutOff {
                    if let before = open?.before { list = before }
                } else {
                    isLost = true
                    list.removeAll()
                }
                open = nil
                return .damage(error)
            }
        }
        return cutOff.map { .damage($0) }
    }

    /// Reverts an event whose last lines are missing at the end of the recording, and returns the
    /// damage.
    private var cutOff: RecordingDamage? {
        guard let event = open.take() else { return nil }
        if let before = event.before { list = before }
        return RecordingDamage(
            line: event.number, byte: source.offset,
            message: "the last lines of a change are missing", isCutOff: true)
    }

    /// Returns the next line that is not blank; after a torn line, the writer may begin with a
    /// blank line.
    private func nextLine() throws(RecordingError) -> LineSource.Line? {
        if let line = pendingLine.take() { return line }
        while let line = try source.next() {
            if !line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { return line }
        }
        return nil
    }

    /// Parses a line; returns `nil` for an invalid line while lines before it are missing.
    private func parse(_ line: LineSource.Line) throws(RecordingDamage) -> RecordedLine? {
        if let read = pending.take() { return read }
        if line.isTooLong {
            throw damage(line, 0, "the line is longer than \(LineSource.longestLine >> 20) MiB")
        }
        do throws(LineError) {
            return try RecordedLine(line.bytes, grouping: list.header?.grouping ?? .device)
        } catch {
            if isLost { return nil }
            if line.isCutOff {
                throw damage(line, line.bytes.count, "the last line is cut off", isCutOff: true)
            }
            let message = error.offset > 0 ? error.message : "not JSON, '{' was expected"
            throw damage(line, error.offset, message)
        }
    }

    /// Applies a line to the list; returns whether it completes an event and is not skipped. After
    /// damage, all lines up to the next `begin` are skipped.
    private func apply(
        _ read: RecordedLine, _ line: LineSource.Line
    ) throws(RecordingDamage) -> Bool {
        if read.kind == .begin { isLost = false }
        guard !isLost else { return false }
        // A `begin` may follow an outage, during which the rest of the event was lost.
        if read.kind != .begin, read.kind != .diff, open != nil {
            throw damage(line, 0, "more changes were expected")
        }
        let goesOn = joinsEvents && read.hasMore
        let before = open?.before ?? (goesOn || read.kind == .begin ? list : nil)
        let former = read.kind == .diff ? open.take() : nil
        let event = former ?? (before, read, line.number)
        open = nil
        if former == nil { list.changes = ItemChanges(at: read.time) }
        do throws(LineError) {
            try list.apply(read)
            // At most, all items leave and as many arrive.
            let (changes, limit) = (list.changes, 2 * RecordedLine.listLimits.items)
            guard changes.arrivals.count + changes.departures.count + changes.changes.count <= limit
            else {
                throw LineError(message: "there are more changes than a list has items")
            }
        } catch {
            throw damage(line, 0, error.message)
        }
        if goesOn {
            open = event
            return false
        }
        text = line.bytes
        (notice, sourceHappening) = (read.notice, read.sourceHappening)
        beginsRun = event.line.kind == .begin
        changes = event.line.kind == .diff ? list.changes : nil
        if beginsRun, let before = event.before { changes = ItemChanges(from: before, to: list) }
        list.position.advance(
            past: event.number...line.number, at: read.time, changesList: changes != nil,
            to: source.offset)
        return true
    }

    private func damage(
        _ line: LineSource.Line, _ offset: Int, _ message: String, isCutOff: Bool = false
    ) -> RecordingDamage {
        RecordingDamage(
            line: line.number, byte: line.offset + offset, message: message, isCutOff: isCutOff)
    }
}

// MARK: Captures

extension Recording {
    private func nextOfCapture(
        upTo limit: Timestamp?, lastLine: Int
    ) throws(RecordingError) -> Step? {
        guard list.position.line < lastLine, let step = try nextStep() else { return nil }
        if case .damage(let place, let message, let isCutOff) = step {
            return .damage(RecordingDamage(at: place, message, isCutOff: isCutOff))
        }
        if let limit, let time = step.time, time > limit {
            pendingStep = step
            return nil
        }
        list.apply(step, of: unread.name)
        (beginsRun, changes, update, notice) = (false, nil, nil, nil)
        switch step {
        case .begin(let start): (beginsRun, changes) = (true, ItemChanges(at: start))
        case .update(let update): (changes, self.update) = (update.items, update)
        case .notice(let notice): self.notice = notice
        case .end, .damage: break
        }
        let number = list.position.line + 1
        list.position.advance(
            past: number...number, at: list.lastTime, changesList: changes != nil,
            to: source.offset)
        return .line
    }

    private func nextStep() throws(RecordingError) -> CapturedList.Step? {
        if let step = pendingStep.take() { return step }
        while true {
            if let step = capture?.next() { return step }
            guard capture?.hasEnded == false else { return nil }
            let bytes = try source.nextBytes()
            guard bytes.isEmpty else {
                capture?.append(bytes)
                continue
            }
            if let error = capture?.finish() { throw RecordingError(error) }
        }
    }
}

extension CapturedList.Step {
    /// The time of the step; `nil` of damage.
    fileprivate var time: Timestamp? {
        switch self {
        case .begin(let time), .end(let time, _): time
        case .update(let update): update.items.time
        case .notice(let notice): notice.time
        case .damage: nil
        }
    }
}
