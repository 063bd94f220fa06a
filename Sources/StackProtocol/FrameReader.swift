// Cuts what comes through the pipe into messages.

/// Takes bytes as they come, and gives the messages that they make.
///
/// It trusts nothing: what is malformed is an error, after which every call
/// throws that error again. It never holds more than one frame and the bytes
/// that were appended last, however long a frame says that it is.
public struct FrameReader<Message: StackMessage>: Sendable {
    private var bytes: [UInt8] = []
    /// How much of the bytes has been given out.
    private var head = 0
    private var hasGreeted = false
    private var error: FrameError?

    /// Nothing read yet.
    public init() {}

    /// How many bytes wait for the rest of their frame.
    public var waiting: Int { bytes.count - head }

    /// Takes bytes that came; all messages that they complete are to be taken before more come.
    public mutating func append(_ more: some Collection<UInt8>) {
        guard error == nil else { return }
        bytes.removeFirst(head)
        head = 0
        bytes += more
    }

    /// The next message, or `nil` until more bytes have come.
    ///
    /// - Throws: ``FrameError`` for anything that is no message, now and ever after.
    public mutating func next() throws(FrameError) -> Message? {
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
        let count = Int(try length.number(UInt32.self))
        guard count <= FrameLimits.body else { throw .tooLong }
        guard waiting >= 4 + count else { return nil }
        var fields = FieldReader(bytes[head + 4..<head + 4 + count])
        head += 4 + count
        let message = try Message(&fields)
        try fields.finish()
        guard (message.helloVersion != nil) != hasGreeted else { throw .misplacedHello }
        hasGreeted = true
        if let version = message.helloVersion, version != protocolVersion {
            throw .otherVersion(version)
        }
        return message
    }
}
