// The bytes of a file or a pipe, unpacked where they are compressed.
import CZlib
import Glibc

/// The bytes of a file or of standard input, compressed by gzip or not.
@safe final class GzipBytes: ByteSource {
    private let name: String
    private let file: gzFile

    /// The bytes of a file, or of standard input for `-`.
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

    /// Whether it is a file with a name that is not compressed.
    var isPlainFile: Bool {
        var status = stat()
        return unsafe gzdirect(file) == 1 && stat(name, &status) == 0
            && status.st_mode & S_IFMT == S_IFREG
    }

    func read() throws(RecordingError) -> [UInt8] {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64 << 10) { space, count in
            count = max(0, unsafe Int(gzread(file, space.baseAddress, UInt32(space.count))))
        }
        if bytes.isEmpty { try check() }
        return bytes
    }

    /// Throws what went wrong, if anything did.
    private func check() throws(RecordingError) {
        var code: Int32 = 0
        let message = unsafe gzerror(file, &code)
        guard code != Z_OK, code != Z_STREAM_END else { return }
        // zlib knows nothing of what the system said.
        let text =
            unsafe code == Z_ERRNO ? strerror(errno) : UnsafeMutablePointer(mutating: message)
        let reason = unsafe text.map { unsafe String(cString: $0) } ?? "error \(code)"
        throw RecordingError("\(name) cannot be read: \(reason)")
    }
}
