// What both directions of the pipe have in common: a message is one frame.

/// The version of the protocol; both sides must speak the same, since they are installed together.
public let protocolVersion: UInt16 = 3

/// A message that goes through the pipe as one frame.
///
/// A frame is the length of its body in 4 bytes, then the body: a byte for the
/// kind of the message, and its fields. Numbers are little-endian, texts and
/// bytes have their length before them.
public protocol StackMessage: Hashable, Sendable {
    /// The version that a hello says, or `nil` for any other message.
    var helloVersion: UInt16? { get }

    /// Reads the fields of a message.
    ///
    /// - Throws: ``FrameError`` where they are not those of any message.
    init(_ fields: inout FieldReader) throws(FrameError)

    /// Writes the fields of the message.
    ///
    /// - Throws: ``FrameError/tooLong`` where one does not fit.
    func write(_ fields: inout FieldWriter) throws(FrameError)
}

extension StackMessage {
    /// The message as it goes through the pipe.
    ///
    /// - Throws: ``FrameError/tooLong`` where it does not fit into a frame.
    public func frame() throws(FrameError) -> [UInt8] {
        var fields = FieldWriter()
        try write(&fields)
        guard fields.bytes.count <= FrameLimits.body else { throw .tooLong }
        var length = FieldWriter()
        length.put(UInt32(fields.bytes.count))
        return length.bytes + fields.bytes
    }
}

/// How long what goes through the pipe may be, in bytes.
public enum FrameLimits {
    /// A frame's body: a TXT record of the longest kind, and names.
    public static let body = 80_000
    /// A TXT record's data, whose length is a number of 16 bits (RFC 1035, section 3.2.1).
    public static let txt = 65_535
    /// A name or another text; a domain name with every byte escaped has 1,013.
    public static let text = 2_048
    /// The strings of a list of texts.
    public static let list = 64
}
