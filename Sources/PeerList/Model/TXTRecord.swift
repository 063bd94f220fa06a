// The key/value pairs of a TXT record, in wire order.

/// The attributes of a service (RFC 6763, section 6).
///
/// Keys are compared without regard to ASCII case, and of equal keys the first
/// one counts. The order is that of the record and is not part of equality:
/// daemons before avahi 0.9 turn it round.
public struct TXTRecord: Sendable {
    /// What stands behind a key.
    public enum Value: Sendable, Hashable {
        /// No `=` at all: the key alone says it.
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
        /// What stands behind it.
        public var value: Value

        /// A key and what stands behind it.
        public init(key: String, value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// The attributes in wire order, each key once.
    public private(set) var pairs: [Pair]

    /// The record of these attributes; of equal keys the first one counts.
    public init(_ pairs: [Pair] = []) {
        var seen: Set<String> = []
        self.pairs = pairs.filter { seen.insert($0.key.lowercased()).inserted }
    }

    /// The value of a key, compared without regard to case; `nil` where there is no such key.
    ///
    /// - Complexity: O(*n*), where *n* is the number of attributes.
    public subscript(_ key: String) -> Value? {
        let wanted = key.lowercased()
        return pairs.first { $0.key.lowercased() == wanted }?.value
    }
}

extension TXTRecord: Hashable {
    /// Whether both hold the same attributes, in whatever order.
    public static func == (left: TXTRecord, right: TXTRecord) -> Bool {
        left.pairs == right.pairs
            || (left.pairs.count == right.pairs.count && Set(left.pairs) == Set(right.pairs))
    }

    /// Hashes the attributes, in whatever order.
    public func hash(into hasher: inout Hasher) { hasher.combine(Set(pairs)) }
}
