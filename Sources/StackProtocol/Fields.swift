// Reads and writes the fields of a message.

/// A value that is one or more fields of a message.
package protocol Field: Hashable, Sendable {
    /// Reads the value.
    ///
    /// - Throws: ``FrameError`` if the bytes are not such a value.
    init(from fields: inout FieldReader) throws(FrameError)

    /// Writes the value; a value that exceeds its limit fails the frame.
    func write(to fields: inout FieldWriter)
}

/// Reads the fields of a frame's body in order.
package struct FieldReader: Sendable {
    private var rest: ArraySlice<UInt8>

    init(_ body: ArraySlice<UInt8>) { rest = body }

    /// Reads the next field.
    mutating func read<F: Field>(_ type: F.Type = F.self) throws(FrameError) -> F {
        try F(from: &self)
    }

    /// Reads bytes, preceded by their number.
    mutating func bytes(atMost limit: Int) throws(FrameError) -> [UInt8] {
        let count = Int(try read(UInt32.self))
        guard count <= limit else { throw .badValue }
        return Array(try next(count))
    }

    /// Reads an address of 4 or 16 bytes, or none.
    mutating func address() throws(FrameError) -> [UInt8] {
        let address = try bytes(atMost: 16)
        guard [0, 4, 16].contains(address.count) else { throw .badValue }
        return address
    }

    /// Reads at most ``FrameLimits/list`` strings, preceded by their number.
    mutating func strings() throws(FrameError) -> [String] {
        let count = Int(try read(UInt8.self))
        guard count <= FrameLimits.list else { throw .badValue }
        var strings: [String] = []
        for _ in 0..<count { strings.append(try read()) }
        return strings
    }

    /// Throws unless all bytes have been read.
    func finish() throws(FrameError) { guard rest.isEmpty else { throw .tooMuch } }

    fileprivate mutating func next(_ count: Int) throws(FrameError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .cutShort }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

/// Writes the fields of a frame's body in order.
package struct FieldWriter: Sendable {
    /// The bytes written so far.
    private(set) var bytes: [UInt8] = []
    /// Whether a field exceeds its limit.
    private(set) var isTooLong = false

    init() {}

    /// Writes fields.
    mutating func write<each F: Field>(_ field: repeat each F) {
        repeat (each field).write(to: &self)
    }

    /// Writes bytes, preceded by their number.
    mutating func write(_ data: [UInt8], atMost limit: Int) {
        if data.count > limit { isTooLong = true }
        write(UInt32(truncatingIfNeeded: data.count))
        bytes += data
    }

    /// Writes at most ``FrameLimits/list`` strings, preceded by their number.
    mutating func write(_ strings: [String]) {
        if strings.count > FrameLimits.list { isTooLong = true }
        write(UInt8(truncatingIfNeeded: strings.count))
        for string in strings { write(string) }
    }

    fileprivate mutating func append(_ more: some Sequence<UInt8>, isTooLong: Bool = false) {
        bytes += more
        if isTooLong { self.isTooLong = true }
    }
}

// MARK: Numbers and strings

extension Field where Self: FixedWidthInteger {
    /// Reads a little-endian number.
    package init(from fields: inout FieldReader) throws(FrameError) {
        self = 0
        for byte in try fields.next(Self.bitWidth / 8).reversed() {
            self = self << 8 | Self(truncatingIfNeeded: byte)
        }
    }

    /// Writes a little-endian number.
    package func write(to fields: inout FieldWriter) {
        fields.append(
            stride(from: 0, to: Self.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: self >> $0) })
    }
}

extension UInt8: Field {}
extension UInt16: Field {}
extension UInt32: Field {}
extension Int32: Field {}

extension Bool: Field {
    /// Reads 0 or 1.
    package init(from fields: inout FieldReader) throws(FrameError) {
        let byte = try fields.read(UInt8.self)
        guard byte <= 1 else { throw .badValue }
        self = byte == 1
    }

    /// Writes 0 or 1.
    package func write(to fields: inout FieldWriter) { fields.write(UInt8(self ? 1 : 0)) }
}

extension String: Field {
    /// Reads at most ``FrameLimits/text`` bytes of UTF-8, preceded by their number.
    package init(from fields: inout FieldReader) throws(FrameError) {
        let count = Int(try fields.read(UInt16.self))
        guard count <= FrameLimits.text else { throw .badValue }
        guard let string = String(validating: try fields.next(count), as: UTF8.self) else {
            throw .badText
        }
        self = string
    }

    /// Writes at most ``FrameLimits/text`` bytes of UTF-8, preceded by their number.
    package func write(to fields: inout FieldWriter) {
        fields.write(UInt16(truncatingIfNeeded: utf8.count))
        fields.append(utf8, isTooLong: utf8.count > FrameLimits.text)
    }
}

// MARK: Limits and errors

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
