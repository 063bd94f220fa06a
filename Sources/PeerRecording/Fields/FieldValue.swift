// Writes, reads and compares the values of fields in the lines.
import FoundationEssentials
import Glibc
import PeerList

/// A value of a field in the lines.
protocol FieldValue: Sendable {
    /// Writes the value as a member of an object.
    func write(_ key: String, to members: inout JSONObjectWriter)

    /// Reads a value.
    static func read(_ reader: inout JSONReader) throws(JSONError) -> Self

    /// Whether both values are the same in JSON.
    ///
    /// Texts are compared by their bytes, because `"é"` and `"e\u{301}"` are equal
    /// but a list that is folded from the lines must be the list byte for byte.
    func isExactly(_ other: Self) -> Bool

    /// Reduces the old and the new value to the parts that an update line has of them.
    static func reduce(_ was: inout Self, _ now: inout Self)

    /// Replaces the old value in an update line by the new one.
    ///
    /// - Returns: Whether this value was the old one.
    mutating func replace(_ was: Self, by new: Self) -> Bool
}

extension FieldValue {
    static func reduce(_ was: inout Self, _ now: inout Self) {}

    mutating func replace(_ was: Self, by new: Self) -> Bool {
        guard isExactly(was) else { return false }
        self = new
        return true
    }
}

extension FieldValue where Self: Equatable {
    func isExactly(_ other: Self) -> Bool { self == other }
}

// MARK: Single values

extension Bool: FieldValue {
    func write(_ key: String, to members: inout JSONObjectWriter) { members.member(key, self) }

    static func read(_ reader: inout JSONReader) throws(JSONError) -> Bool { try reader.boolean() }
}

extension UInt16: FieldValue {
    func write(_ key: String, to members: inout JSONObjectWriter) { members.member(key, Int(self)) }

    static func read(_ reader: inout JSONReader) throws(JSONError) -> UInt16 {
        guard let number = UInt16(exactly: try reader.integer()) else {
            throw reader.error("a port is from 0 to 65535")
        }
        return number
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

extension Optional: FieldValue where Wrapped: FieldValue {
    func write(_ key: String, to members: inout JSONObjectWriter) {
        guard let self else { return members.member(key, nil as String?) }
        self.write(key, to: &members)
    }

    static func read(_ reader: inout JSONReader) throws(JSONError) -> Wrapped? {
        try reader.null() ? nil : try Wrapped.read(&reader)
    }

    func isExactly(_ other: Wrapped?) -> Bool {
        switch (self, other) {
        case (let left?, let right?): left.isExactly(right)
        case (nil, nil): true
        default: false
        }
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
        guard let source, let value else {
            throw reader.error("an identity has a source and a value")
        }
        return Identity(source: source, value: value)
    }

    func isExactly(_ other: Identity) -> Bool {
        source == other.source && value.isExactly(other.value)
    }
}

extension TXTRecord: FieldValue {
    /// Writes each attribute as a member: text as a string, other bytes in base 64, a key without a value
    /// as `null`.
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
        guard let bytes else { throw reader.error("base64 is missing") }
        return .bytes(Array(bytes))
    }

    /// Whether both have the same attributes in any order.
    func isExactly(_ other: TXTRecord) -> Bool {
        guard pairs.count == other.pairs.count else { return false }
        if pairs.span.isIdentical(to: other.pairs.span) { return true }
        if zip(pairs, other.pairs).allSatisfy({ Self.isExactly($0, $1) }) { return true }
        return pairs.allSatisfy { pair in other.pairs.contains { Self.isExactly($0, pair) } }
    }

    private static func isExactly(_ left: Pair, _ right: Pair) -> Bool {
        guard left.key.isExactly(right.key) else { return false }
        if case .text(let text) = left.value, case .text(let otherText) = right.value {
            return text.isExactly(otherText)
        }
        return left.value == right.value
    }
}

// MARK: Lists

/// An element of a list in a field.
protocol FieldElement: Sendable {
    /// Writes the element.
    func write(to array: inout JSONArrayWriter)

    /// Reads an element.
    static func readElement(_ reader: inout JSONReader) throws(JSONError) -> Self

    /// Whether both elements are the same in JSON.
    func isExactly(_ other: Self) -> Bool

    /// Reduces the old and the new list to the parts that an update line has of them.
    static func reduce(_ was: inout [Self], _ now: inout [Self])

    /// Replaces the old elements in an update line by the new ones.
    ///
    /// - Returns: Whether the list had the old elements.
    static func replace(_ was: [Self], by new: [Self], in list: inout [Self]) -> Bool
}

extension Array: FieldValue where Element: FieldElement {
    func write(_ key: String, to members: inout JSONObjectWriter) {
        members.array(key) { array in for element in self { element.write(to: &array) } }
    }

    static func read(_ reader: inout JSONReader) throws(JSONError) -> [Element] {
        var list: [Element] = []
        try reader.array { reader throws(JSONError) in
            list.append(try Element.readElement(&reader))
        }
        return list
    }

    func isExactly(_ other: [Element]) -> Bool {
        count == other.count && indices.allSatisfy { self[$0].isExactly(other[$0]) }
    }

    static func reduce(_ was: inout [Element], _ now: inout [Element]) {
        Element.reduce(&was, &now)
    }

    mutating func replace(_ was: [Element], by new: [Element]) -> Bool {
        Element.replace(was, by: new, in: &self)
    }
}

extension String: FieldElement {
    func write(to array: inout JSONArrayWriter) { array.element(self) }

    static func readElement(_ reader: inout JSONReader) throws(JSONError) -> String {
        try reader.string()
    }

    static func reduce(_ was: inout [String], _ now: inout [String]) {}

    static func replace(_ was: [String], by new: [String], in list: inout [String]) -> Bool {
        guard list.isExactly(was) else { return false }
        list = new
        return true
    }
}

extension Service: FieldElement {
    func write(to array: inout JSONArrayWriter) { array.object { write(to: &$0) } }

    static func readElement(_ reader: inout JSONReader) throws(JSONError) -> Service {
        var fields = FieldSet(Service.fields, blank)
        try fields.read(&reader)
        return try fields.complete(reader)
    }

    func isExactly(_ other: Service) -> Bool { !Self.fields.contains { $0.differs(self, other) } }

    /// Keeps the services that were added, removed or changed, matched by identifier.
    static func reduce(_ was: inout [Service], _ now: inout [Service]) {
        guard !was.span.isIdentical(to: now.span) else {
            (was, now) = ([], [])
            return
        }
        // By index, because an iterator would copy every service.
        let common = min(was.count, now.count)
        var prefix = 0
        while prefix < common, was[prefix].isExactly(now[prefix]) { prefix += 1 }
        var suffix = 0
        while suffix < common - prefix,
            was[was.count - 1 - suffix].isExactly(now[now.count - 1 - suffix])
        {
            suffix += 1
        }
        let old = was[prefix..<(was.count - suffix)]
        let new = now[prefix..<(now.count - suffix)]
        let oldByID = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let newByID = Dictionary(new.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        now = new.filter { oldByID[$0.id]?.isExactly($0) != true }
        was = old.filter { newByID[$0.id]?.isExactly($0) != true }
    }

    /// Replaces the services that an update line names; the others stay.
    static func replace(_ was: [Service], by new: [Service], in list: inout [Service]) -> Bool {
        for service in was {
            let index = list.sortedIndex(of: service)
            guard list.indices.contains(index), list[index].isExactly(service) else { return false }
            list.remove(at: index)
        }
        for service in new {
            let index = list.sortedIndex(of: service)
            guard !list.indices.contains(index) || list[index].id != service.id else {
                return false
            }
            list.insert(service, at: index)
        }
        return true
    }
}
