// Memory of rows that are no longer used, kept for the next ones.

import Synchronization

/// Blocks of memory that have been given back, for whoever needs such a block next.
///
/// An allocator returns memory of this size to the system as soon as it is free, and to have it
/// anew costs a page fault for every 4 KiB: more than most of the work that is done in it. At
/// most a mebibyte is kept.
enum SpareMemory {
    /// The size of a block, in bytes.
    static let blockSize = 128 << 10
    /// The least that is worth a block: less is nothing that an allocator returns.
    private static let least = 8 << 10
    /// The addresses of the blocks that nobody uses, or 0.
    private static let blocks = InlineArray<8, Atomic<UInt>> { _ in Atomic(0) }

    /// Whether memory of this size, in bytes, is taken and given back in blocks.
    static func suits(_ size: Int) -> Bool { size >= least && size <= blockSize }

    /// A block of memory, aligned for any value; what it holds is unknown.
    static func take() -> UnsafeMutableRawPointer {
        for place in blocks.indices where blocks[place].load(ordering: .relaxed) != 0 {
            // Only one of those who see a block gets it.
            let address = blocks[place].exchange(0, ordering: .acquiring)
            if let block = unsafe UnsafeMutableRawPointer(bitPattern: address) {
                return unsafe block
            }
        }
        return .allocate(byteCount: blockSize, alignment: 16)
    }

    /// Gives a block back, which nobody may use any more.
    static func giveBack(_ block: UnsafeMutableRawPointer) {
        for place in blocks.indices where blocks[place].load(ordering: .relaxed) == 0 {
            let (isKept, _) = blocks[place].compareExchange(
                expected: 0, desired: UInt(bitPattern: block), ordering: .releasing)
            if isKept { return }
        }
        unsafe block.deallocate()
    }
}
