// Splits the bytes of the pipe into messages.

/// Reads messages from bytes as they arrive.
///
/// The reader does not trust the sender: malformed bytes are an error, which
/// every later call throws again. It stores at most one frame and the bytes that
/// were appended last, whatever length a frame announces.
package struct FrameReader<Message: StackMessage>: Sendable {
    private var bytes: [UInt8] = []
    /// The number of bytes that have been read.
    private var head = 0
    private var hasGreeted = false
    private var error: FrameError?

    package init() {}

    /// The number of bytes that wait for the rest of their frame.
    package var waiting: Int { bytes.count - head }

    /// Appends received bytes; read all messages before appending more.
    package mutating func append(_ more: some Collection<UInt8>) {
        guard error == nil else { return }
        bytes.removeFirst(head)
        head = 0
        bytes += more
    }

    /// Returns the next message, or `nil` until more bytes are appended.
    ///
    /// - Throws: ``FrameError`` for malformed bytes, now and in all later calls.
    package mutating func next() throws(FrameError) -> Message? {
        if let error { throw error }
        do throws(FrameError) {
            return try read()
        } catch {
            self.error = error
            bytes = []
            head = 0
            throw error
        }
    }

    private mutating func read() throws(FrameError) -> Message? {
        guard waiting >= 4 else { return nil }
        var length = FieldReader(bytes[head..<head + 4])
        let count = Int(try length.read(UInt32.self))
        guard count <= FrameLimits.body else { throw .tooLong }
        guard waiting >= 4 + count else { return nil }
        var fields = FieldReader(bytes[head + 4..<head + 4 + count])
        head += 4 + count
        let message = try Message(from: &fields)
        try fields.finish()
        guard (message.helloVersion != nil) != hasGreeted else { throw .misplacedHello }
        hasGreeted = true
        if let version = message.helloVersion, version != protocolVersion {
            throw .otherVersion(version)
        }
        return message
    }
}

/// An error in the bytes of the pipe, or a message that exceeds the limits of a frame.
package enum FrameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A frame or a field exceeds its maximum length.
    case tooLong
    /// A frame ends within a field.
    case cutShort
    /// A frame continues after its last field.
    case tooMuch
    /// No message has this kind.
    case unknownKind(UInt8)
    /// A field has an invalid value.
    case badValue
    /// A string is not UTF-8.
    case badText
    /// The first frame is not a hello, or another frame is one.
    case misplacedHello
    /// The other side has another version of the protocol.
    case otherVersion(UInt16)

    /// A short description of the error.
    package var description: String {
        switch self {
        case .tooLong: "a frame is too long"
        case .cutShort: "a frame is cut short"
        case .tooMuch: "a frame has bytes after its last field"
        case .unknownKind(let kind): "a frame is of the unknown kind \(kind)"
        case .badValue: "a frame has an invalid value"
        case .badText: "a frame has text that is not UTF-8"
        case .misplacedHello: "the first frame is not a hello, or another one is"
        case .otherVersion(let version): "the other side speaks version \(version)"
        }
    }
}
