// Plain values in the order in which they were found.

/// A row of plain values that grows at its end, without an array's checks for sharing.
struct GrowingRow<Value: BitwiseCopyable>: ~Copyable {
    private var memory = Scratch<Value>(unset: 32)
    private(set) var count = 0

    /// The values, as an array.
    var array: [Value] { memory.prefix(count) }

    /// Adds a value behind all others.
    @inline(__always)
    mutating func append(_ value: Value) {
        if count == memory.count { grow() }
        memory[count] = value
        count &+= 1
    }

    /// Takes all values out, and keeps the room.
    mutating func removeAll() { count = 0 }

    subscript(place: Int) -> Value {
        @inline(__always) get {
            assert(place < count)
            return memory[place]
        }
    }

    @inline(never)
    private mutating func grow() {
        let room = max(2 * count, SpareMemory.blockSize / MemoryLayout<Value>.stride)
        let larger = Scratch<Value>(unset: room)
        for place in 0..<count { larger[place] = memory[place] }
        memory = larger
    }
}
