// The changes between two snapshots, as a value.

/// The changes that turn one snapshot into another.
///
/// Positions have the meaning that collection views give them: the positions of deletes and the
/// sources of moves refer to the old list, the positions of inserts and the targets of moves to the
/// new list. Every inserted or deleted item is included, also if its section is inserted or
/// deleted.
public struct SnapshotDifference<SectionIdentifierType, ItemIdentifierType>: Sendable
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// The insertion, deletion or reload of a section.
    public struct SectionChange: Hashable, Sendable {
        /// The section.
        public let section: SectionIdentifierType
        /// Its index: in the old list if it was deleted, otherwise in the new one.
        public let index: Int

        /// Creates the change of a section at an index.
        @inlinable
        public init(section: SectionIdentifierType, index: Int) {
            self.section = section
            self.index = index
        }
    }

    /// The move of a section among the sections.
    public struct SectionMove: Hashable, Sendable {
        /// The section.
        public let section: SectionIdentifierType
        /// Its index in the old list.
        public let from: Int
        /// Its index in the new list.
        public let to: Int

        /// Creates the move of a section between two indices.
        @inlinable
        public init(section: SectionIdentifierType, from: Int, to: Int) {
            self.section = section
            self.from = from
            self.to = to
        }
    }

    /// The position of an item: its section and its index path.
    public struct Position: Hashable, Sendable {
        /// The section that contains the item.
        public let section: SectionIdentifierType
        /// The index of the section, and the index of the item in it.
        public let indexPath: IndexPath

        /// Creates the position of an item in a section.
        @inlinable
        public init(section: SectionIdentifierType, indexPath: IndexPath) {
            self.section = section
            self.indexPath = indexPath
        }
    }

    /// The insertion, deletion, reload or reconfiguration of an item.
    public struct ItemChange: Hashable, Sendable {
        /// The identifier of the item.
        public let item: ItemIdentifierType
        /// Its position: in the old list if it was deleted, otherwise in the new one.
        public let position: Position

        /// Creates the change of an item at a position.
        @inlinable
        public init(item: ItemIdentifierType, position: Position) {
            self.item = item
            self.position = position
        }
    }

    /// The move of an item within its section or to another one.
    public struct ItemMove: Hashable, Sendable {
        /// The identifier of the item.
        public let item: ItemIdentifierType
        /// Its position in the old list.
        public let from: Position
        /// Its position in the new list.
        public let to: Position

        /// Creates the move of an item between two positions.
        @inlinable
        public init(item: ItemIdentifierType, from: Position, to: Position) {
            self.item = item
            self.from = from
            self.to = to
        }
    }

    @usableFromInline
    typealias Snapshot = DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>

    /// The two snapshots and the changes by index.
    @usableFromInline
    final class Storage: Sendable {
        @usableFromInline let old: Snapshot
        @usableFromInline let new: Snapshot
        @usableFromInline let sections: ListChanges
        @usableFromInline let items: ListChanges

        @inlinable
        init(from old: Snapshot, to new: Snapshot, sections: ListChanges, items: ListChanges) {
            self.old = old
            self.new = new
            self.sections = sections
            self.items = items
        }
    }

    /// Shared, as a difference is passed on more often than it is read.
    @usableFromInline let storage: Storage

    @inlinable
    init(_ storage: Storage) { self.storage = storage }

    /// Whether the snapshots have the same sections and items, and the new one has no marks; O(1).
    @inlinable public var isEmpty: Bool {
        storage.sections.isEmpty && storage.items.isEmpty && storage.new.marks?.isEmpty ?? true
    }

    /// The old list.
    package var before: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
        storage.old
    }

    /// The new list.
    package var after: DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
        storage.new
    }
}

// MARK: Changes

extension SnapshotDifference {
    /// The deleted sections, in the order of the old list; O(*k*) for *k* sections.
    @inlinable public var deletedSections: [SectionChange] {
        let sections = storage.old.sectionIdentifiers
        return storage.sections.deletes.map { .init(section: sections[Int($0)], index: Int($0)) }
    }

    /// The inserted sections, in the order of the new list; O(*k*) for *k* sections.
    @inlinable public var insertedSections: [SectionChange] {
        let sections = storage.new.sectionIdentifiers
        return storage.sections.inserts.map { .init(section: sections[Int($0)], index: Int($0)) }
    }

    /// The smallest number of sections that must move, in the order of the new list; O(*k*) for *k*
    /// sections.
    @inlinable public var movedSections: [SectionMove] {
        let sections = storage.new.sectionIdentifiers
        return storage.sections.moves.map {
            .init(section: sections[Int($0.to)], from: Int($0.from), to: Int($0.to))
        }
    }

    /// The sections of both snapshots that the new snapshot marks as reloaded, in its order;
    /// O(*k* log *k*) for *k* marked and inserted sections.
    @inlinable public var reloadedSections: [SectionChange] {
        guard storage.new.marks != nil else { return [] }
        let inserted = Set(storage.sections.inserts.map { Int($0) })
        return storage.new.reloadedSectionIdentifiers.compactMap { section in
            storage.new.indexOfSection(section).map { .init(section: section, index: $0) }
        }.filter { !inserted.contains($0.index) }.sorted { $0.index < $1.index }
    }

    /// The deleted items, in the order of the old list; O(*k*) for *k* items.
    @inlinable public var deletedItems: [ItemChange] {
        changes(at: storage.items.deletes, in: storage.old)
    }

    /// The inserted items, in the order of the new list; O(*k*) for *k* items.
    @inlinable public var insertedItems: [ItemChange] {
        changes(at: storage.items.inserts, in: storage.new)
    }

    /// The smallest number of items that must move, in the order of the new list; O(*k*) for *k*
    /// items.
    @inlinable public var movedItems: [ItemMove] {
        guard !storage.items.moves.isEmpty else { return [] }
        let (old, new) = (PositionedItems(storage.old), PositionedItems(storage.new))
        return storage.items.moves.map { move in
            ItemMove(
                item: new.elements[Int(move.to)], from: old.position(at: move.from),
                to: new.position(at: move.to))
        }
    }

    /// The items of both snapshots that the new snapshot marks as reloaded, in its order;
    /// O(*k* log *k*) for *k* marked and inserted items.
    @inlinable public var reloadedItems: [ItemChange] {
        marked(storage.new.reloadedItemIdentifiers)
    }

    /// The items of both snapshots that the new snapshot marks as reconfigured but not as reloaded, in
    /// its order; O(*k* log *k*) for *k* marked and inserted items.
    @inlinable public var reconfiguredItems: [ItemChange] {
        guard let marks = storage.new.marks else { return [] }
        let items = marks.reconfiguredItems.elements
        return marked(
            marks.reloadedItems.count == 0
                ? items : items.filter { !marks.reloadedItems.contains($0) })
    }

    /// Returns the marked items that are not inserted.
    @inlinable
    func marked(_ items: [ItemIdentifierType]) -> [ItemChange] {
        guard !items.isEmpty else { return [] }
        let inserted = Set(storage.items.inserts)
        let ranges = storage.new.withItems { $0.ranges(of: items) }
        return changes(
            at: ranges.joined().map { Int32(truncatingIfNeeded: $0) }.filter {
                !inserted.contains($0)
            },
            in: storage.new)
    }

    /// Returns the items at indices of a list, with their positions.
    @inlinable
    func changes(at indices: [Int32], in list: Snapshot) -> [ItemChange] {
        guard !indices.isEmpty else { return [] }
        let list = PositionedItems(list)
        return indices.map { index in
            ItemChange(item: list.elements[Int(index)], position: list.position(at: index))
        }
    }

    /// The items of a snapshot, with their positions.
    @usableFromInline
    struct PositionedItems {
        @usableFromInline let elements: [ItemIdentifierType]
        @usableFromInline let bounds: SectionBounds
        @usableFromInline let sections: [SectionIdentifierType]

        @inlinable
        init(_ snapshot: Snapshot) {
            (elements, bounds) = snapshot.withItems { ($0.items.elements, $0.bounds) }
            sections = snapshot.sections.elements
        }

        @inlinable
        func position(at index: Int32) -> Position {
            let indexPath = bounds.indexPath(at: Int(index))
            return Position(section: sections[indexPath.section], indexPath: indexPath)
        }
    }
}

extension SnapshotDifference: Equatable {
    /// Whether two differences consist of the same changes; O(*c* log *c*) for *c* changes.
    public static func == (left: SnapshotDifference, right: SnapshotDifference) -> Bool {
        left.deletedSections == right.deletedSections
            && left.insertedSections == right.insertedSections
            && left.movedSections == right.movedSections
            && left.reloadedSections == right.reloadedSections
            && left.deletedItems == right.deletedItems
            && left.insertedItems == right.insertedItems
            && left.movedItems == right.movedItems
            && left.reloadedItems == right.reloadedItems
            && left.reconfiguredItems == right.reconfiguredItems
    }
}

extension SnapshotDifference: CustomStringConvertible {
    /// A line for each change, with positions written as `section.item`; O(*c*) for *c* changes.
    public var description: String {
        var lines = deletedSections.map { "delete section \($0.section) at \($0.index)" }
        lines += insertedSections.map { "insert section \($0.section) at \($0.index)" }
        lines += movedSections.map { "move section \($0.section) from \($0.from) to \($0.to)" }
        lines += reloadedSections.map { "reload section \($0.section) at \($0.index)" }
        lines += deletedItems.map { "delete \($0.item) at \($0.position.indexPath)" }
        lines += insertedItems.map { "insert \($0.item) at \($0.position.indexPath)" }
        lines += movedItems.map {
            "move \($0.item) from \($0.from.indexPath) to \($0.to.indexPath)"
        }
        lines += reloadedItems.map { "reload \($0.item) at \($0.position.indexPath)" }
        lines += reconfiguredItems.map { "reconfigure \($0.item) at \($0.position.indexPath)" }
        return lines.isEmpty ? "no changes" : lines.joined(separator: "\n")
    }
}

// MARK: Batch updates

extension SnapshotDifference {
    /// The changes of a batch update, by index instead of by identifier.
    ///
    /// The items of a deleted or an inserted section are not listed, because the view deletes and
    /// inserts them with the section. An item that moves out of a deleted section is therefore
    /// listed as inserted. An item that moves into an inserted section is listed as deleted. An
    /// item that moves from a deleted into an inserted section is not listed.
    ///
    /// Reloads and reconfigurations refer to the new list: perform them after the other changes. An
    /// item is in at most one of the lists, except that an item that moves can also be reloaded or
    /// reconfigured.
    public struct Batch: Equatable, Sendable {
        /// The move of an item.
        public struct Move: Hashable, Sendable {
            /// The index path in the old list.
            public let from: IndexPath
            /// The index path in the new list.
            public let to: IndexPath

            /// Creates the move of an item between two index paths.
            @inlinable
            public init(from: IndexPath, to: IndexPath) {
                self.from = from
                self.to = to
            }
        }

        /// The indices of the deleted sections in the old list.
        public let sectionDeletes: [Int]
        /// The indices of the inserted sections in the new list.
        public let sectionInserts: [Int]
        /// The sections that move.
        public let sectionMoves: [SectionMove]
        /// The index paths of the deleted items in the old list, ascending.
        public let itemDeletes: [IndexPath]
        /// The index paths of the inserted items in the new list, ascending.
        public let itemInserts: [IndexPath]
        /// The items that move, in the order of the new list.
        public let itemMoves: [Move]

        /// The indices of the reloaded sections in the new list, ascending.
        public let sectionReloads: [Int]
        /// The index paths of the reloaded items in the new list, ascending.
        public let itemReloads: [IndexPath]
        /// The index paths of the reconfigured items in the new list, ascending.
        public let itemReconfigurations: [IndexPath]

        /// Creates a batch from changes.
        @inlinable
        public init(
            sectionDeletes: [Int] = [], sectionInserts: [Int] = [],
            sectionMoves: [SectionMove] = [], itemDeletes: [IndexPath] = [],
            itemInserts: [IndexPath] = [], itemMoves: [Move] = [], sectionReloads: [Int] = [],
            itemReloads: [IndexPath] = [], itemReconfigurations: [IndexPath] = []
        ) {
            self.sectionDeletes = sectionDeletes
            self.sectionInserts = sectionInserts
            self.sectionMoves = sectionMoves
            self.itemDeletes = itemDeletes
            self.itemInserts = itemInserts
            self.itemMoves = itemMoves
            self.sectionReloads = sectionReloads
            self.itemReloads = itemReloads
            self.itemReconfigurations = itemReconfigurations
        }
    }

    /// The changes in the form of a collection view's batch update.
    ///
    /// - Complexity: O(*c*) for *c* changes; O(*c* log *c*) if sections are inserted or deleted.
    @inlinable public var batch: Batch {
        let (old, new) = (storage.old.withItems { $0.bounds }, storage.new.withItems { $0.bounds })
        let sections = storage.sections
        var deletes = storage.items.deletes.map { old.indexPath(at: Int($0)) }
        var inserts = storage.items.inserts.map { new.indexPath(at: Int($0)) }
        var moves = storage.items.moves.map { move in
            Batch.Move(from: old.indexPath(at: Int(move.from)), to: new.indexPath(at: Int(move.to)))
        }
        var reloads = reloadedItems.map(\.position.indexPath)
        var reconfigurations = reconfiguredItems.map(\.position.indexPath)
        if !sections.deletes.isEmpty || !sections.inserts.isEmpty {
            // Items of deleted and inserted sections are not listed, and moves become one-sided.
            let deleted = Set(sections.deletes.map { Int($0) })
            let inserted = Set(sections.inserts.map { Int($0) })
            deletes.removeAll { deleted.contains($0.section) }
            inserts.removeAll { inserted.contains($0.section) }
            for move in moves
            where deleted.contains(move.from.section) != inserted.contains(move.to.section) {
                if deleted.contains(move.from.section) {
                    inserts.append(move.to)
                } else {
                    deletes.append(move.from)
                }
            }
            moves.removeAll {
                deleted.contains($0.from.section) || inserted.contains($0.to.section)
            }
            deletes.sort()
            inserts.sort()
            if !reloads.isEmpty || !reconfigurations.isEmpty {
                let made = Set(inserts)
                reloads.removeAll { inserted.contains($0.section) || made.contains($0) }
                reconfigurations.removeAll { inserted.contains($0.section) || made.contains($0) }
            }
        }
        return Batch(
            sectionDeletes: sections.deletes.map { Int($0) },
            sectionInserts: sections.inserts.map { Int($0) }, sectionMoves: movedSections,
            itemDeletes: deletes, itemInserts: inserts, itemMoves: moves,
            sectionReloads: reloadedSections.map(\.index), itemReloads: reloads,
            itemReconfigurations: reconfigurations)
    }
}
