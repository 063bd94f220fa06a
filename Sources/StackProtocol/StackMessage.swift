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

/// The maximum lengths of frames and their fields.
package enum FrameLimits {
    /// The maximum length of a frame's body in bytes: a TXT record of maximum length, and names.
    package static let body = 80_000
    /// The maximum length of a TXT record's data in bytes (RFC 1035, section 3.2.1).
    package static let txt = 65_535
    /// The maximum length of a string in bytes; a domain name with every byte escaped has 1,013.
    package static let text = 2_048
    /// The maximum number of strings in a list.
    package static let list = 64
}

/// The limits of the stack in the helper process.
package enum StackLimits {
    /// The maximum number of cached records of each interface and family.
    package static let cache = 20_000
}
