// The key/value pairs of a TXT record.

/// The attributes of a service (RFC 6763, section 6).
///
/// Keys are compared without regard to case; of equal keys the first counts. The order of the record
/// is kept but does not affect equality, because daemons before avahi 0.9 reverse it.
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

    /// The attributes in wire order, each key once.
    public private(set) var pairs: [Pair]

    /// Creates a record of attributes; of equal keys the first counts.
    public init(_ pairs: [Pair] = []) {
        self.pairs = pairs
        // Nearly all records have so few keys that comparing all pairs is faster than hashing.
        let keys = pairs.map { $0.key.lowercased() }
        if keys.count <= 12, keys.indices.allSatisfy({ !keys[..<$0].contains(keys[$0]) }) { return }
        var seen: Set<String> = []
        self.pairs.removeAll { !seen.insert($0.key.lowercased()).inserted }
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
        left.pairs == right.pairs
            || (left.pairs.count == right.pairs.count && Set(left.pairs) == Set(right.pairs))
    }

    /// Hashes the attributes regardless of their order.
    public func hash(into hasher: inout Hasher) { hasher.combine(Set(pairs)) }
}
