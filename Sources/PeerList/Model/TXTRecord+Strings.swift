// From the strings of a TXT record to keys and values.

extension TXTRecord {
    /// The record of these strings, in wire order (RFC 6763, sections 6.3 and 6.4).
    ///
    /// A string is `key=value`, or `key` alone; one without a key, such as
    /// `=value`, says nothing and is passed over, and so is what comes after the
    /// first ``attributeLimit`` ones.
    public init(strings: [[UInt8]]) {
        let pairs = strings.lazy.compactMap { string -> Pair? in
            let key = string.prefix { $0 != 0x3d }
            guard !key.isEmpty else { return nil }
            let value = string.dropFirst(key.count)
            return Pair(key: String(decoding: key, as: UTF8.self), value: Value(value))
        }
        self.init(Array(pairs.prefix(Self.attributeLimit)))
    }
}

extension TXTRecord.Value {
    /// What stands behind a key: nothing, or `=` and the value.
    fileprivate init(_ rest: ArraySlice<UInt8>) {
        guard let equals = rest.first, equals == 0x3d else {
            self = .none
            return
        }
        let bytes = rest.dropFirst()
        self = String(validating: bytes, as: UTF8.self).map(Self.text) ?? .bytes(Array(bytes))
    }
}
