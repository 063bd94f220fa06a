// Views of identifiers in memory as keys that can be hashed and compared.

// The C library, for `memcmp`.
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WASILibc)
    import WASILibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(ucrt)
    import ucrt
#endif

/// The memory of an array of identifiers of any type; valid while the array is borrowed.
///
/// - Note: `@safe` because its only use is to make a `KeyBuffer`.
@safe
@usableFromInline
struct BorrowedIdentifiers {
    fileprivate let base: UnsafeRawPointer?
    let count: Int
    /// The distance in bytes from an identifier to the next.
    fileprivate let stride: Int

    @usableFromInline
    init(base: UnsafeRawPointer?, count: Int, stride: Int) {
        unsafe self.base = base
        self.count = count
        self.stride = stride
    }
}

extension BorrowedIdentifiers {
    /// Whether a range of identifiers has the same bytes as the identifiers of the same type from an index
    /// of another array on.
    func hasSameBytes(_ range: Range<Int>, as other: BorrowedIdentifiers, at index: Int) -> Bool {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        precondition(index >= 0 && index + range.count <= other.count && stride == other.stride)
        guard !range.isEmpty, let own = unsafe base, let others = unsafe other.base else {
            return true
        }
        // In bounds by the preconditions.
        return unsafe memcmp(
            own + range.lowerBound * stride, others + index * stride, range.count * stride) == 0
    }
}

/// Calls a closure with the memory of an array, for code that is not compiled for its element type.
@inlinable
func withBorrowedIdentifiers<Identifier, Result>(
    _ identifiers: [Identifier], _ body: (BorrowedIdentifiers) -> Result
) -> Result {
    unsafe identifiers.withUnsafeBytes { bytes in
        body(
            unsafe BorrowedIdentifiers(
                base: bytes.baseAddress, count: identifiers.count,
                stride: MemoryLayout<Identifier>.stride))
    }
}

/// Calls a closure with the memory of a single identifier.
@inlinable
func withBorrowedIdentifier<Identifier, Result>(
    _ identifier: Identifier, _ body: (BorrowedIdentifiers) -> Result
) -> Result {
    unsafe withUnsafePointer(to: identifier) { pointer in
        body(
            unsafe BorrowedIdentifiers(
                base: pointer, count: 1, stride: MemoryLayout<Identifier>.stride))
    }
}

/// A view of borrowed identifiers as keys.
///
/// - Note: `@safe` because debug builds assert that every access is within `count`, and because the
///   array outlives the closure that it is passed to.
@safe
struct KeyBuffer<K: Key & ~Copyable> {
    private let base: UnsafeRawPointer
    let count: Int

    /// A view of identifiers with the memory layout of `K`, which ``KeyKind`` decides.
    init(_ identifiers: BorrowedIdentifiers) {
        assert(identifiers.stride == MemoryLayout<K>.stride)
        // An empty array may have no memory; any address will do for no identifiers.
        let nowhere = unsafe UnsafeRawPointer(bitPattern: MemoryLayout<K>.alignment)
        unsafe base = (identifiers.base ?? nowhere).unsafelyUnwrapped
        count = identifiers.count
    }

    /// The keys in memory, which are never copied, because that would count references.
    private var keys: UnsafePointer<K> {
        // Laid out as K by `init`, and only read.
        @inline(__always) get { unsafe base.assumingMemoryBound(to: K.self) }
    }

    @inline(__always)
    func hash(at index: Int, seeds: HashSeeds) -> Int {
        assert(index >= 0 && index < count)
        // In bounds by the assertion.
        return unsafe keys[index].hash(seeds: seeds)
    }

    @inline(__always)
    func isSame(at index: Int, as other: KeyBuffer, at otherIndex: Int) -> Bool {
        // Equal bytes are the same identifier of any type. In bounds by the assertion in `hasSameBytes`.
        unsafe hasSameBytes(at: index, as: other, at: otherIndex)
            || keys[index].isSame(as: other.keys[otherIndex])
    }

    /// Whether two keys have the same bytes, without padding at their end, so that they are the same.
    @inline(__always)
    func hasSameBytes(at index: Int, as other: KeyBuffer, at otherIndex: Int) -> Bool {
        assert(index >= 0 && index < count && otherIndex >= 0 && otherIndex < other.count)
        let stride = MemoryLayout<K>.stride
        // In bounds by the assertion.
        return unsafe DiffCore.hasSameBytes(
            base + index &* stride, other.base + otherIndex &* stride, MemoryLayout<K>.size)
    }
}

/// Whether two values of `size` bytes have the same bytes; faster than `memcmp` for few bytes.
@inline(__always)
private func hasSameBytes(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ size: Int
) -> Bool {
    var offset = 0
    while offset &+ 8 <= size {
        let word = unsafe left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        guard unsafe word == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else {
            return false
        }
        offset &+= 8
    }
    while offset < size {
        let byte = unsafe left.load(fromByteOffset: offset, as: UInt8.self)
        guard unsafe byte == right.load(fromByteOffset: offset, as: UInt8.self) else {
            return false
        }
        offset &+= 1
    }
    return true
}

// MARK: Common prefixes and suffixes

/// The number of keys whose bytes are compared at once.
private let blockSize = 64

extension KeyBuffer where K: ~Copyable {
    /// Returns the length of the common prefix of this list from an index on and another list, or of
    /// their common suffix before two ends.
    ///
    /// Blocks of keys are compared as memory. If the bytes of a block differ, its keys are compared
    /// one by one, because the same string may be in separate memory, and padding may differ.
    ///
    /// - Precondition: Both lists have `limit` keys there.
    func commonCount(
        _ index: Int, with other: KeyBuffer, _ otherIndex: Int, limit: Int, backwards: Bool = false
    ) -> Int {
        if unsafe base == other.base, index == otherIndex { return limit }
        let stride = MemoryLayout<K>.stride
        var done = 0
        while done < limit {
            let count = min(blockSize, limit &- done)
            let offset = backwards ? 0 &- done &- count : done
            let (own, others) = (index &+ offset, otherIndex &+ offset)
            assert(own >= 0 && own + count <= self.count)
            assert(others >= 0 && others + count <= other.count)
            // In bounds by the assertions. Equal bytes are the same identifier of any type.
            if unsafe memcmp(base + own &* stride, other.base + others &* stride, count &* stride)
                == 0
            {
                done &+= count
                continue
            }
            for number in 0..<count {
                let key = backwards ? count &- 1 &- number : number
                guard isSame(at: own &+ key, as: other, at: others &+ key) else { return done }
                done &+= 1
            }
        }
        return done
    }
}
