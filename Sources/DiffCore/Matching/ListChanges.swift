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
