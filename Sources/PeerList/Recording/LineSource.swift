// Lines from a file or a pipe, compressed or not, one at a time.
import CZlib
import Glibc

/// A recording that cannot be opened or read.
public struct RecordingError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, with the name of the recording.
    public let description: String

    /// An error with this text.
    public init(_ description: String) { self.description = description }
}

/// The lines of a recording.
///
/// Memory is bounded by the longest line, and that by ``longestLine``.
@safe final class LineSource {
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

    private let name: String
    private let file: gzFile
    private var buffer: [UInt8] = []
    private var head = 0
    private var number = 0
    private var offset = 0

    /// The lines of a file, or of standard input for `-`.
    ///
    /// - Throws: `RecordingError` where it cannot be opened.
    init(path: String) throws(RecordingError) {
        name = path == "-" ? "standard input" : path
        let descriptor = path == "-" ? dup(STDIN_FILENO) : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw RecordingError(
                "\(name) cannot be opened: \(unsafe String(cString: strerror(errno)))")
        }
        guard let opened = unsafe gzdopen(descriptor, "rb") else {
            close(descriptor)
            throw RecordingError("\(name) cannot be read: no memory")
        }
        unsafe file = opened
        unsafe gzbuffer(opened, 128 << 10)
    }

    deinit { unsafe _ = gzclose(file) }

    /// The next line, or `nil` at the end.
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
            guard try fill() else { break }
        }
        guard offset > line.offset else { return nil }
        line.isCutOff = true
        number += 1
        return line
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

    /// Reads some more; `false` at the end.
    private func fill() throws(RecordingError) -> Bool {
        head = 0
        buffer = unsafe [UInt8](unsafeUninitializedCapacity: 64 << 10) { space, count in
            count = unsafe Int(gzread(file, space.baseAddress, UInt32(space.count)))
            if count < 0 { count = 0 }
        }
        if !buffer.isEmpty { return true }
        var code: Int32 = 0
        let message = unsafe gzerror(file, &code)
        guard code == Z_OK || code == Z_STREAM_END else {
            // zlib knows nothing of what the system said.
            let text =
                unsafe code == Z_ERRNO ? strerror(errno) : UnsafeMutablePointer(mutating: message)
            let reason = unsafe text.map { unsafe String(cString: $0) } ?? "error \(code)"
            throw RecordingError("\(name) cannot be read: \(reason)")
        }
        return false
    }
}

private let newline = UInt8(ascii: "\n")
