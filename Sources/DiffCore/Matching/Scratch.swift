// Working memory of the matcher: a row of plain numbers, without an array's checks for sharing.

/// A row of plain values, of a fixed length, that one owner writes to.
///
/// - Note: `@safe` because every access is within `count`, which debug builds
///   assert, and because all values are set before they are asked for and the memory
///   lives as long as its only owner.
@safe
struct Scratch<Value: BitwiseCopyable>: ~Copyable {
    private let base: UnsafeMutablePointer<Value>
    let count: Int
    /// Whether the memory is a block that is kept for others.
    private let isSpare: Bool

    /// A row of a value, repeated.
    init(repeating value: Value, count: Int) {
        self.init(unset: count)
        unsafe base.initialize(repeating: value, count: count)
    }

    /// A row whose values are all set before they are asked for.
    init(unset count: Int) {
        self.count = count
        isSpare = SpareMemory.suits(count * MemoryLayout<Value>.stride)
        unsafe base =
            isSpare
            ? SpareMemory.take().bindMemory(to: Value.self, capacity: count)
            : .allocate(capacity: count)
    }

    deinit {
        if isSpare {
            unsafe SpareMemory.giveBack(base)
        } else {
            unsafe base.deallocate()
        }
    }

    /// The first values as an array.
    func prefix(_ length: Int) -> [Value] {
        assert(length <= count)
        return unsafe Array(UnsafeBufferPointer(start: base, count: length))
    }

    subscript(place: Int) -> Value {
        @inline(__always) get {
            assert(place >= 0 && place < count)
            return unsafe base[place]
        }
        @inline(__always) nonmutating set {
            assert(place >= 0 && place < count)
            unsafe base[place] = newValue
        }
    }
}
