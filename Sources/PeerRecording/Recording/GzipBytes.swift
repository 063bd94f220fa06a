// The bytes of a file or a pipe, unpacked where they are compressed.
import CZlib
import Glibc

/// The bytes of a file or of standard input, compressed by gzip or not.
///
/// What a pipe holds is given at once: zlib's own reading waits until a buffer is full.
@safe final class GzipBytes: ByteSource {
    private let name: String
    private let descriptor: Int32
    /// Bytes that were read to see whether they are compressed, or that wait to be unpacked.
    private var input: [UInt8] = []
    private var used = 0
    /// What unpacks, if anything is to be; it stays where it is, because zlib remembers its place.
    private var unpacker: UnsafeMutablePointer<z_stream>?
    private var isInMember = false
    private var isKnown = false

    /// The bytes of a file, or of standard input for `-`.
    ///
    /// - Throws: `RecordingError` where it cannot be opened.
    init(path: String) throws(RecordingError) {
        name = path == "-" ? "standard input" : path
        descriptor = path == "-" ? dup(STDIN_FILENO) : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw RecordingError(refusing: name, "cannot be opened") }
    }

    deinit {
        if let unpacker = unsafe unpacker {
            unsafe inflateEnd(unpacker)
            unsafe unpacker.deallocate()
        }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether it is a file, from its beginning on, that is not compressed.
    func isPlainFile() throws(RecordingError) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return false
        }
        try lookAtBeginning()
        return unsafe unpacker == nil
    }

    func read() throws(RecordingError) -> [UInt8] {
        try lookAtBeginning()
        if unsafe unpacker != nil { return try unpacked() }
        defer { input = [] }
        return input.isEmpty ? try readOn() : input
    }

    /// Reads what the first two bytes are, by which gzip is known (RFC 1952, section 2.3.1).
    private func lookAtBeginning() throws(RecordingError) {
        guard !isKnown else { return }
        isKnown = true
        while input.count < 2 {
            let more = try readOn()
            if more.isEmpty { break }
            input += more
        }
        guard input.starts(with: [0x1F, 0x8B]) else { return }
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // 16 says that it is gzip's format, 15 is its greatest window.
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(stream, 16 + 15, ZLIB_VERSION, size) == Z_OK else {
            unsafe stream.deallocate()
            throw RecordingError("\(name) cannot be unpacked: no memory")
        }
        unsafe unpacker = stream
    }

    /// What the file or the pipe has, at once.
    private func readOn() throws(RecordingError) -> [UInt8] {
        while true {
            var code: Int32 = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64 << 10) { space, count in
                let got = unsafe Glibc.read(descriptor, space.baseAddress, space.count)
                if got < 0 { code = errno }
                count = max(0, got)
            }
            if code == 0 { return bytes }
            guard code == EINTR else {
                errno = code
                throw RecordingError(refusing: name, "cannot be read")
            }
        }
    }

    private func unpacked() throws(RecordingError) -> [UInt8] {
        while true {
            if used == input.count {
                (input, used) = (try readOn(), 0)
                if input.isEmpty {
                    guard !isInMember else {
                        throw RecordingError("\(name) cannot be read: it is cut off")
                    }
                    return []
                }
            }
            let (bytes, code) = inflateSome()
            switch code {
            case Z_OK, Z_BUF_ERROR: isInMember = true
            case Z_STREAM_END:
                // Another member may follow, as gzip joins them.
                unsafe _ = unpacker.map { unsafe inflateReset($0) }
                isInMember = false
            default:
                throw RecordingError("\(name) cannot be read: it is damaged where it is compressed")
            }
            if !bytes.isEmpty { return bytes }
        }
    }

    /// Unpacks some of the input.
    private func inflateSome() -> (bytes: [UInt8], code: Int32) {
        guard let stream = unsafe unpacker else { return ([], Z_STREAM_ERROR) }
        var code = Z_OK
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64 << 10) { space, count in
            unsafe input.withUnsafeMutableBufferPointer { packed in
                unsafe stream.pointee.next_in = packed.baseAddress?.advanced(by: used)
                unsafe stream.pointee.avail_in = UInt32(packed.count - used)
                unsafe stream.pointee.next_out = space.baseAddress
                unsafe stream.pointee.avail_out = UInt32(space.count)
                code = unsafe inflate(stream, Z_NO_FLUSH)
                used = unsafe packed.count - Int(stream.pointee.avail_in)
            }
            count = unsafe space.count - Int(stream.pointee.avail_out)
        }
        return (bytes, code)
    }
}
