// The bytes of a file or a pipe, unpacked if gzip has compressed them.
import CZlib
import Glibc

/// The bytes of a file or of standard input, compressed by gzip or not.
///
/// Data in a pipe is returned as soon as it arrives; zlib's own reading functions would wait until a buffer is full.
@safe final class GzipBytes: ByteSource {
    private let file: InputFile
    /// Bytes that were read but not yet returned or unpacked.
    private var input: [UInt8] = []
    /// The number of bytes of ``input`` that are unpacked.
    private var used = 0
    /// zlib's state, if the bytes are compressed. It has a fixed address, because zlib stores the
    /// address.
    private var unpacker: UnsafeMutablePointer<z_stream>?
    private var isInMember = false
    private var isFormatKnown = false

    init(path: String) throws(RecordingError) { file = try InputFile(path: path) }

    deinit {
        guard let unpacker = unsafe unpacker else { return }
        unsafe inflateEnd(unpacker)
        unsafe unpacker.deallocate()
    }

    /// The bytes that were read, compressed as they are.
    var readCount: ReadCount { file.readCount }

    func isPlainFile() throws(RecordingError) -> Bool {
        guard file.status.st_mode & S_IFMT == S_IFREG else { return false }
        try detectFormat()
        return unsafe unpacker == nil
    }

    func read() throws(RecordingError) -> [UInt8] {
        try detectFormat()
        if unsafe unpacker != nil { return try unpacked() }
        defer { input = [] }
        return input.isEmpty ? try file.read() : input
    }

    /// Reads the first two bytes, which identify gzip (RFC 1952, section 2.3.1).
    private func detectFormat() throws(RecordingError) {
        guard !isFormatKnown else { return }
        isFormatKnown = true
        while input.count < 2 {
            let more = try file.read()
            if more.isEmpty { break }
            input += more
        }
        guard input.starts(with: [0x1F, 0x8B]) else { return }
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // 16 selects the gzip format, 15 is its largest window.
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(stream, 16 + 15, ZLIB_VERSION, size) == Z_OK else {
            unsafe stream.deallocate()
            throw RecordingError("\(file.name) cannot be unpacked: no memory")
        }
        unsafe unpacker = stream
    }

    private func unpacked() throws(RecordingError) -> [UInt8] {
        while true {
            if used == input.count {
                (input, used) = (try file.read(), 0)
                if input.isEmpty {
                    guard isInMember else { return [] }
                    throw RecordingError("\(file.name) cannot be read: it is cut off")
                }
            }
            let (bytes, code) = inflateSome()
            switch code {
            case Z_OK, Z_BUF_ERROR: isInMember = true
            case Z_STREAM_END:
                // Another member may follow, because concatenated gzip files are a gzip file.
                unsafe _ = unpacker.map { unsafe inflateReset($0) }
                isInMember = false
            default:
                throw RecordingError(
                    "\(file.name) cannot be read: it is damaged where it is compressed")
            }
            if !bytes.isEmpty { return bytes }
        }
    }

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
