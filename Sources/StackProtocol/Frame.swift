// The frames of the pipe between the list and the helper process; each frame is a message.

/// The version of the protocol; both sides must have the same, as they are installed together.
package let protocolVersion: UInt16 = 6

/// A message, which is sent as one frame.
///
/// A frame consists of the length of its body in 4 bytes and the body: a byte for the kind of the
/// message, and its fields. Numbers are little-endian; strings and bytes are preceded by their
/// length. The first message of each side is the hello, of kind 1, with the version of the protocol.
package protocol StackMessage: Field {}

extension StackMessage {
    /// Returns the bytes of the message's frame.
    ///
    /// - Throws: ``FrameError/tooLong`` if the message or one of its fields exceeds its limit.
    package func frame() throws(FrameError) -> [UInt8] {
        var body = FieldWriter()
        try write(to: &body)
        guard body.count <= FrameLimits.body else { throw .tooLong }
        var frame = FieldWriter()
        try frame.write(UInt32(body.count))
        return frame + body
    }
}

/// Reads messages from bytes as they arrive.
///
/// The reader does not trust the sender: malformed bytes are an error, which every later call throws
/// again. It stores at most one frame and the bytes that were appended last, whatever length a frame
/// announces.
package struct FrameReader<Message: StackMessage>: Sendable {
    private var bytes: ArraySlice<UInt8> = []
    private var hasGreeted = false

    package init() {}

    /// The number of bytes that wait for the rest of their frame.
    package var waiting: Int { bytes.count }

    /// Appends received bytes; read all messages before appending more.
    package mutating func append(_ more: some Collection<UInt8>) {
        // A new array, without the bytes that have been read.
        bytes = bytes + more
    }

    /// Returns the next message, or `nil` until more bytes are appended.
    ///
    /// - Throws: ``FrameError`` for malformed bytes, now and in all later calls.
    package mutating func next() throws(FrameError) -> Message? {
        var rest = bytes
        guard rest.count >= 4 else { return nil }
        let count = Int(try rest.read(UInt32.self))
        guard count <= FrameLimits.body else { throw .tooLong }
        guard rest.count >= count else { return nil }
        var body = rest.prefix(count)
        let isHello = body.first == 1
        let message = try Message(from: &body)
        guard body.isEmpty else { throw .tooMuch }
        guard isHello != hasGreeted else { throw .misplacedHello }
        hasGreeted = true
        bytes = rest.dropFirst(count)
        return message
    }
}

/// The limits of the stack in the helper process.
package enum StackLimits {
    /// The maximum number of cached records of each interface and family.
    package static let cache = 20_000
}
