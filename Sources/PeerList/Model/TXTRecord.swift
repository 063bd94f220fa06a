// The key/value pairs of a TXT record, in wire order.

/// The attributes of a service (RFC 6763, section 6).
///
/// Keys are compared without regard to ASCII case, and of equal keys the first
/// one counts. The order is that of the record and is not part of equality:
/// daemons before avahi 0.9 turn it round.
public struct TXTRecord: Sendable {
    /// So many attributes of what is announced are kept; nobody honest has as many.
    public static let attributeLimit = 256

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
        self.pairs = pairs
        guard !areFewAndDistinct(pairs) else { return }
        var seen: Set<String> = []
        self.pairs.removeAll { !seen.insert($0.key.lowercased()).inserted }
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

/// Whether these are a few attributes with ASCII keys, as nearly all are, and none is there twice.
///
/// Comparing each key with each takes less time than hashing them.
private func areFewAndDistinct(_ pairs: [TXTRecord.Pair]) -> Bool {
    guard pairs.count <= 12 else { return false }
    return pairs.indices.allSatisfy { place in
        let key = pairs[place].key.utf8
        return key.allSatisfy { $0 < 0x80 }
            && !pairs[..<place].contains { isSame($0.key.utf8, key) }
    }
}

/// Whether two texts are the same but for the case of ASCII letters.
private func isSame(_ left: String.UTF8View, _ right: String.UTF8View) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { folded($0) == folded($1) }
}

/// An ASCII letter in lower case, any other byte as it is.
private func folded(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
