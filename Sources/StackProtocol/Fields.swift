// Reads and writes the fields of a message.

/// The bytes of a frame's body that have not been read yet.
package typealias FieldReader = ArraySlice<UInt8>

/// The bytes of a frame's body that have been written so far.
package typealias FieldWriter = [UInt8]

/// A value that is one or more fields of a message.
package protocol Field: Hashable, Sendable {
    /// Reads the value.
    ///
    /// - Throws: ``FrameError`` if the bytes are not such a value.
    init(from fields: inout FieldReader) throws(FrameError)

    /// Writes the value.
    ///
    /// - Throws: ``FrameError/tooLong`` if the value exceeds its limit.
    func write(to fields: inout FieldWriter) throws(FrameError)
}

extension FieldReader {
    package mutating func read<F: Field>(_ type: F.Type = F.self) throws(FrameError) -> F {
        try F(from: &self)
    }

    package mutating func readAll<each F: Field>() throws(FrameError) -> (repeat each F) {
        (repeat try (each F)(from: &self))
    }

    /// Reads an address of 4 or 16 bytes, or none.
    package mutating func address() throws(FrameError) -> [UInt8] {
        let address = try read([UInt8].self)
        guard [0, 4, 16].contains(address.count) else { throw .badValue }
        return address
    }

    /// Reads a domain name in wire form, whose form is not checked.
    mutating func wireName() throws(FrameError) -> [UInt8] {
        let name = try read([UInt8].self)
        guard 1...FrameLimits.wireName ~= name.count else { throw .badValue }
        return name
    }

    /// Reads the data of a record.
    mutating func record() throws(FrameError) -> [UInt8] {
        let data = try read([UInt8].self)
        guard data.count <= FrameLimits.record else { throw .badValue }
        return data
    }

    /// Reads the version of the other side, which must be this one.
    package mutating func version() throws(FrameError) -> UInt16 {
        let version = try read(UInt16.self)
        guard version == protocolVersion else { throw .otherVersion(version) }
        return version
    }

    fileprivate mutating func next(_ count: Int, atMost limit: Int = .max) throws(FrameError)
        -> ArraySlice<UInt8>
    {
        guard count <= limit else { throw .badValue }
        guard count <= self.count else { throw .cutShort }
        defer { self = dropFirst(count) }
        return prefix(count)
    }
}

extension FieldWriter {
    package mutating func write<each F: Field>(_ field: repeat each F) throws(FrameError) {
        repeat try (each field).write(to: &self)
    }

    /// Writes bytes, preceded by their number.
    fileprivate mutating func write(
        _ bytes: some Collection<UInt8>, after count: some Field, atMost limit: Int
    ) throws(FrameError) {
        guard bytes.count <= limit else { throw .tooLong }
        try count.write(to: &self)
        self += bytes
    }
}

extension Field where Self: FixedWidthInteger {
    /// Reads a little-endian number.
    package init(from fields: inout FieldReader) throws(FrameError) {
        self = 0
        for byte in try fields.next(Self.bitWidth / 8).reversed() {
            self = self << 8 | Self(truncatingIfNeeded: byte)
        }
    }

    package func write(to fields: inout FieldWriter) {
        for shift in stride(from: 0, to: Self.bitWidth, by: 8) {
            fields.append(UInt8(truncatingIfNeeded: self >> shift))
        }
    }
}

extension UInt8: Field {}
extension UInt16: Field {}
extension UInt32: Field {}
extension Int32: Field {}

extension Field where Self: RawRepresentable, RawValue: Field {
    /// Reads a raw value that stands for a value of this type.
    package init(from fields: inout FieldReader) throws(FrameError) {
        let raw = try fields.read(RawValue.self)
        guard let value = Self(rawValue: raw), value.rawValue == raw else { throw .badValue }
        self = value
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        try rawValue.write(to: &fields)
    }
}

extension Bool: Field {
    /// Reads 0 or 1.
    package init(from fields: inout FieldReader) throws(FrameError) {
        let byte = try fields.read(UInt8.self)
        guard byte <= 1 else { throw .badValue }
        self = byte == 1
    }

    package func write(to fields: inout FieldWriter) { fields.append(self ? 1 : 0) }
}

extension [UInt8]: Field {
    /// Reads at most ``FrameLimits/txt`` bytes, preceded by their number.
    package init(from fields: inout FieldReader) throws(FrameError) {
        self = Array(try fields.next(Int(try fields.read(UInt32.self)), atMost: FrameLimits.txt))
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        try fields.write(self, after: UInt32(truncatingIfNeeded: count), atMost: FrameLimits.txt)
    }
}

extension String: Field {
    /// Reads at most ``FrameLimits/text`` bytes of UTF-8, preceded by their number.
    package init(from fields: inout FieldReader) throws(FrameError) {
        let bytes = try fields.next(Int(try fields.read(UInt16.self)), atMost: FrameLimits.text)
        guard let string = String(validating: bytes, as: UTF8.self) else { throw .badText }
        self = string
    }

    package func write(to fields: inout FieldWriter) throws(FrameError) {
        let count = UInt16(truncatingIfNeeded: utf8.count)
        try fields.write(utf8, after: count, atMost: FrameLimits.text)
    }
}

/// The maximum lengths of frames and their fields.
package enum FrameLimits {
    /// The maximum length of a frame's body in bytes: a TXT record of maximum length, and names.
    package static let body = 80_000
    /// The maximum length of a TXT record's data in bytes (RFC 1035, section 3.2.1).
    package static let txt = 65_535
    /// The maximum length of the data of a record that is browsed for, in bytes; longer data is left out.
    package static let record = 1_024
    /// The maximum length of a domain name in wire form, in bytes.
    package static let wireName = 255
    /// The maximum length of a string in bytes; a domain name with every byte escaped has 1,013.
    package static let text = 2_048
    /// The maximum number of subtypes of a service.
    package static let subtypes = 64
}

/// An error in the bytes of the pipe, or a message that exceeds the limits of a frame.
package enum FrameError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong
    case cutShort
    case tooMuch
    case unknownKind(UInt8)
    case badValue
    case badText
    case misplacedHello
    case otherVersion(UInt16)

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
