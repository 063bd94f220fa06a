// An array of identifiers, seen as keys where it lies in memory.

/// The memory of an array of identifiers of whatever type, valid while the array is lent.
///
/// - Note: `@safe` because nothing can be done with it but to see it as keys.
@safe
@usableFromInline
struct LentIdentifiers {
    fileprivate let base: UnsafeRawPointer
    fileprivate let count: Int
    /// The size of an identifier, with what lies between it and the next.
    fileprivate let stride: Int

    /// The memory of `count` identifiers.
    @usableFromInline
    init(base: UnsafeRawPointer, count: Int, stride: Int) {
        unsafe self.base = base
        self.count = count
        self.stride = stride
    }
}

/// Lends an array, so that code which knows nothing of the identifiers' type can work on it.
@inlinable
func lend<Identifier, Result>(
    _ identifiers: [Identifier], _ body: (LentIdentifiers) -> Result
) -> Result {
    unsafe identifiers.withUnsafeBytes { bytes in
        let stride = MemoryLayout<Identifier>.stride
        guard let base = bytes.baseAddress else {
            // An empty array may have no memory: any address will do for no identifiers.
            let nothing: UInt8 = 0
            return unsafe withUnsafeBytes(of: nothing) { nothing in
                let base = unsafe nothing.baseAddress.unsafelyUnwrapped
                return body(unsafe LentIdentifiers(base: base, count: 0, stride: stride))
            }
        }
        return body(unsafe LentIdentifiers(base: base, count: identifiers.count, stride: stride))
    }
}

/// Lends a single identifier.
@inlinable
func lend<Identifier, Result>(
    one identifier: Identifier, _ body: (LentIdentifiers) -> Result
) -> Result {
    unsafe withUnsafePointer(to: identifier) { pointer in
        let base = unsafe UnsafeRawPointer(pointer)
        let stride = MemoryLayout<Identifier>.stride
        return body(unsafe LentIdentifiers(base: base, count: 1, stride: stride))
    }
}

/// A view of lent identifiers as keys.
///
/// - Note: `@safe` because every access is within `count`, which debug builds
///   assert, and because identifiers are lent inside `lend` alone, where the
///   array cannot go away.
@safe
struct KeyList<K: Key & ~Copyable>: HashedList {
    private let base: UnsafeRawPointer
    let count: Int

    /// A view of identifiers that are laid out as `K` is, as ``KeyKind`` says.
    init(_ identifiers: LentIdentifiers) {
        assert(identifiers.stride == MemoryLayout<K>.stride)
        unsafe base = identifiers.base
        count = identifiers.count
    }

    /// The same identifiers as bytes.
    var bytes: ByteList {
        unsafe ByteList(
            base: base, count: count, size: MemoryLayout<K>.size, stride: MemoryLayout<K>.stride)
    }

    /// Where keys are the same without their bytes being so, as equal strings in memory of their own
    /// are, so are the next ones mostly: so many are compared as keys before bytes are tried again.
    private var keysInBlock: Int { 64 }

    /// The keys where they lie: to copy one would count its references.
    private var keys: UnsafePointer<K> {
        // Laid out as K by `init`; what is lent is only read.
        @inline(__always) get { unsafe base.assumingMemoryBound(to: K.self) }
    }

    @inline(__always)
    func hash(at place: Int, seeds: HashSeeds) -> Int {
        assert(place >= 0 && place < count)
        // In bounds by the assertion.
        return unsafe keys[place].hash(seeds: seeds)
    }

    @inline(__always)
    func isSame(at place: Int, as other: KeyList, at otherPlace: Int) -> Bool {
        assert(place >= 0 && place < count && otherPlace >= 0 && otherPlace < other.count)
        // In bounds by the assertion.
        return unsafe keys[place].isSame(as: other.keys[otherPlace])
    }

    /// Whether a key has the same bytes as one of another list, and so is the same.
    ///
    /// Of keys that are no more than bytes, the reverse is true as well.
    @inline(__always)
    func hasSameBytes(at place: Int, as other: KeyList, at otherPlace: Int) -> Bool {
        assert(place >= 0 && place < count && otherPlace >= 0 && otherPlace < other.count)
        let stride = MemoryLayout<K>.stride
        // In bounds by the assertion.
        let (left, right) = unsafe (base + place &* stride, other.base + otherPlace &* stride)
        return unsafe haveSameBytes(left, right, count: stride)
    }

    /// The first place in a range whose key has the same bytes as one of another list.
    @inline(__always)
    func firstPlace(in range: Range<Int>, withBytesOf other: KeyList, at otherPlace: Int) -> Int? {
        for place in range where hasSameBytes(at: place, as: other, at: otherPlace) {
            return place
        }
        return nil
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
            if K.isBitwise { break }
            let blockEnd = min(limit, run + keysInBlock)
            while run < blockEnd, isSame(at: place + run, as: other, at: otherPlace + run) {
                run += 1
            }
            if run < blockEnd { break }
        }
        return run
    }

    /// The same where most runs are short: a few steps are taken before the long strides.
    @inline(__always)
    func shortOrLongRun(
        at place: Int, with other: KeyList, at otherPlace: Int, limit: Int
    ) -> Int {
        var run = 0
        while run < min(limit, 6) {
            guard isSame(at: place + run, as: other, at: otherPlace + run) else { return run }
            run += 1
        }
        return run
            + commonRun(at: place + run, with: other, at: otherPlace + run, limit: limit - run)
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
            if K.isBitwise { break }
            let blockEnd = min(limit, run + keysInBlock)
            while run < blockEnd, isSame(at: end - run - 1, as: other, at: otherEnd - run - 1) {
                run += 1
            }
            if run < blockEnd { break }
        }
        return run
    }
}
