// Memory of a fixed size for a computation, without the checks of an array.

/// A fixed number of plain values that a single owner changes, without the uniqueness checks of an
/// array.
///
/// - Note: `@safe` because debug builds assert that every access is within `count`, every value is set
///   before it is read, and the memory lives as long as its only owner.
@safe
struct Scratch<Value: BitwiseCopyable>: ~Copyable {
    private let base: UnsafeMutablePointer<Value>
    let count: Int

    /// Memory filled with a value.
    init(repeating value: Value, count: Int) {
        self.init(unset: count)
        unsafe base.initialize(repeating: value, count: count)
    }

    /// Memory whose values are set before they are read.
    init(unset count: Int) {
        self.count = count
        unsafe base = .allocate(capacity: count)
    }

    deinit { unsafe base.deallocate() }

    subscript(index: Int) -> Value {
        @inline(__always) get {
            assert(index >= 0 && index < count)
            return unsafe base[index]
        }
        @inline(__always) nonmutating set {
            assert(index >= 0 && index < count)
            unsafe base[index] = newValue
        }
    }
}
