// A copy of bytes that pass by only once, so that there is going back in them.
import Glibc

/// The bytes of another source, which are also written to a file without a name.
///
/// A pipe cannot be read again, and a compressed file only from its beginning.
/// The copy takes as much of the disk as the text is long; it is gone with the process.
final class SpooledBytes: ByteSource {
    private let bytes: any ByteSource
    private let descriptor: Int32

    /// Where the copy can be opened, by this process alone.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// The bytes of another source, with a copy in `$TMPDIR`, else in `/var/tmp`.
    ///
    /// - Throws: `RecordingError` where no file can be made.
    init(_ bytes: any ByteSource) throws(RecordingError) {
        self.bytes = bytes
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/var/tmp"
        var name = Array("\(folder)/peerlist-XXXXXX".utf8CString)
        descriptor = unsafe mkstemp(&name)
        guard descriptor >= 0 else { throw refusal(folder) }
        unsafe unlink(name)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func read() throws(RecordingError) -> [UInt8] {
        let text = try bytes.read()
        var rest = text[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe write(descriptor, $0.baseAddress, $0.count)
            }
            guard count >= 0 || errno == EINTR else { throw refusal("its place") }
            rest = rest.dropFirst(max(0, count))
        }
        return text
    }
}

private func refusal(_ place: String) -> RecordingError {
    RecordingError(
        """
        a copy of what is read cannot be written to \(place): \
        \(unsafe String(cString: strerror(errno))); name another folder in TMPDIR
        """)
}
