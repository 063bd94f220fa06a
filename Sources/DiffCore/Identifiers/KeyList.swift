// An array of identifiers, seen as keys where it lies in memory.

/// A view of an array of identifiers as keys, valid while the array is lent.
///
/// - Note: `@safe` because every access is within `count`, which debug builds
///   assert, and because a view is made and used inside `withKeys` alone, where
///   the array cannot go away.
@safe
struct KeyList<K: Key> {
    private let base: UnsafeRawPointer
    let count: Int

    /// A view of memory that holds `count` identifiers laid out as `K` is.
    fileprivate init(base: UnsafeRawPointer, count: Int) {
        unsafe self.base = base
        self.count = count
    }

    /// The key at a place.
    subscript(place: Int) -> K {
        @inline(__always) get {
            assert(place >= 0 && place < count)
            // In bounds by the assertion; laid out as K by `withKeys`.
            return unsafe base.load(fromByteOffset: place &* MemoryLayout<K>.stride, as: K.self)
        }
    }

    /// How many keys from a place on are the same as in another list from another place on.
    ///
    /// - Precondition: Both lists have `limit` keys there.
    func commonRun(at place: Int, with other: KeyList, at otherPlace: Int, limit: Int) -> Int {
        assert(place >= 0 && limit >= 0 && place + limit <= count)
        assert(otherPlace >= 0 && otherPlace + limit <= other.count)
        let stride = MemoryLayout<K>.stride
        if unsafe base + place * stride == other.base + otherPlace * stride { return limit }
        var run = 0
        while run < limit {
            // In bounds by the assertions. Same bytes are the same identifier, also of a type
            // that does not say the reverse.
            run +=
                unsafe commonBytes(
                    after: base + (place + run) * stride,
                    other.base + (otherPlace + run) * stride, count: (limit - run) * stride)
                / stride
            if run == limit || K.isBitwise || self[place + run] != other[otherPlace + run] { break }
            run += 1
        }
        return run
    }

    /// How many keys before an end are the same as before an end of another list.
    ///
    /// - Precondition: Both lists have `limit` keys there.
    func commonRun(before end: Int, with other: KeyList, before otherEnd: Int, limit: Int) -> Int {
        assert(limit >= 0 && end <= count && end - limit >= 0)
        assert(otherEnd <= other.count && otherEnd - limit >= 0)
        let stride = MemoryLayout<K>.stride
        var run = 0
        while run < limit {
            // In bounds by the assertions, as above.
            run +=
                unsafe commonBytes(
                    before: base + (end - run) * stride,
                    other.base + (otherEnd - run) * stride, count: (limit - run) * stride)
                / stride
            if run == limit || K.isBitwise || self[end - run - 1] != other[otherEnd - run - 1] {
                break
            }
            run += 1
        }
        return run
    }
}

/// Lends an array as a list of keys.
///
/// - Precondition: `K` is laid out as `Identifier` is: ``KeyKind`` says which one.
@inline(__always)
func withKeys<Identifier, K: Key, Result>(
    _ identifiers: [Identifier], as type: K.Type, _ body: (KeyList<K>) -> Result
) -> Result {
    assert(MemoryLayout<Identifier>.stride == MemoryLayout<K>.stride)
    return unsafe identifiers.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return withNoKeys(body) }
        assert(Int(bitPattern: base) % MemoryLayout<K>.alignment == 0)
        return body(unsafe KeyList(base: base, count: identifiers.count))
    }
}

/// An identifier of 8 or 16 bytes as a key.
@inline(__always)
func key<Identifier, K: Key & BitwiseCopyable>(_ identifier: Identifier, as type: K.Type) -> K {
    assert(MemoryLayout<Identifier>.size == MemoryLayout<K>.size)
    // Any bytes make a key, and there are as many as it needs.
    return unsafe withUnsafeBytes(of: identifier) { unsafe $0.loadUnaligned(as: K.self) }
}

/// Lends no keys: an empty array may have no memory, and any address will do for it.
private func withNoKeys<K: Key, Result>(_ body: (KeyList<K>) -> Result) -> Result {
    let nothing: UInt8 = 0
    return unsafe withUnsafePointer(to: nothing) { nothing in
        body(unsafe KeyList(base: UnsafeRawPointer(nothing), count: 0))
    }
}
