// A recording: the lines of a run, or of several, read from front to back.

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

    /// Whether reading stopped before a line of a later time than was asked for.
    public private(set) var endedEarly = false

    /// The list after the lines so far; of no use while ``isLost``.
    public private(set) var list = RecordedList()
    /// Whether lines are missing, so that the list is not known until the next `begin`.
    public private(set) var isLost = false

    /// Opens a recording.
    ///
    /// - Parameter path: A file, or `-` for standard input.
    /// - Throws: `RecordingError` where it cannot be opened.
    public init(path: String) throws(RecordingError) { source = try LineSource(path: path) }

    /// Reads the next line.
    ///
    /// - Parameter limit: Where reading stops for good: before the first line of a later time.
    /// - Returns: What came of it, or `nil` at the end.
    /// - Throws: `RecordingError` where the file cannot be read on.
    /// - Complexity: O(length of the line + *n*) for *n* items in the list.
    public func next(upTo limit: Timestamp? = nil) throws(RecordingError) -> Step? {
        while !endedEarly, let line = try source.next() {
            guard !isBlank(line.bytes) else { continue }
            do throws(RecordingDamage) {
                guard let read = try read(line) else { continue }
                if let limit, read.time > limit {
                    endedEarly = true
                    break
                }
                if try take(read, line) { return .line }
            } catch {
                // A cut-off line is no part of the recording, and the list before it is known.
                if !error.isCutOff { isLost = true }
                return .damage(error)
            }
        }
        return nil
    }

    /// What a line says; `nil` where lines are missing before it and it cannot be read either.
    private func read(_ line: LineSource.Line) throws(RecordingDamage) -> RecordedLine? {
        if line.isTooLong {
            throw damage(line, 0, "the line is longer than \(LineSource.longestLine >> 20) MiB")
        }
        do throws(JSONError) {
            return try RecordedLine(line.bytes, grouping: list.header?.grouping ?? .device)
        } catch {
            if isLost { return nil }
            if line.isCutOff {
                throw damage(line, line.bytes.count, "the last line is cut off")
            }
            throw damage(line, error.offset, error.message)
        }
    }

    /// Takes a line in; says whether it counts, which between damage and the next `begin` it does not.
    private func take(
        _ read: RecordedLine, _ line: LineSource.Line
    ) throws(RecordingDamage) -> Bool {
        if case .begin = read.content { isLost = false }
        guard !isLost else { return false }
        do throws(RecordingMisfit) {
            try list.take(read)
            return true
        } catch {
            throw damage(line, 0, error.message)
        }
    }

    private func damage(
        _ line: LineSource.Line, _ offset: Int, _ message: String
    ) -> RecordingDamage {
        RecordingDamage(
            line: line.number, byte: line.offset + offset, message: message,
            isCutOff: line.isCutOff)
    }
}

/// Whether a line holds nothing, as one does that was begun where another was torn.
private func isBlank(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x0D } }

extension RecordingDamage: Error {}
