// Splits a recording's bytes into lines, unless they are a capture.
import Glibc

/// The lines of a recording; one line at a time is in memory.
final class LineSource {
    /// One line without its line feed.
    struct Line {
        var number: Int
        /// The offset of the line's first byte in the text; in the unpacked text of a compressed
        /// file.
        var offset: Int
        var bytes: [UInt8]
        /// Whether the line is longer than ``longestLine``, so that ``bytes`` is only its start.
        var isTooLong = false
        /// Whether the text ends before its line feed.
        var isCutOff = false
    }

    static let longestLine = 64 << 20

    private var number = 0
    private(set) var offset = 0

    /// Whether the next line can be returned without reading, which may wait.
    var hasBufferedLine: Bool { lineFeed() != nil }

    private let bytes: any ByteSource
    private var buffer: [UInt8] = []
    private var head = 0

    init(_ bytes: any ByteSource) { self.bytes = bytes }

    func next() throws(RecordingError) -> Line? {
        var line = Line(number: number + 1, offset: offset, bytes: [])
        while true {
            if let end = lineFeed() {
                move(upTo: end, into: &line)
                head = end + 1
                offset += 1
                number += 1
                return line
            }
            move(upTo: buffer.count, into: &line)
            head = 0
            buffer = try bytes.read()
            if buffer.isEmpty { break }
        }
        guard offset > line.offset else { return nil }
        line.isCutOff = true
        number += 1
        return line
    }

    /// Returns the next bytes, at least `count` of them unless there are fewer, and leaves them where they are.
    func start(_ count: Int) throws(RecordingError) -> [UInt8] {
        while buffer.count - head < count {
            let more = try bytes.read()
            if more.isEmpty { break }
            buffer += more
        }
        return Array(buffer[head...].prefix(count))
    }

    /// Returns the next bytes, or none at the end.
    func nextBytes() throws(RecordingError) -> [UInt8] {
        if head == buffer.count { (buffer, head) = (try bytes.read(), 0) }
        defer { (buffer, head) = ([], 0) }
        offset += buffer.count - head
        return head == 0 ? buffer : Array(buffer[head...])
    }

    /// Discards buffered bytes and continues after another line; the source must return the bytes
    /// after that line next.
    func restart(at offset: Int, after number: Int) {
        (self.offset, self.number) = (offset, number)
        (buffer, head) = ([], 0)
    }

    private func lineFeed() -> Int? {
        unsafe buffer.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress,
                let found = unsafe memchr(start + head, Int32(newline), bytes.count - head)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - start
        }
    }

    private func move(upTo end: Int, into line: inout Line) {
        offset += end - head
        if line.bytes.count + end - head > Self.longestLine { line.isTooLong = true }
        if !line.isTooLong { line.bytes += buffer[head..<end] }
        head = end
    }
}

let newline = UInt8(ascii: "\n")
