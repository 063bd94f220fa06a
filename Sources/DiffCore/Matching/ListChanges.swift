// The changes between two lists, and the ranges of items that the lists have in common.

/// The inserted, deleted and moved elements of a list, by index.
@usableFromInline
struct ListChanges: Sendable {
    /// The move of an element.
    @usableFromInline
    struct Move: Sendable, BitwiseCopyable {
        /// The index in the old list.
        @usableFromInline var from: Int32
        /// The index in the new list.
        @usableFromInline var to: Int32
    }

    /// The indices of deleted elements in the old list, ascending.
    @usableFromInline var deletes: [Int32] = []
    /// The indices of inserted elements in the new list, ascending.
    @usableFromInline var inserts: [Int32] = []
    /// The moves, by ascending index in the new list.
    @usableFromInline var moves: [Move] = []

    /// No changes.
    @inlinable
    init() {}

    /// Whether there are no changes.
    @inlinable var isEmpty: Bool { deletes.isEmpty && inserts.isEmpty && moves.isEmpty }
}

extension ListChanges {
    /// Calls a closure with the index of each element in the new list, and its index in the old list, or
    /// -1 if it was inserted.
    ///
    /// - Complexity: O(*n* + *m* log *m*) for *n* elements, *m* of which move.
    @inlinable
    func forEachElement(count: Int, _ body: (Int, Int) -> Void) {
        // The old indices of the elements that are no longer between the same neighbours.
        var gone = deletes
        if !moves.isEmpty {
            gone += moves.map(\.from)
            gone.sort()
        }
        var (insert, move, skip, former) = (0, 0, 0, 0)
        for index in 0..<count {
            if insert < inserts.count, Int(inserts[insert]) == index {
                insert += 1
                body(index, -1)
            } else if move < moves.count, Int(moves[move].to) == index {
                body(index, Int(moves[move].from))
                move += 1
            } else {
                while skip < gone.count, Int(gone[skip]) == former {
                    skip += 1
                    former += 1
                }
                body(index, former)
                former += 1
            }
        }
    }
}
