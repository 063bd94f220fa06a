// A stretch of items that is the same in both lists.

/// Items that stand one behind the other in both lists, in the same or in reversed order.
@usableFromInline
struct Run: Sendable, BitwiseCopyable {
    /// The place of the first of them in the old list.
    var old: Int32
    /// The place of the first of them in the new list.
    var new: Int32
    /// How many they are; below zero if the old places descend.
    @usableFromInline var length: Int32

    /// A run, forwards if its length is above zero.
    @usableFromInline
    init(old: Int, new: Int, length: Int) {
        self.old = Int32(truncatingIfNeeded: old)
        self.new = Int32(truncatingIfNeeded: new)
        self.length = Int32(truncatingIfNeeded: length)
    }

    /// The number of items.
    var count: Int { Int(abs(length)) }

    /// The lowest place of its items in the old list.
    var lowestOld: Int32 { length < 0 ? old + length + 1 : old }

    /// The highest place of its items in the old list.
    var highestOld: Int32 { length < 0 ? old : old + length - 1 }

    /// Appends the run itself, or its single items if it descends.
    func appendPieces(to pieces: inout GrowingRow<Run>) {
        guard length < 0 else { return pieces.append(self) }
        for step in 0..<count {
            pieces.append(Run(old: Int(old) - step, new: Int(new) + step, length: 1))
        }
    }

    /// How the old place changes from one item to the next.
    var step: Int32 { length < 0 ? -1 : 1 }
}

/// The items that change between two lists, by their places among all items.
@usableFromInline
struct ItemChanges: Sendable {
    /// An item's move.
    @usableFromInline
    struct Move: Sendable, BitwiseCopyable {
        /// The place in the old list.
        @usableFromInline var from: Int32
        /// The place in the new list.
        @usableFromInline var to: Int32

        /// A move between places.
        @usableFromInline
        init(from: Int32, to: Int32) {
            self.from = from
            self.to = to
        }
    }

    /// The places in the old list of what goes, ascending.
    @usableFromInline var deletes: [Int32] = []
    /// The places in the new list of what comes, ascending.
    @usableFromInline var inserts: [Int32] = []
    /// What moves, ascending by the place in the new list.
    @usableFromInline var moves: [Move] = []

    /// No changes.
    @inlinable
    init() {}

    /// Whether there are none.
    @inlinable var isEmpty: Bool { deletes.isEmpty && inserts.isEmpty && moves.isEmpty }
}
