// Values that are written as JSON, read back and compared.
import FoundationEssentials
import PeerList

/// A value in the lines.
protocol JSONCodable: Sendable {
    func write(to writer: inout JSONWriter)

    static func read(_ reader: inout JSONReader) throws(LineError) -> Self

    /// Whether both values are the same in JSON.
    ///
    /// Texts are compared by their bytes, because `"é"` and `"e\u{301}"` are equal
    /// but a list that is folded from the lines must be the list byte for byte.
    func isExactly(_ other: Self) -> Bool
}

extension JSONCodable where Self: Equatable {
    func isExactly(_ other: Self) -> Bool { self == other }
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
    func write(to writer: inout JSONWriter) { writer.uuid(self) }
    static func read(_ reader: inout JSONReader) throws(LineError) -> UUID {
        if let id = try reader.string(as: UUID.init(text:)) { return id }
        throw reader.error("a UUID was expected")
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
extension PeerListUpdate.Cause: JSONWord { static let noun = "cause" }
extension PeerListUpdate.Departure: JSONWord { static let noun = "reason" }
extension Grouping: JSONWord { static let noun = "groupBy" }
extension AddressFamily: JSONWord { static let noun = "family" }
