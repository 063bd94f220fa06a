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

    @usableFromInline
    typealias Changes = DifferenceStorage<SectionIdentifierType, ItemIdentifierType>
    /// The changes, behind one reference: a difference is handed on more often than it is read.
    @usableFromInline let changes: Changes

    /// A difference of these changes.
    @inlinable
    init(_ changes: Changes) { self.changes = changes }

    /// Whether nothing changed; O(1).
    @inlinable
    public var isEmpty: Bool { changes.isEmpty }
}

// MARK: Coding

extension SnapshotDifference.SectionChange: Encodable where SectionIdentifierType: Encodable {}
extension SnapshotDifference.SectionChange: Decodable where SectionIdentifierType: Decodable {}
extension SnapshotDifference.SectionMove: Encodable where SectionIdentifierType: Encodable {}
extension SnapshotDifference.SectionMove: Decodable where SectionIdentifierType: Decodable {}
extension SnapshotDifference.Position: Encodable where SectionIdentifierType: Encodable {}
extension SnapshotDifference.Position: Decodable where SectionIdentifierType: Decodable {}
extension SnapshotDifference.ItemChange: Encodable
where SectionIdentifierType: Encodable, ItemIdentifierType: Encodable {}
extension SnapshotDifference.ItemChange: Decodable
where SectionIdentifierType: Decodable, ItemIdentifierType: Decodable {}
extension SnapshotDifference.ItemMove: Encodable
where SectionIdentifierType: Encodable, ItemIdentifierType: Encodable {}
extension SnapshotDifference.ItemMove: Decodable
where SectionIdentifierType: Decodable, ItemIdentifierType: Decodable {}
