// A difference in the form of a collection view's batch update.

extension SnapshotDifference {
    /// The changes of one batch update, by number instead of by identifier.
    ///
    /// A section that goes takes its items along, and one that comes brings
    /// them, so their items are not named. An item that moves out of a section
    /// that goes is therefore an insert, one that moves into a section that
    /// comes is a delete, and one that does both is not named at all.
    public struct Batch: Equatable, Sendable {
        /// An item's move.
        public struct Move: Hashable, Sendable {
            /// The place in the list before.
            public let from: IndexPath
            /// The place in the list after.
            public let to: IndexPath
        }

        /// The numbers in the list before of the sections that go.
        public internal(set) var sectionDeletes: [Int] = []
        /// The numbers in the list after of the sections that come.
        public internal(set) var sectionInserts: [Int] = []
        /// The sections that move, from a number before to one after.
        public internal(set) var sectionMoves: [SectionMove] = []
        /// The places in the list before of the items that go, ascending.
        public internal(set) var itemDeletes: [IndexPath] = []
        /// The places in the list after of the items that come, ascending.
        public internal(set) var itemInserts: [IndexPath] = []
        /// The items that move, in the order of the list after.
        public internal(set) var itemMoves: [Move] = []
    }

    /// The changes as a collection view's batch update takes them.
    ///
    /// - Complexity: O(*c* log *c*) for *c* changes.
    public var batch: Batch {
        var batch = Batch()
        batch.sectionDeletes = deletedSections.map(\.index)
        batch.sectionInserts = insertedSections.map(\.index)
        batch.sectionMoves = movedSections
        let gone = Set(batch.sectionDeletes)
        let new = Set(batch.sectionInserts)
        batch.itemDeletes = deletedItems.map(\.position.indexPath).filter {
            !gone.contains($0.section)
        }
        batch.itemInserts = insertedItems.map(\.position.indexPath).filter {
            !new.contains($0.section)
        }
        for move in movedItems {
            let from = move.from.indexPath
            let to = move.to.indexPath
            switch (gone.contains(from.section), new.contains(to.section)) {
            case (false, false): batch.itemMoves.append(.init(from: from, to: to))
            case (true, false): batch.itemInserts.append(to)
            case (false, true): batch.itemDeletes.append(from)
            case (true, true): break
            }
        }
        batch.itemDeletes.sort()
        batch.itemInserts.sort()
        return batch
    }
}
