// Lines from a recording's bytes, one at a time.
import Glibc

/// The lines of a recording.
///
/// Memory is bounded by the longest line, and that by ``longestLine``.
final class LineSource {
    /// One line without its line feed.
    struct Line {
        /// Counted from 1.
        var number: Int
        /// Where it begins in the text, in bytes from zero; in a compressed file, once it is unpacked.
        var offset: Int
        var bytes: [UInt8]
        /// Whether it is longer than ``longestLine``, so that only its beginning is here.
        var isTooLong = false
        /// Whether the text ends before its line feed.
        var isCutOff = false
    }

    /// The length in bytes beyond which a line is not kept.
    static let longestLine = 64 << 20

    /// How many lines were given out.
    private(set) var number = 0
    /// Where the next line begins in the text.
    private(set) var offset = 0

    /// Whether the next line can be had without reading more, which may mean waiting.
    var hasLineAtHand: Bool { lineFeed() != nil }

    private let bytes: any ByteSource
    private var buffer: [UInt8] = []
    private var head = 0

    /// The lines of these bytes.
    init(_ bytes: any ByteSource) { self.bytes = bytes }

    /// The next line, or `nil` at the end, which may be the end for now.
    ///
    /// - Throws: `RecordingError` where reading fails, also in the middle of a compressed file that was cut off.
    func next() throws(RecordingError) -> Line? {
        var line = Line(number: number + 1, offset: offset, bytes: [])
        while true {
            if let end = lineFeed() {
                take(upTo: end, into: &line)
                head = end + 1
                offset += 1
                number += 1
                return line
            }
            take(upTo: buffer.count, into: &line)
            head = 0
            buffer = try bytes.read()
            if buffer.isEmpty { break }
        }
        guard offset > line.offset else { return nil }
        line.isCutOff = true
        number += 1
        return line
    }

    /// Takes the bytes that come now for those of another line.
    ///
    /// - Parameters:
    ///   - offset: Where the line begins in the text.
    ///   - number: How many lines stand before it.
    func restart(at offset: Int, after number: Int) {
        (self.offset, self.number) = (offset, number)
        (buffer, head) = ([], 0)
    }

    /// Where the next line feed stands in the buffer.
    private func lineFeed() -> Int? {
        unsafe buffer.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress,
                let found = unsafe memchr(start + head, Int32(newline), bytes.count - head)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - start
        }
    }

    private func take(upTo end: Int, into line: inout Line) {
        offset += end - head
        if line.bytes.count + end - head > Self.longestLine { line.isTooLong = true }
        if !line.isTooLong { line.bytes += buffer[head..<end] }
        head = end
    }
}

private let newline = UInt8(ascii: "\n")
