// Values that are written as JSON, read back and compared.
import FoundationEssentials
import PeerModel

/// A value in the lines.
protocol JSONCodable: Sendable {
    func write(to writer: inout JSONWriter)

    static func read(_ reader: inout JSONReader) throws(LineError) -> Self

    /// Whether both values are the same in JSON.
    ///
    /// Texts are compared by their bytes: `"é"` and `"e\u{301}"` are equal strings, but the list
    /// that is folded from the lines must be the original byte for byte.
    func isExactly(_ other: Self) -> Bool
}

extension JSONCodable where Self: Equatable {
    func isExactly(_ other: Self) -> Bool { self == other }
}

extension JSONWriter {
    /// Writes a member that is a string or `null`.
    package mutating func member(_ key: String, _ value: String?) { write(key, value) }

    /// Writes a member that is an integer or `null`.
    package mutating func member(_ key: String, _ value: Int?) { write(key, value) }

    /// Writes a member that is `true` or `false`.
    package mutating func member(_ key: String, _ value: Bool) { write(key, value) }

    /// Writes a member that is an array of strings.
    package mutating func member(_ key: String, _ values: [String]) { write(key, values) }

    /// Writes a member that is an array of integers.
    package mutating func member(_ key: String, _ values: [Int]) { write(key, values) }

    /// Writes a member that is an array of arrays of integers.
    package mutating func member(_ key: String, _ rows: [[Int]]) { write(key, rows) }

    /// Writes an element that is an array of strings.
    package mutating func strings(_ values: [String]) { element(values) }

    mutating func write(_ key: String, _ value: some JSONCodable) {
        self.key(key)
        value.write(to: &self)
        needsComma = true
    }

    /// Writes a member with its key as the bytes of `"key":`, which need no search for escapes.
    mutating func write(label: [UInt8], _ value: some JSONCodable) {
        key(label: label)
        value.write(to: &self)
        needsComma = true
    }

    mutating func element(_ value: some JSONCodable) {
        separate()
        value.write(to: &self)
        needsComma = true
    }
}

extension Bool: JSONCodable {
    func write(to writer: inout JSONWriter) { writer.append(plain: self ? "true" : "false") }
    static func read(_ reader: inout JSONReader) throws(LineError) -> Bool { try reader.boolean() }
}

extension Int: JSONCodable {
    func write(to writer: inout JSONWriter) { writer.append(plain: String(self)) }
    static func read(_ reader: inout JSONReader) throws(LineError) -> Int { try reader.integer() }
}

/// A port.
extension UInt16: JSONCodable {
    func write(to writer: inout JSONWriter) { writer.append(plain: String(self)) }
    static func read(_ reader: inout JSONReader) throws(LineError) -> UInt16 {
        if let number = UInt16(exactly: try reader.integer()) { return number }
        throw reader.error("a port is from 0 to 65535")
    }
}

extension UUID: JSONCodable {
    /// Writes the UUID in lower case.
    func write(to writer: inout JSONWriter) {
        var text = [38 of UInt8](repeating: UInt8(ascii: "-"))
        text[0] = UInt8(ascii: "\"")
        text[37] = UInt8(ascii: "\"")
        unsafe withUnsafeBytes(of: uuid) { octets in
            var position = 1
            for index in octets.indices {
                if index == 4 || index == 6 || index == 8 || index == 10 { position += 1 }
                text[position] = unsafe hexDigit(UInt32(octets[index] >> 4))
                text[position + 1] = unsafe hexDigit(UInt32(octets[index] & 0xF))
                position += 2
            }
        }
        writer.append(plain: text.span)
    }

    static func read(_ reader: inout JSONReader) throws(LineError) -> UUID {
        if let id = try reader.string(as: UUID.init(text:)) { return id }
        throw reader.error("a UUID was expected")
    }

    /// Parses the 36 characters of a UUID (RFC 9562, section 4). Foundation takes eight times as long.
    private init?(text: Span<UInt8>) {
        guard text.count == 36 else { return nil }
        var value: UInt128 = 0
        for index in text.indices {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard text[index] == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = hexValue(text[index]) else { return nil }
                value = value << 4 | UInt128(digit)
            }
        }
        self.init(uuid: unsafe unsafeBitCast(value.bigEndian, to: uuid_t.self))
    }
}

extension Timestamp: JSONCodable {
    func write(to writer: inout JSONWriter) {
        writer.append("\"")
        writer.append(plain: utf8.span)
        writer.append("\"")
    }
    static func read(_ reader: inout JSONReader) throws(LineError) -> Timestamp {
        if let time = try reader.string(as: Timestamp.init(text:)) { return time }
        throw reader.error("a time such as 2026-11-21T08:30:00.000125Z was expected")
    }
}

extension String: JSONCodable {
    func write(to writer: inout JSONWriter) { writer.string(self) }
    static func read(_ reader: inout JSONReader) throws(LineError) -> String { try reader.string() }
    func isExactly(_ other: String) -> Bool {
        let (left, right) = (utf8Span.span, other.utf8Span.span)
        guard left.count == right.count else { return false }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }
}

extension Array: JSONCodable where Element: JSONCodable {
    func write(to writer: inout JSONWriter) {
        writer.array { array in for element in self { array.element(element) } }
    }
    static func read(_ reader: inout JSONReader) throws(LineError) -> [Element] {
        var elements: [Element] = []
        try reader.array { reader throws(LineError) in elements.append(try Element.read(&reader)) }
        return elements
    }
    func isExactly(_ other: [Element]) -> Bool {
        // By index, because an iterator would copy every element.
        count == other.count && indices.allSatisfy { self[$0].isExactly(other[$0]) }
    }
}

extension Optional: JSONCodable where Wrapped: JSONCodable {
    func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.append(plain: "null") }
    }
    static func read(_ reader: inout JSONReader) throws(LineError) -> Wrapped? {
        try reader.null() ? nil : try Wrapped.read(&reader)
    }
    func isExactly(_ other: Wrapped?) -> Bool {
        guard let self, let other else { return (self == nil) == (other == nil) }
        return self.isExactly(other)
    }
}

/// An enumeration that is written as its raw value.
protocol JSONWord: JSONCodable, RawRepresentable<String>, Equatable {
    /// The name of the enumeration in errors.
    static var noun: String { get }
}

extension JSONWord {
    func write(to writer: inout JSONWriter) { writer.string(rawValue) }
    static func read(_ reader: inout JSONReader) throws(LineError) -> Self {
        if let word = Self(rawValue: try reader.string()) { return word }
        throw reader.error("an unknown \(noun)")
    }
}

extension Presence: JSONWord { static let noun = "presence" }
extension Identity.Source: JSONWord { static let noun = "identity source" }
extension DiscoveryProtocol: JSONWord { static let noun = "protocol" }
extension VouchingRule: JSONWord { static let noun = "rule of vouchedBy" }
extension Reach: JSONWord { static let noun = "reach" }
extension DeviceKind: JSONWord { static let noun = "kind" }
extension PeerListUpdate.Cause: JSONWord { static let noun = "cause" }
extension Departure: JSONWord { static let noun = "reason" }
extension Grouping: JSONWord { static let noun = "groupBy" }
extension AddressFamily: JSONWord { static let noun = "family" }
