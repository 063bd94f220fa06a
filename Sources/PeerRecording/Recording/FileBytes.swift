// The bytes of a file that can be read from any place: for going back and forth in a recording.
import Glibc

/// The bytes of a file from a place of choice up to an end that may be moved on.
final class FileBytes: ByteSource {
    private let descriptor: Int32
    private let name: String
    /// Where the next bytes are read.
    var offset = 0
    /// What lies behind is not read.
    var end = 0

    /// The bytes of a file.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - name: What to call it in an error.
    /// - Throws: `RecordingError` where it cannot be opened.
    init(path: String, name: String) throws(RecordingError) {
        self.name = name
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw RecordingError(refusing: name, "cannot be opened") }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func read() throws(RecordingError) -> [UInt8] {
        let wanted = min(64 << 10, end - offset)
        guard wanted > 0 else { return [] }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { space, count in
            count = max(0, unsafe pread(descriptor, space.baseAddress, wanted, offset))
        }
        guard !bytes.isEmpty else {
            throw RecordingError("\(name) is shorter than it was, or cannot be read any more")
        }
        offset += bytes.count
        return bytes
    }
}
