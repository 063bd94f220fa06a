// An array of identifiers of whatever type, seen as nothing but bytes.

/// Identifiers as their bytes: the same bytes are the same identifier, other bytes may be as well.
///
/// - Note: `@safe` because every access is within `count`, which debug builds assert, and because
///   identifiers are lent inside `lend` alone, where the array cannot go away.
@safe
struct ByteList: HashedList {
    private let base: UnsafeRawPointer
    let count: Int
    /// The bytes of an identifier, and those up to the next one.
    private let size: Int
    private let stride: Int

    /// The bytes of `count` identifiers, from an address on.
    init(base: UnsafeRawPointer, count: Int, size: Int, stride: Int) {
        unsafe self.base = base
        self.count = count
        self.size = size
        self.stride = stride
    }

    @inline(__always)
    func hash(at place: Int, seeds: HashSeeds) -> Int {
        assert(place >= 0 && place < count)
        // In bounds by the assertion, and within the identifier by the conditions.
        let bytes = unsafe base + place &* stride
        var state = seeds.first
        var offset = 0
        while offset &+ 8 <= size {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            state = foldedProduct(state ^ word, seeds.second)
            offset &+= 8
        }
        guard offset < size else { return mixed(state) }
        var rest: UInt64 = 0
        while offset < size {
            let byte = unsafe bytes.load(fromByteOffset: offset, as: UInt8.self)
            rest = rest << 8 | UInt64(byte)
            offset &+= 1
        }
        return mixed(foldedProduct(state ^ rest, seeds.second))
    }

    @inline(__always)
    func isSame(at place: Int, as other: ByteList, at otherPlace: Int) -> Bool {
        assert(place >= 0 && place < count && otherPlace >= 0 && otherPlace < other.count)
        // In bounds by the assertion.
        return unsafe haveSameBytes(
            base + place &* stride, other.base + otherPlace &* stride, count: size)
    }
}
