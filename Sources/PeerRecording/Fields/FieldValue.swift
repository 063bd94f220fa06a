// Writes, reads and compares the values of fields in the lines.
import FoundationEssentials
import Glibc
import PeerList

/// A value of a field in the lines.
protocol FieldValue: Sendable {
    func write(_ key: String, to members: inout JSONObjectWriter)

    static func read(_ reader: inout JSONReader) throws(JSONError) -> Self

    /// Whether both values are the same in JSON.
    ///
    /// Texts are compared by their bytes, because `"é"` and `"e\u{301}"` are equal
    /// but a list that is folded from the lines must be the list byte for byte.
    func isExactly(_ other: Self) -> Bool
}

extension FieldValue where Self: Equatable {
    func isExactly(_ other: Self) -> Bool { self == other }
}

extension Bool: FieldValue {
    func write(_ key: String, to members: inout JSONObjectWriter) { members.member(key, self) }
    static func read(_ reader: inout JSONReader) throws(JSONError) -> Bool { try reader.boolean() }
}

extension UInt16: FieldValue {
    func write(_ key: String, to members: inout JSONObjectWriter) { members.member(key, Int(self)) }
    static func read(_ reader: inout JSONReader) throws(JSONError) -> UInt16 {
        if let number = UInt16(exactly: try reader.integer()) { return number }
        throw reader.error("a port is from 0 to 65535")
    }
}

extension UUID: FieldValue {
    func write(_ key: String, to members: inout JSONObjectWriter) { members.member(key, self) }
    static func read(_ reader: inout JSONReader) throws(JSONError) -> UUID { try reader.uuid() }
}

extension Timestamp: FieldValue {
    func write(_ key: String, to members: inout JSONObjectWriter) { members.member(key, self) }
    static func read(_ reader: inout JSONReader) throws(JSONError) -> Timestamp {
        try reader.timestamp()
    }
}

extension Presence: FieldValue {
    func write(_ key: String, to members: inout JSONObjectWriter) { members.member(key, rawValue) }
    static func read(_ reader: inout JSONReader) throws(JSONError) -> Presence {
        try reader.word(of: Presence.self, "presence")
    }
}

extension String: FieldValue {
    func write(_ key: String, to members: inout JSONObjectWriter) { members.member(key, self) }
    static func read(_ reader: inout JSONReader) throws(JSONError) -> String { try reader.string() }
    func isExactly(_ other: String) -> Bool {
        let isEqual = unsafe utf8.withContiguousStorageIfAvailable { left in
            unsafe other.utf8.withContiguousStorageIfAvailable { right in
                guard left.count == right.count else { return false }
                guard let from = left.baseAddress, let to = right.baseAddress else { return true }
                return unsafe memcmp(from, to, left.count) == 0
            }
        }
        return isEqual.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
    }
}

extension [String]: FieldValue {
    func write(_ key: String, to members: inout JSONObjectWriter) { members.member(key, self) }
    static func read(_ reader: inout JSONReader) throws(JSONError) -> [String] {
        try reader.strings()
    }
    func isExactly(_ other: [String]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isExactly($1) }
    }
}

extension Optional: FieldValue where Wrapped: FieldValue {
    func write(_ key: String, to members: inout JSONObjectWriter) {
        guard let self else { return members.member(key, nil as String?) }
        self.write(key, to: &members)
    }
    static func read(_ reader: inout JSONReader) throws(JSONError) -> Wrapped? {
        try reader.null() ? nil : try Wrapped.read(&reader)
    }
    func isExactly(_ other: Wrapped?) -> Bool {
        guard let self, let other else { return (self == nil) == (other == nil) }
        return self.isExactly(other)
    }
}

extension Identity: FieldValue {
    func write(_ key: String, to members: inout JSONObjectWriter) {
        members.object(key) { object in
            object.member("source", source.rawValue)
            object.member("value", value)
        }
    }
    static func read(_ reader: inout JSONReader) throws(JSONError) -> Identity {
        var source: Identity.Source?
        var value: String?
        try reader.object { (reader, key) throws(JSONError) in
            switch key {
            case "source": source = try reader.word(of: Identity.Source.self, "identity source")
            case "value": value = try reader.string()
            default: try reader.skip()
            }
        }
        if let source, let value { return Identity(source: source, value: value) }
        throw reader.error("an identity has a source and a value")
    }
    func isExactly(_ other: Identity) -> Bool {
        source == other.source && value.isExactly(other.value)
    }
}

/// A TXT record as an object of its attributes: text as a string, other bytes in base 64, a key without
/// a value as `null`.
extension TXTRecord: FieldValue {
    func write(_ key: String, to members: inout JSONObjectWriter) {
        members.object(key) { object in
            for pair in pairs {
                switch pair.value {
                case .none: object.member(pair.key, nil as String?)
                case .text(let text): object.member(pair.key, text)
                case .bytes(let bytes):
                    object.object(pair.key) {
                        $0.member("base64", Data(bytes).base64EncodedString())
                    }
                }
            }
        }
    }
    static func read(_ reader: inout JSONReader) throws(JSONError) -> TXTRecord {
        var pairs: [Pair] = []
        try reader.object { (reader, key) throws(JSONError) in
            pairs.append(Pair(key: key, value: try readValue(&reader)))
        }
        return TXTRecord(pairs)
    }
    private static func readValue(_ reader: inout JSONReader) throws(JSONError) -> Value {
        if try reader.null() { return .none }
        reader.skipSpace()
        guard reader.peek == "{" else { return .text(try reader.string()) }
        var bytes: Data?
        try reader.object { (reader, key) throws(JSONError) in
            guard key == "base64" else { return try reader.skip() }
            bytes = Data(base64Encoded: try reader.string())
            guard bytes != nil else { throw reader.error("a value is not base 64") }
        }
        if let bytes { return .bytes(Array(bytes)) }
        throw reader.error("base64 is missing")
    }
    func isExactly(_ other: TXTRecord) -> Bool {
        guard pairs.count == other.pairs.count else { return false }
        if pairs.span.isIdentical(to: other.pairs.span) { return true }
        if zip(pairs, other.pairs).allSatisfy({ $0.isExactly($1) }) { return true }
        return pairs.allSatisfy { pair in other.pairs.contains { $0.isExactly(pair) } }
    }
}

extension TXTRecord.Pair {
    fileprivate func isExactly(_ other: TXTRecord.Pair) -> Bool {
        guard key.isExactly(other.key) else { return false }
        if case .text(let text) = value, case .text(let otherText) = other.value {
            return text.isExactly(otherText)
        }
        return value == other.value
    }
}
