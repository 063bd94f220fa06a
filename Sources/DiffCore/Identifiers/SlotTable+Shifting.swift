// A table whose identifiers have come to stand elsewhere, many at a time.

extension SlotTable {
    /// A change of the places from some place on, on top of the changes before.
    @usableFromInline
    struct Step {
        /// The first place that changes, as it was before any step.
        var start: Int
        /// What is added.
        var offset: Int

        /// A change from some place on.
        @usableFromInline
        init(start: Int, offset: Int) {
            self.start = start
            self.offset = offset
        }
    }

    /// The number of steps that can be taken at once.
    @usableFromInline
    static let mostSteps = 4

    /// Changes the places, all steps in one pass.
    ///
    /// - Precondition: There are at most `mostSteps`.
    @usableFromInline
    mutating func shift(_ steps: [Step]) {
        guard !steps.isEmpty else { return }
        unsafe slots.withUnsafeMutableBytes { slots in
            unsafe take(steps, from: UnsafeRawBufferPointer(slots), to: slots)
        }
    }

    /// The table with its places changed, all steps in one pass.
    ///
    /// - Precondition: There are at most `mostSteps`.
    func shifted(_ steps: [Step]) -> SlotTable {
        guard !steps.isEmpty else { return self }
        let shifted = unsafe [Int32](unsafeUninitializedCapacity: slots.count) { new, count in
            unsafe slots.withUnsafeBytes { old in
                unsafe take(steps, from: old, to: UnsafeMutableRawBufferPointer(new))
            }
            count = slots.count
        }
        return SlotTable(slots: shifted)
    }
}

/// Slots that are changed together; every table has a multiple of them.
private typealias Slots = SIMD8<Int32>

/// Fills `new`, which may be `old` itself, with the entries of `old` after some steps.
private func take(
    _ steps: [SlotTable.Step], from old: UnsafeRawBufferPointer,
    to new: UnsafeMutableRawBufferPointer
) {
    precondition(steps.count <= SlotTable.mostSteps && old.count == new.count)
    // Steps that are not there begin where no entry is.
    var starts = SIMD4<Int32>(repeating: .max)
    var offsets = SIMD4<Int32>.zero
    for (number, step) in steps.enumerated() {
        // A slot holds a place and 1.
        starts[number] = Int32(truncatingIfNeeded: step.start + 1)
        offsets[number] = Int32(truncatingIfNeeded: step.offset)
    }
    // Both loops stay within `count` bytes, of which there is a multiple of the stride.
    let stride = MemoryLayout<Slots>.stride
    assert(old.count % stride == 0)
    if steps.count == 1 {
        for byte in Swift.stride(from: 0, to: old.count, by: stride) {
            let entries = unsafe old.loadUnaligned(fromByteOffset: byte, as: Slots.self)
            let moved = entries &+ step(starts[0], offsets[0], for: entries)
            unsafe new.storeBytes(of: moved, toByteOffset: byte, as: Slots.self)
        }
    } else {
        for byte in Swift.stride(from: 0, to: old.count, by: stride) {
            let entries = unsafe old.loadUnaligned(fromByteOffset: byte, as: Slots.self)
            var moved = entries
            for number in 0..<SlotTable.mostSteps {
                moved &+= step(starts[number], offsets[number], for: entries)
            }
            unsafe new.storeBytes(of: moved, toByteOffset: byte, as: Slots.self)
        }
    }
}

/// What a step adds to some entries.
@inline(__always)
private func step(_ start: Int32, _ offset: Int32, for entries: Slots) -> Slots {
    Slots(repeating: offset).replacing(with: 0, where: entries .< Slots(repeating: start))
}
