// The bytes of a recording: from a file that can be read again, or copied to one.
import Glibc
import PeerCapture
import PeerSystem
import Synchronization

/// A recording that cannot be opened or read.
public struct RecordingError: Error, Equatable, CustomStringConvertible {
    /// The error with the name of the recording.
    public let description: String

    /// An error with this text.
    public init(_ description: String) { self.description = description }
}

/// A part of a recording that cannot be used, and the reason.
public struct RecordingDamage: Error, Sendable, Equatable, CustomStringConvertible {
    /// The number of the line, or of the packet in a capture, from 1.
    public let line: Int
    /// The offset in the text, or in the capture, in bytes.
    public let byte: Int
    /// A description of the damage.
    public let message: String
    /// Whether only the last line is incomplete, as after a power failure; the list before it is whole.
    public let isCutOff: Bool
    /// Whether the damage is in a capture.
    private let isOfCapture: Bool

    init(line: Int, byte: Int, message: String, isCutOff: Bool) {
        (self.line, self.byte, self.message, self.isCutOff) = (line, byte, message, isCutOff)
        isOfCapture = false
    }

    init(at place: CapturePosition, _ message: String, isCutOff: Bool) {
        (line, byte) = (place.packet, place.offset)
        (self.message, self.isCutOff, isOfCapture) = (message, isCutOff, true)
    }

    /// Such as `line 12, byte 4711: a colon was expected`, or `packet 12, byte 4711: …`.
    public var description: String {
        "\(isOfCapture ? "packet" : "line") \(line), byte \(byte): \(message)"
    }
}

/// Returns the name of a recording for messages: its path, `standard input` for `-`, and the given name of a file that
/// is only in memory.
package func recordingName(ofPath path: String) -> String {
    guard path.hasPrefix("/proc/self/fd/") else { return path == "-" ? "standard input" : path }
    var target = [CChar](repeating: 0, count: 64)
    let count = unsafe readlink(path, &target, target.count)
    let bytes = target.prefix(max(0, count)).map(UInt8.init(bitPattern:))
    let name = String(decoding: bytes, as: UTF8.self)
    return name.wholeMatch(of: /\/memfd:(.*) \(deleted\)/).map { String($0.1) } ?? path
}

/// A source of a recording's bytes, from front to back.
package protocol ByteSource: AnyObject {
    /// Returns the next bytes, or none at the end.
    func read() throws(RecordingError) -> [UInt8]
}

/// The number of bytes that were read of a file so far, for any thread.
package final class ReadCount: Sendable {
    /// The size of a regular file; `nil` for a pipe.
    package let all: Int?
    private let count = Atomic(0)

    fileprivate init(_ status: stat) {
        all = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    package var read: Int { count.load(ordering: .relaxed) }

    fileprivate func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }
}

/// A file or pipe that is open for reading, from front to back or in a window.
final class InputFile: ByteSource {
    let descriptor: Int32
    let name: String
    /// The range of the file to read; `nil` to read from the descriptor's own offset.
    var window: Range<Int>?

    private(set) lazy var readCount = ReadCount(status)

    private static let blockSize = 64 << 10

    /// Opens a file, or duplicates standard input for `-`.
    init(path: String, name: String? = nil, window: Range<Int>? = nil) throws(RecordingError) {
        self.name = name ?? recordingName(ofPath: path)
        self.window = window
        descriptor = path == "-" ? dup(STDIN_FILENO) : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("cannot be opened") }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The file's status; all zeros if that is unknown.
    var status: stat {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status : stat()
    }

    func read() throws(RecordingError) -> [UInt8] {
        let wanted = min(window?.count ?? Self.blockSize, Self.blockSize)
        guard wanted > 0 else { return [] }
        var got = -1
        repeat {
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { space, count in
                got =
                    if let window {
                        unsafe pread(descriptor, space.baseAddress, wanted, window.lowerBound)
                    } else {
                        unsafe Glibc.read(descriptor, space.baseAddress, wanted)
                    }
                count = max(0, got)
            }
            guard got >= 0 else { continue }
            readCount.add(got)
            if let window {
                guard got > 0 else {
                    throw RecordingError(
                        "\(name) is shorter than it was, or cannot be read any more")
                }
                self.window = window.lowerBound + got..<window.upperBound
            }
            return bytes
        } while errno == EINTR
        throw failure("cannot be read")
    }

    func failure(_ what: String) -> RecordingError {
        RecordingError("\(name) \(what): \(unsafe String(cString: strerror(errno)))")
    }
}

/// The bytes of another source, copied to an unnamed temporary file so that they can be read again.
///
/// A pipe cannot be read twice, and a compressed file only from its start. The
/// copy uses as much disk space as the text is long, and is deleted with the process.
final class SpooledBytes: ByteSource {
    private let source: any ByteSource
    private let descriptor: Int32

    /// The path at which this process can open the copy.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// The bytes of another source, copied to `$TMPDIR`, else to `/var/tmp`.
    init(_ source: any ByteSource) throws(RecordingError) {
        self.source = source
        let folder = environmentVariable("TMPDIR") ?? "/var/tmp"
        var name = Array("\(folder)/peerlist-XXXXXX".utf8CString)
        descriptor = unsafe mkstemp(&name)
        guard descriptor >= 0 else { throw Self.failure(folder, code: errno) }
        unsafe unlink(name)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func read() throws(RecordingError) -> [UInt8] {
        let text = try source.read()
        if let code = writeAll(text, to: descriptor) { throw Self.failure("its place", code: code) }
        return text
    }

    private static func failure(_ place: String, code: Int32) -> RecordingError {
        let reason = unsafe String(cString: strerror(code))
        return RecordingError(
            """
            a copy of what is read cannot be written to \(place): \(reason); name another folder \
            in TMPDIR
            """)
    }
}
