// What changed between two snapshots, as a value.

/// The changes that turn one snapshot into another.
///
/// Positions have a collection view's meaning: of deletes and of move sources
/// in the list before, of inserts and of move targets in the list after.
/// Every item that comes or goes is named, also where its whole section does.
public struct SnapshotDifference<SectionIdentifierType, ItemIdentifierType>: Equatable, Sendable
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// A section that came or went.
    public struct SectionChange: Hashable, Sendable {
        /// The section.
        public let section: SectionIdentifierType
        /// Its number: in the list after if it came, before if it went.
        public let index: Int

        /// A section that came or went, and where.
        @inlinable
        public init(section: SectionIdentifierType, index: Int) {
            self.section = section
            self.index = index
        }
    }

    /// A section that changed its place among the sections.
    public struct SectionMove: Hashable, Sendable {
        /// The section.
        public let section: SectionIdentifierType
        /// Its number in the list before.
        public let from: Int
        /// Its number in the list after.
        public let to: Int

        /// A section's move.
        @inlinable
        public init(section: SectionIdentifierType, from: Int, to: Int) {
            self.section = section
            self.from = from
            self.to = to
        }
    }

    /// Where an item stands, with its section by name.
    public struct Position: Hashable, Sendable {
        /// The section that holds the item.
        public let section: SectionIdentifierType
        /// The section's number and the item's.
        public let indexPath: IndexPath

        /// A place in a section.
        @inlinable
        public init(section: SectionIdentifierType, indexPath: IndexPath) {
            self.section = section
            self.indexPath = indexPath
        }
    }

    /// An item that came, went, or is to be shown anew, and where.
    public struct ItemChange: Hashable, Sendable {
        /// The item.
        public let item: ItemIdentifierType
        /// Its place: in the list before if it went, else in the list after.
        public let position: Position

        /// An item and where it stands.
        @inlinable
        public init(item: ItemIdentifierType, position: Position) {
            self.item = item
            self.position = position
        }
    }

    /// An item that changed its place, in its section or to another one.
    public struct ItemMove: Hashable, Sendable {
        /// The item.
        public let item: ItemIdentifierType
        /// Its place in the list before.
        public let from: Position
        /// Its place in the list after.
        public let to: Position

        /// An item's move.
        @inlinable
        public init(item: ItemIdentifierType, from: Position, to: Position) {
            self.item = item
            self.from = from
            self.to = to
        }
    }

    @usableFromInline let old: Listing<SectionIdentifierType, ItemIdentifierType>
    @usableFromInline let new: Listing<SectionIdentifierType, ItemIdentifierType>
    @usableFromInline let sections: ItemChanges
    @usableFromInline let items: ItemChanges
    /// The places in the newer list of what is marked, ascending.
    @usableFromInline let marks: MarkedPlaces

    /// A difference between two lists.
    @inlinable
    init(
        from old: Listing<SectionIdentifierType, ItemIdentifierType>,
        to new: Listing<SectionIdentifierType, ItemIdentifierType>, sections: ItemChanges,
        items: ItemChanges, marks: MarkedPlaces
    ) {
        self.old = old
        self.new = new
        self.sections = sections
        self.items = items
        self.marks = marks
    }

    /// Whether nothing changed; O(1).
    @inlinable
    public var isEmpty: Bool { sections.isEmpty && items.isEmpty && marks.isEmpty }
}

// MARK: Changes

// A difference keeps places, and spells the changes out when asked: a list that is replaced as a
// whole has many of them, and most are never looked at.
extension SnapshotDifference {
    /// The sections that went, in the order of the list before; O(*k*) for *k* of them.
    @inlinable
    public var deletedSections: [SectionChange] { sections.deletes.map(old.sectionChange(at:)) }

    /// The sections that came, in the order of the list after; O(*k*) for *k* of them.
    @inlinable
    public var insertedSections: [SectionChange] { sections.inserts.map(new.sectionChange(at:)) }

    /// The fewest sections that must move, in the order of the list after; O(*k*) for *k* of them.
    @inlinable
    public var movedSections: [SectionMove] {
        sections.moves.map { move in
            SectionMove(
                section: new.sections[Int(move.to)], from: Int(move.from), to: Int(move.to))
        }
    }

    /// The sections that the newer snapshot marks as reloaded, in its order.
    @inlinable
    public var reloadedSections: [SectionChange] {
        marks.reloadedSections.map(new.sectionChange(at:))
    }

    /// The items that went, in the order of the list before; O(*k*) for *k* of them.
    @inlinable
    public var deletedItems: [ItemChange] { items.deletes.map(old.change(at:)) }

    /// The items that came, in the order of the list after; O(*k*) for *k* of them.
    @inlinable
    public var insertedItems: [ItemChange] { items.inserts.map(new.change(at:)) }

    /// The fewest items that must move, in the order of the list after; O(*k*) for *k* of them.
    @inlinable
    public var movedItems: [ItemMove] {
        items.moves.map { move in
            let to = new.change(at: move.to)
            return ItemMove(
                item: to.item, from: old.change(at: move.from).position, to: to.position)
        }
    }

    /// The items that the newer snapshot marks as reloaded, in its order and at their places in it.
    @inlinable
    public var reloadedItems: [ItemChange] { marks.reloadedItems.map(new.change(at:)) }

    /// The items that the newer snapshot marks as reconfigured, in its order and at their places
    /// in it.
    @inlinable
    public var reconfiguredItems: [ItemChange] { marks.reconfiguredItems.map(new.change(at:)) }

    /// Whether two differences tell of the same changes.
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

/// The sections and items of one of the two lists that a difference lies between.
@usableFromInline
struct Listing<Section: Hashable & Sendable, Item: Hashable & Sendable>: Sendable {
    @usableFromInline let sections: [Section]
    @usableFromInline let items: [Item]
    @usableFromInline let bounds: [Int]

    /// Sections that begin where `bounds` says, and the items of them all.
    @inlinable
    init(sections: [Section], items: [Item], bounds: [Int]) {
        self.sections = sections
        self.items = items
        self.bounds = bounds
    }

    /// A section with its number.
    @inlinable
    func sectionChange(at number: Int32) -> SnapshotDifference<Section, Item>.SectionChange {
        .init(section: sections[Int(number)], index: Int(number))
    }

    /// An item with its place, by its place among all items.
    @inlinable
    func change(at place: Int32) -> SnapshotDifference<Section, Item>.ItemChange {
        let place = Int(place)
        let indexPath = DiffCore.indexPath(at: place, in: bounds)
        return .init(
            item: items[place],
            position: .init(section: sections[indexPath.section], indexPath: indexPath))
    }
}
