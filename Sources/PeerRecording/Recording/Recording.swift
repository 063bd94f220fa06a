// Reads a recording line by line and folds its list.
package import PeerHappenings
public import PeerModel

/// A recording that is read line by line.
///
/// The source is the output of `--output` or `--json`, plain or compressed by gzip, in a file or on
/// standard input. A line that cannot be read, or is inconsistent with the lines before it, shows
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

    /// The lines so far of an event that continues in the next line.
    private struct OpenEvent {
        /// The list before the event; `nil` if it has one line and no update is computed.
        let before: RecordedList?
        /// The first line, with the changes of all lines.
        var line: RecordedLine
        /// The number of the first line.
        let number: Int
    }

    private let source: LineSource
    /// The bytes that were read of a file or a pipe that is not followed.
    package let readCount: ReadCount?
    /// A line beyond the limit of ``next(upTo:lastLine:)``, unparsed and parsed.
    private var pendingLine: LineSource.Line?
    private var pending: RecordedLine?

    /// The lines so far of an event that continues.
    private var open: OpenEvent?

    /// The list after the lines read so far; empty while ``isLost``.
    public private(set) var list = RecordedList()
    /// Whether lines are missing, so that the list is unknown until the next `begin`.
    public private(set) var isLost = false
    /// Whether the lines of an event are one step.
    public var joinsEvents = true
    /// Whether ``update`` is computed, which takes longer than all of the reading.
    public var makesUpdates = false
    /// The changes of the last line, if ``makesUpdates`` is set.
    public private(set) var update: PeerListUpdate?
    /// The bytes of the last line that was applied to the list, without the line feed.
    public private(set) var text: [UInt8] = []
    private(set) var line: RecordedLine?

    /// Whether the last line is a `begin`, which starts a run or follows an outage.
    public var beginsRun: Bool { line?.kind == .begin }
    /// The notice in the last line, if this version knows its code.
    public var notice: Notice? { line?.notice }

    /// The event of an interface, a backend, a broker or an observer, if the last line has one.
    package var sourceHappening: SourceHappening? { line?.sourceHappening }

    /// The cause of the changes in the last line, if it is a difference.
    package var cause: PeerListUpdate.Cause? { line?.kind == .diff ? line?.cause : nil }

    /// The items that the last line inserted, deleted or changed; all items after a `begin`. A deleted
    /// item has its last state, and the reason. Unlike ``update``, this costs nothing for the other items.
    package var touchedItems: [(item: ListItem, departure: Departure?)] {
        guard let line else { return [] }
        if line.kind == .begin { return list.items.values.map { ($0, nil) } }
        return line.changes.compactMap { change in
            switch change.op {
            case .delete: change.item.map { ($0, change.reason) }
            case .insert, .update: list.items[change.id].map { ($0, nil) }
            case .move, .insertSection, .deleteSection, .moveSection: nil
            }
        }
    }

    var offset: Int { source.offset }
    /// Whether another line can be read without waiting.
    public var hasBufferedLine: Bool { source.hasBufferedLine }

    /// The time of the next line, if reading stopped before it because of a limit.
    public var nextTime: Timestamp? { pending?.time }

    /// Opens a file, or standard input for `-`. With `follows`, reading waits for more at the end
    /// of the file.
    public convenience init(path: String, follows: Bool = false) throws(RecordingError) {
        self.init(try Self.bytes(path, follows: follows, reading: nil))
    }

    /// Opens a file or standard input that is a recording, or has another format.
    package convenience init(
        path: String, follows: Bool = false, reading format: RecordingFormat?
    ) throws(RecordingError) {
        self.init(try Self.bytes(path, follows: follows, reading: format))
    }

    /// Whether the lines are made from another format, such as a capture.
    package func hasOtherFormat() throws(RecordingError) -> Bool {
        try (source.bytes as? RecordingBytes)?.hasOtherFormat() ?? false
    }

    static func bytes(
        _ path: String, follows: Bool, reading format: RecordingFormat?
    ) throws(RecordingError) -> any ByteSource {
        // Reading from standard input always waits for more.
        if follows, path != "-" { return try FollowedBytes(path: path, reading: format) }
        return try RecordingBytes(path: path, reading: format)
    }

    /// A recording of these bytes.
    package init(_ bytes: any ByteSource) {
        source = LineSource(bytes)
        readCount = (bytes as? RecordingBytes)?.readCount
    }

    /// Continues at a checkpoint; the source must return the bytes after it next.
    func resume(at checkpoint: RecordedList) {
        source.restart(at: checkpoint.position.offset, after: checkpoint.position.line)
        (list, isLost, text, line) = (checkpoint, false, [], nil)
        (pendingLine, pending, open) = (nil, nil, nil)
    }

    /// Reads the next line.
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
        return (cutOff ?? source.bytes.removeDamage()).map { .damage($0) }
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
        let before = open?.before ?? (makesUpdates || goesOn ? list : nil)
        var event = read.kind == .diff ? open.take() : nil
        open = nil
        do throws(LineError) {
            try list.apply(read)
            try event?.line.append(read)
        } catch {
            throw damage(line, 0, error.message)
        }
        let whole = event ?? OpenEvent(before: before, line: read, number: line.number)
        if goesOn {
            open = whole
            return false
        }
        update = before.flatMap { PeerListUpdate(whole.line, from: $0, to: list) }
        (text, self.line) = (line.bytes, whole.line)
        list.position.advance(
            past: whole.line, numbers: whole.number...line.number, to: source.offset)
        return true
    }

    private func damage(
        _ line: LineSource.Line, _ offset: Int, _ message: String, isCutOff: Bool = false
    ) -> RecordingDamage {
        RecordingDamage(
            line: line.number, byte: line.offset + offset, message: message, isCutOff: isCutOff)
    }
}
