// The key/value pairs of a TXT record.

/// The attributes of a service (RFC 6763, section 6).
///
/// Keys are compared without regard to case; of equal keys the first counts. The order of the attributes is kept but
/// does not affect equality, because daemons before avahi 0.9 reverse it.
public struct TXTRecord: Sendable {
    /// The maximum number of attributes kept of a received record.
    public static let attributeLimit = 256

    /// The value of an attribute.
    public enum Value: Sendable, Hashable {
        /// A key without `=`.
        case none
        /// A value that is valid UTF-8.
        case text(String)
        /// Any other bytes.
        case bytes([UInt8])
    }

    /// One attribute.
    public struct Pair: Sendable, Hashable {
        /// The key, as announced.
        public var key: String
        /// The value of the key.
        public var value: Value

        /// Creates an attribute.
        public init(key: String, value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// The attributes in wire order. Records are a large part of a list's memory, and as arrays of strings they
    /// would take three times as much.
    private let packed: PackedAttributes

    /// The attributes in wire order, each key once.
    ///
    /// - Complexity: O(*n*) for a record of *n* bytes.
    public var pairs: [Pair] { packed.pairs }

    /// Calls a function with the key, the kind of value and the value of each attribute, in wire order.
    ///
    /// Keys, and values that are text, are UTF-8. No memory is allocated.
    package func forEachAttribute(_ body: (Span<UInt8>, AttributeKind, Span<UInt8>) -> Void) {
        packed.forEach(body)
    }

    /// The approximate memory that the record takes, in bytes.
    package var footprint: Int {
        var sum = 0
        forEachAttribute { key, _, value in sum += 64 + key.count + value.count }
        return sum
    }

    /// The kinds of values.
    package enum AttributeKind: UInt8 { case none, text, bytes }

    /// Creates a record of attributes; of equal keys the first counts.
    public init(_ pairs: [Pair] = []) {
        // Nearly all records have so few keys that comparing all pairs is faster than hashing.
        let keys = pairs.map { $0.key.lowercased() }
        if keys.count <= 12, keys.indices.allSatisfy({ !keys[..<$0].contains(keys[$0]) }) {
            packed = PackedAttributes(pairs)
            return
        }
        var seen: Set<String> = []
        packed = PackedAttributes(pairs.filter { seen.insert($0.key.lowercased()).inserted })
    }

    /// Parses the data of a record: strings, each preceded by a byte for its length (RFC 6763, section 6.1). A
    /// string that is cut short is ignored.
    package init(data: [UInt8]) {
        var strings: [[UInt8]] = []
        var rest = data[...]
        while let length = rest.popFirst(), rest.count >= length {
            strings.append(Array(rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
        self.init(strings: strings)
    }

    /// Parses the strings of a record, in wire order (RFC 6763, sections 6.3 and 6.4).
    ///
    /// A string is `key=value`, or `key` alone. Strings without a key, such as `=value`, are ignored, and
    /// so are all strings after the first ``attributeLimit`` attributes.
    public init(strings: [[UInt8]]) {
        let pairs = strings.lazy.compactMap { string -> Pair? in
            let key = string.prefix { $0 != 0x3d }
            guard !key.isEmpty else { return nil }
            let rest = string[key.endIndex...].dropFirst()
            let text = String(validating: rest, as: UTF8.self)
            let value = text.map(Value.text) ?? .bytes(Array(rest))
            return Pair(
                key: String(decoding: key, as: UTF8.self),
                value: key.count == string.count ? .none : value)
        }
        self.init(Array(pairs.prefix(Self.attributeLimit)))
    }

    /// The value of a key, compared without regard to case; `nil` if there is no such key.
    public subscript(_ key: String) -> Value? {
        let wanted = key.lowercased()
        return pairs.first { $0.key.lowercased() == wanted }?.value
    }
}

extension TXTRecord: Hashable {
    /// Whether both records have the same attributes in any order.
    public static func == (left: TXTRecord, right: TXTRecord) -> Bool {
        if left.hasSameBytes(as: right) { return true }
        let (left, right) = (left.pairs, right.pairs)
        return left.count == right.count && Set(left) == Set(right)
    }

    /// Whether both records have the same attributes in the same order, byte by byte.
    package func hasSameBytes(as other: TXTRecord) -> Bool { packed == other.packed }

    /// Hashes the attributes regardless of their order.
    public func hash(into hasher: inout Hasher) { hasher.combine(Set(pairs)) }
}

/// Attributes in one buffer: for each, its kind, the sizes of its key and value, and their bytes.
private struct PackedAttributes: Sendable, Equatable {
    private typealias Kind = TXTRecord.AttributeKind

    private var buffer: [UInt8] = []

    init(_ pairs: [TXTRecord.Pair]) {
        let sizes = pairs.map { pair in
            switch pair.value {
            case .none: pair.key.utf8.count
            case .text(let text): pair.key.utf8.count + text.utf8.count
            case .bytes(let bytes): pair.key.utf8.count + bytes.count
            }
        }
        buffer.reserveCapacity(sizes.reduce(0) { $0 + 3 + $1 })
        for pair in pairs {
            switch pair.value {
            case .none: append(.none, pair.key.utf8, EmptyCollection())
            case .text(let text): append(.text, pair.key.utf8, text.utf8)
            case .bytes(let bytes): append(.bytes, pair.key.utf8, bytes)
            }
        }
    }

    private mutating func append(
        _ kind: Kind, _ key: String.UTF8View, _ value: some Collection<UInt8>
    ) {
        buffer.append(kind.rawValue)
        append(size: key.count)
        append(size: value.count)
        buffer.append(contentsOf: key)
        buffer.append(contentsOf: value)
    }

    /// Appends a size, nearly always in one byte.
    private mutating func append(size: Int) {
        buffer.append(UInt8(clamping: size))
        guard size >= UInt8.max else { return }
        for shift in stride(from: 0, to: Int.bitWidth, by: 8) {
            buffer.append(UInt8(truncatingIfNeeded: size >> shift))
        }
    }

    var pairs: [TXTRecord.Pair] {
        var pairs: [TXTRecord.Pair] = []
        forEach { key, kind, value in
            let content: TXTRecord.Value =
                switch kind {
                case .none: .none
                case .text: .text(Self.text(value))
                case .bytes: .bytes(unsafe value.withUnsafeBufferPointer { unsafe Array($0) })
                }
            pairs.append(TXTRecord.Pair(key: Self.text(key), value: content))
        }
        return pairs
    }

    func forEach(_ body: (Span<UInt8>, TXTRecord.AttributeKind, Span<UInt8>) -> Void) {
        let bytes = buffer.span
        var offset = 0
        while offset < bytes.count, let kind = Kind(rawValue: bytes[offset]) {
            offset += 1
            let key = Self.size(in: bytes, &offset)
            let value = Self.size(in: bytes, &offset)
            let start = offset + key
            offset = start + value
            body(bytes.extracting(start - key..<start), kind, bytes.extracting(start..<offset))
        }
    }

    private static func size(in bytes: Span<UInt8>, _ offset: inout Int) -> Int {
        let size = bytes[offset]
        offset += 1
        guard size == .max else { return Int(size) }
        let end = offset + Int.bitWidth / 8
        defer { offset = end }
        return (offset..<end).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) }
    }

    private static func text(_ bytes: Span<UInt8>) -> String {
        unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
