// The messages of the pipe between the list and the helper process, one frame each.

/// The version of the protocol; both sides must have the same, as they are installed together.
package let protocolVersion: UInt16 = 3

/// A message, which is sent as one frame.
///
/// A frame consists of the length of its body in 4 bytes and the body: a byte for the kind of the
/// message, and its fields. Numbers are little-endian; strings and bytes are preceded by their
/// length.
package protocol StackMessage: Field {
    /// The version in a hello, or `nil` for other messages.
    var helloVersion: UInt16? { get }
}

extension StackMessage {
    /// Returns the bytes of the message's frame.
    ///
    /// - Throws: ``FrameError/tooLong`` if the message or one of its fields exceeds its limit.
    package func frame() throws(FrameError) -> [UInt8] {
        var body = FieldWriter()
        write(to: &body)
        guard !body.isTooLong, body.bytes.count <= FrameLimits.body else { throw .tooLong }
        var length = FieldWriter()
        length.write(UInt32(body.bytes.count))
        return length.bytes + body.bytes
    }
}

/// The limits of the stack in the helper process.
package enum StackLimits {
    /// The maximum number of cached records of each interface and family.
    package static let cache = 20_000
}
