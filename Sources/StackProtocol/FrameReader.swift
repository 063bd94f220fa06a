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
