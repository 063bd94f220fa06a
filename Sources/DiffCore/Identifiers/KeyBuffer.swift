// Views of identifiers in memory as keys that can be hashed and compared.
import Glibc

/// The memory of an array of identifiers of any type, valid while the array is borrowed.
///
/// - Note: `@safe` because its only use is to make a `KeyBuffer`.
@safe
@usableFromInline
struct BorrowedIdentifiers {
    fileprivate let base: UnsafeRawPointer
    fileprivate let count: Int
    /// The distance in bytes from an identifier to the next.
    fileprivate let stride: Int

    @usableFromInline
    init(base: UnsafeRawPointer, count: Int, stride: Int) {
        unsafe self.base = base
        self.count = count
        self.stride = stride
    }
}

/// Calls a closure with the memory of an array, for code that is not compiled for its element type.
@inlinable
func withBorrowedIdentifiers<Identifier, Result>(
    _ identifiers: [Identifier], _ body: (BorrowedIdentifiers) -> Result
) -> Result {
    unsafe identifiers.withUnsafeBytes { bytes in
        let stride = MemoryLayout<Identifier>.stride
        guard let base = bytes.baseAddress else {
            // An empty array may have no memory; any address will do for no identifiers.
            let nothing: UInt8 = 0
            return unsafe withUnsafeBytes(of: nothing) { nothing in
                let base = unsafe nothing.baseAddress.unsafelyUnwrapped
                return body(unsafe BorrowedIdentifiers(base: base, count: 0, stride: stride))
            }
        }
        return body(
            unsafe BorrowedIdentifiers(base: base, count: identifiers.count, stride: stride))
    }
}

/// Calls a closure with the memory of a single identifier.
@inlinable
func withBorrowedIdentifier<Identifier, Result>(
    _ identifier: Identifier, _ body: (BorrowedIdentifiers) -> Result
) -> Result {
    unsafe withUnsafePointer(to: identifier) { pointer in
        let base = unsafe UnsafeRawPointer(pointer)
        let stride = MemoryLayout<Identifier>.stride
        return body(unsafe BorrowedIdentifiers(base: base, count: 1, stride: stride))
    }
}

/// A view of identifiers that a hash table can be made of.
protocol HashableBuffer {
    /// The number of identifiers.
    var count: Int { get }

    /// Returns the hash of the identifier at an index.
    func hash(at index: Int, seeds: HashSeeds) -> Int

    /// Whether an identifier is the same as one of another view.
    func isSame(at index: Int, as other: Self, at otherIndex: Int) -> Bool
}

/// A view of borrowed identifiers as keys.
///
/// - Note: `@safe` because debug builds assert that every access is within `count`, and because the
///   array outlives the closure that it is passed to.
@safe
struct KeyBuffer<K: Key & ~Copyable>: HashableBuffer {
    private let base: UnsafeRawPointer
    let count: Int

    /// A view of identifiers with the memory layout of `K`, which ``KeyKind`` decides.
    init(_ identifiers: BorrowedIdentifiers) {
        assert(identifiers.stride == MemoryLayout<K>.stride)
        unsafe base = identifiers.base
        count = identifiers.count
    }

    /// The same identifiers as bytes.
    var bytes: ByteBuffer {
        unsafe ByteBuffer(base: base, count: count, size: MemoryLayout<K>.size, stride: stride)
    }

    private var stride: Int { MemoryLayout<K>.stride }

    /// The keys in memory: copying one would count its references.
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
        assert(index >= 0 && index < count && otherIndex >= 0 && otherIndex < other.count)
        // In bounds by the assertion.
        return unsafe keys[index].isSame(as: other.keys[otherIndex])
    }
}

/// A view of borrowed identifiers as bytes: equal bytes are the same identifier, but others may be
/// too.
///
/// - Note: `@safe` for the same reasons as `KeyBuffer`.
@safe
struct ByteBuffer: HashableBuffer {
    private let base: UnsafeRawPointer
    let count: Int
    /// The number of bytes of an identifier.
    private let size: Int
    /// The distance in bytes from an identifier to the next.
    private let stride: Int

    fileprivate init(base: UnsafeRawPointer, count: Int, size: Int, stride: Int) {
        unsafe self.base = base
        self.count = count
        self.size = size
        self.stride = stride
    }

    @inline(__always)
    func hash(at index: Int, seeds: HashSeeds) -> Int {
        assert(index >= 0 && index < count)
        // In bounds by the assertion, and within the identifier by the conditions.
        let bytes = unsafe base + index &* stride
        var state = seeds.first
        var offset = 0
        while offset &+ 8 <= size {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            state = foldedProduct(state ^ word, seeds.second)
            offset &+= 8
        }
        var rest: UInt64 = 0
        while offset < size {
            rest = rest << 8 | UInt64(unsafe bytes.load(fromByteOffset: offset, as: UInt8.self))
            offset &+= 1
        }
        return mix(state ^ rest, seeds.second)
    }

    @inline(__always)
    func isSame(at index: Int, as other: ByteBuffer, at otherIndex: Int) -> Bool {
        assert(index >= 0 && index < count && otherIndex >= 0 && otherIndex < other.count)
        // In bounds by the assertion.
        return unsafe memcmp(base + index &* stride, other.base + otherIndex &* stride, size) == 0
    }
}

// MARK: Common prefixes and suffixes

/// The number of keys that are compared one by one where their bytes differ, before bytes are
/// compared again: equal strings in separate buffers tend to come in runs.
private let keysPerBlock = 64

extension KeyBuffer where K: ~Copyable {
    /// Returns how many keys from an index on are the same as in another list.
    ///
    /// - Precondition: Both lists have `limit` keys there.
    func commonPrefix(from index: Int, with other: KeyBuffer, from otherIndex: Int, limit: Int)
        -> Int
    {
        assert(index >= 0 && limit >= 0 && index + limit <= count)
        assert(otherIndex >= 0 && otherIndex + limit <= other.count)
        if unsafe base + index * stride == other.base + otherIndex * stride { return limit }
        var length = 0
        while length < limit {
            // In bounds by the assertions. Equal bytes are the same identifier of any type.
            length +=
                unsafe commonBytes(
                    after: base + (index + length) * stride,
                    other.base + (otherIndex + length) * stride, count: (limit - length) * stride)
                / stride
            if K.isBitwise { break }
            let blockEnd = min(limit, length + keysPerBlock)
            while length < blockEnd,
                isSame(at: index + length, as: other, at: otherIndex + length)
            {
                length += 1
            }
            if length < blockEnd { break }
        }
        return length
    }

    /// Returns how many keys before an end are the same as before an end of another list.
    ///
    /// - Precondition: Both lists have `limit` keys there.
    func commonSuffix(before end: Int, with other: KeyBuffer, before otherEnd: Int, limit: Int)
        -> Int
    {
        assert(limit >= 0 && end <= count && end - limit >= 0)
        assert(otherEnd <= other.count && otherEnd - limit >= 0)
        var length = 0
        while length < limit {
            // In bounds by the assertions, as above.
            length +=
                unsafe commonBytes(
                    before: base + (end - length) * stride,
                    other.base + (otherEnd - length) * stride, count: (limit - length) * stride)
                / stride
            if K.isBitwise { break }
            let blockEnd = min(limit, length + keysPerBlock)
            while length < blockEnd,
                isSame(at: end - length - 1, as: other, at: otherEnd - length - 1)
            {
                length += 1
            }
            if length < blockEnd { break }
        }
        return length
    }
}

/// The sizes of the largest and smallest blocks that are compared with `memcmp`, in bytes: large ones
/// as long as nothing differs, smaller ones to find the difference.
private let largestBlock = 4096
private let smallestBlock = 64

/// Returns the length of the common prefix of two buffers of `count` bytes.
private func commonBytes(
    after left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int
) -> Int {
    var length = 0
    var block = largestBlock
    while block >= smallestBlock {
        while length + block <= count, unsafe memcmp(left + length, right + length, block) == 0 {
            length += block
        }
        block /= 8
    }
    while length + 8 <= count, unsafe isSameWord(left + length, right + length) { length += 8 }
    while length < count, unsafe isSameByte(left + length, right + length) { length += 1 }
    return length
}

/// Returns the length of the common suffix of two buffers of `count` bytes, given by their ends.
private func commonBytes(
    before left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int
) -> Int {
    // Mostly everything is the same, and memory is read faster forwards than backwards.
    if unsafe memcmp(left - count, right - count, count) == 0 { return count }
    var length = 0
    var block = largestBlock
    while block >= smallestBlock {
        while length + block <= count,
            unsafe memcmp(left - length - block, right - length - block, block) == 0
        {
            length += block
        }
        block /= 8
    }
    while length + 8 <= count, unsafe isSameWord(left - length - 8, right - length - 8) {
        length += 8
    }
    while length < count, unsafe isSameByte(left - length - 1, right - length - 1) { length += 1 }
    return length
}

@inline(__always)
private func isSameWord(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    unsafe left.loadUnaligned(as: UInt64.self) == right.loadUnaligned(as: UInt64.self)
}

@inline(__always)
private func isSameByte(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    unsafe left.load(as: UInt8.self) == right.load(as: UInt8.self)
}
