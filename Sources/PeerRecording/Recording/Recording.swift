// A recording: the lines of a run, or of several, read from front to back.
public import PeerList

/// A part of a recording that cannot be used, and why.
public struct RecordingDamage: Sendable, Equatable, CustomStringConvertible {
    /// The line, counted from 1.
    public let line: Int
    /// The byte of the text at which it was found, counted from zero.
    public let byte: Int
    /// What is wrong.
    public let message: String
    /// Whether it is only that the last line is cut off, as by a power cut: what stands before it is whole.
    public let isCutOff: Bool

    /// Such as `line 12, byte 4711: a colon was expected`.
    public var description: String { "line \(line), byte \(byte): \(message)" }
}

/// A recording that is read one line after the other.
///
/// It is what `--output` or `--json` wrote, plain or compressed by gzip, in a
/// file or on standard input. A line that cannot be read, or does not fit the
/// lines before it, says that something is missing. What follows is passed over
/// up to the next `begin`, which stands for itself.
public final class Recording {
    /// What was read.
    public enum Step: Sendable, Equatable {
        /// A line, which is in ``list`` now.
        case line
        /// A line that cannot be used.
        case damage(RecordingDamage)
    }

    private let source: LineSource
    /// A line that was read and lies behind the limit that was given.
    private var pending: (line: LineSource.Line, read: RecordedLine?)?

    /// The list after the lines so far; empty while ``isLost``.
    public private(set) var list = RecordedList()
    /// Whether lines are missing, so that the list is not known until the next `begin`.
    public private(set) var isLost = false
    /// Whether ``update`` is wanted, which costs as much as all of the reading and more with a long list.
    public var makesUpdates = false
    /// What the line that was taken in last has changed, where ``makesUpdates`` is set.
    public private(set) var update: PeerListUpdate?
    /// The line that was taken in last, as it stands in the text, without its line feed.
    public private(set) var text: [UInt8] = []
    /// The same line, as it was read.
    private(set) var line: RecordedLine?
    /// Its number, counted from 1.
    private(set) var lineNumber = 0
    /// Whether it is a `begin`, with which a run starts, or goes on after an outage.
    public var beginsRun: Bool {
        if case .begin? = line?.content { true } else { false }
    }
    /// What the user was told with it, of a kind that this version knows.
    public var notice: Notice? { line?.notice }

    /// Where the line after the last one begins that was read.
    var offset: Int { source.offset }
    /// Whether another line can be read without waiting.
    public var hasLineAtHand: Bool { source.hasLineAtHand }

    /// The time of the next line, where reading stopped before it because of a limit.
    public var nextTime: Timestamp? { pending?.read?.time }

    /// Opens a recording.
    ///
    /// - Parameters:
    ///   - path: A file, or `-` for standard input.
    ///   - follows: Whether to wait at its end for more.
    /// - Throws: `RecordingError` where it cannot be opened.
    public convenience init(path: String, follows: Bool = false) throws(RecordingError) {
        self.init(try Self.bytes(path, follows: follows))
    }

    /// The bytes of a file or of standard input.
    static func bytes(_ path: String, follows: Bool) throws(RecordingError) -> any ByteSource {
        // Standard input waits for more by itself.
        if follows, path != "-" { return try FollowedBytes(path: path) }
        return try GzipBytes(path: path)
    }

    /// A recording of these bytes.
    init(_ bytes: any ByteSource) { source = LineSource(bytes) }

    /// Goes on from a checkpoint, whose bytes come next.
    func resume(at checkpoint: RecordingCheckpoint) {
        source.restart(at: checkpoint.place.offset, after: checkpoint.place.line)
        (list, isLost, pending) = (checkpoint.list, false, nil)
        (text, line, lineNumber) = ([], nil, checkpoint.place.line)
    }

    /// Reads the next line.
    ///
    /// - Parameters:
    ///   - limit: Reading stops before the first line of a later time.
    ///   - lastLine: Reading stops after the line of this number.
    /// - Returns: What came of it, or `nil` at the end or the limit.
    /// - Throws: `RecordingError` where the file cannot be read on.
    /// - Complexity: O(length of the line + *n*) for *n* items in the list.
    public func next(
        upTo limit: Timestamp? = nil, lastLine: Int = .max
    ) throws(RecordingError) -> Step? {
        while let line = try nextLine() {
            // What lies behind the last line is not even read: it may be damaged.
            if line.number > lastLine { return nil }
            do throws(RecordingDamage) {
                pending = (line, try read(line))
                guard let read = pending?.read else {
                    pending = nil
                    continue
                }
                if read.time > limit ?? read.time { return nil }
                pending = nil
                if try take(read, line) { return .line }
            } catch {
                pending = nil
                // A cut-off line is no part of the recording, and the list before it is known.
                if !error.isCutOff {
                    isLost = true
                    list.forget()
                }
                return .damage(error)
            }
        }
        return nil
    }

    /// The next line that is not blank, as one is that was begun where another was torn.
    private func nextLine() throws(RecordingError) -> LineSource.Line? {
        if let pending { return pending.line }
        while let line = try source.next() {
            guard !line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) else { continue }
            pending = (line, nil)
            return line
        }
        return nil
    }

    /// What a line says; `nil` where lines are missing before it and it cannot be read either.
    private func read(_ line: LineSource.Line) throws(RecordingDamage) -> RecordedLine? {
        if let read = pending?.read { return read }
        if line.isTooLong {
            throw damage(line, 0, "the line is longer than \(LineSource.longestLine >> 20) MiB")
        }
        do throws(JSONError) {
            return try RecordedLine(line.bytes, grouping: list.header?.grouping ?? .device)
        } catch {
            if isLost { return nil }
            if line.isCutOff {
                throw damage(line, line.bytes.count, "the last line is cut off", isCutOff: true)
            }
            let isJSON = error.offset > 0
            throw damage(line, error.offset, isJSON ? error.message : "not JSON, '{' was expected")
        }
    }

    /// Takes a line in; says whether it counts, which between damage and the next `begin` it does not.
    private func take(
        _ read: RecordedLine, _ line: LineSource.Line
    ) throws(RecordingDamage) -> Bool {
        if case .begin = read.content { isLost = false }
        guard !isLost else { return false }
        let before = makesUpdates ? list : nil
        do throws(RecordingMisfit) {
            try list.take(read)
            update = before.flatMap { PeerListUpdate(read, from: $0, to: list) }
            (text, self.line, lineNumber) = (line.bytes, read, line.number)
            return true
        } catch {
            throw damage(line, 0, error.message)
        }
    }

    private func damage(
        _ line: LineSource.Line, _ offset: Int, _ message: String, isCutOff: Bool = false
    ) -> RecordingDamage {
        RecordingDamage(
            line: line.number, byte: line.offset + offset, message: message, isCutOff: isCutOff)
    }
}

extension RecordingDamage: Error {}
