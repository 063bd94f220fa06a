// The state of a list at a moment: sections, and the items of each.

/// The state of a list at a moment: its sections, and the items of each.
///
/// A snapshot holds identifiers only. Fill one from the data, hand it to a
/// data source, and the list shows it:
///
/// ```swift
/// var snapshot = DiffableDataSourceSnapshot<Section, Mountain.ID>()
/// snapshot.appendSections([.main])
/// snapshot.appendItems(mountains.map(\.id))
/// dataSource.apply(snapshot)
/// ```
///
/// Every section and every item is there once: appending or inserting an item
/// that is in the snapshot already moves it. A section may have the same
/// identifier as an item. What cannot be done, such as inserting before an item
/// that is not there, is a mistake of the program and stops it.
///
/// Two snapshots are equal when they have the same sections with the same items
/// in the same order, and the same marks.
public struct DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>: Sendable
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    @usableFromInline typealias Storage = SnapshotStorage<SectionIdentifierType, ItemIdentifierType>

    @usableFromInline var storage: Storage

    /// An empty snapshot.
    @inlinable
    public init() { storage = Storage() }

    /// A snapshot of what is stored.
    @inlinable
    init(_ storage: Storage) { self.storage = storage }
}

extension DiffableDataSourceSnapshot: Equatable {
    /// Whether two snapshots have the same sections, items and marks.
    @inlinable
    public static func == (
        left: DiffableDataSourceSnapshot, right: DiffableDataSourceSnapshot
    ) -> Bool {
        left.storage === right.storage
            || left.sections == right.sections && left.layout == right.layout
                && left.marks == right.marks
    }
}

// MARK: Queries

extension DiffableDataSourceSnapshot {
    /// The number of items in all sections; O(1).
    @inlinable
    public var numberOfItems: Int { items.count }

    /// The number of sections; O(1).
    @inlinable
    public var numberOfSections: Int { sections.count }

    /// The sections, in order; O(1).
    @inlinable
    public var sectionIdentifiers: [SectionIdentifierType] { sections.elements }

    /// The items of all sections, in order; O(1).
    @inlinable
    public var itemIdentifiers: [ItemIdentifierType] { items.elements }

    /// The number of items in a section; O(1).
    ///
    /// - Precondition: The section is in the snapshot.
    @inlinable
    public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int {
        range(ofSection: identifier, for: "numberOfItems(inSection:)").count
    }

    /// The items of a section, in order; O(*k*) for a section of *k* items.
    ///
    /// - Precondition: The section is in the snapshot.
    @inlinable
    public func itemIdentifiers(
        inSection identifier: SectionIdentifierType
    ) -> [ItemIdentifierType] {
        let range = range(ofSection: identifier, for: "itemIdentifiers(inSection:)")
        let items = items.elements
        return range.count == items.count ? items : Array(items[range])
    }

    /// The section that holds an item, or `nil` if the item is absent.
    ///
    /// - Complexity: O(1). In a snapshot of more than 8 sections, the first such question after
    ///   the items or sections changed takes O(*n* / 64 + *s*) for *n* items in *s* sections.
    @inlinable
    public func sectionIdentifier(
        containingItem identifier: ItemIdentifierType
    ) -> SectionIdentifierType? {
        let layout = layout
        return layout.items.index(of: identifier).map { sections.elements[layout.section(at: $0)] }
    }

    /// The place of an item among all items, or `nil` if it is absent; O(1).
    @inlinable
    public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? {
        items.index(of: identifier)
    }

    /// The place of a section among the sections, or `nil` if it is absent; O(1).
    @inlinable
    public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
        sections.index(of: identifier)
    }
}

// MARK: Places

extension DiffableDataSourceSnapshot {
    /// The items of all sections.
    @inlinable
    var items: UniqueList<ItemIdentifierType> { storage.laidOut.layout.items }

    /// Where the items of a section that an operation names stand among all items.
    @inlinable
    func range(ofSection identifier: SectionIdentifierType, for operation: String) -> Range<Int> {
        layout.range(ofSection: number(ofSection: identifier, for: operation))
    }

    /// The number of a section that an operation names, and that must be there.
    @inlinable
    func number(ofSection identifier: SectionIdentifierType, for operation: String) -> Int {
        guard let number = sections.index(of: identifier) else {
            misuse(operation, "there is no section \(identifier)")
        }
        return number
    }

    /// The place of an item that an operation names, and that must be there.
    @inlinable
    func place(ofItem identifier: ItemIdentifierType, for operation: String) -> Int {
        guard let place = items.index(of: identifier) else {
            misuse(operation, "there is no item \(identifier)")
        }
        return place
    }

    /// The item that stands at a place, if there is such a place.
    @inlinable
    func item(at indexPath: IndexPath) -> ItemIdentifierType? {
        let layout = storage.laidOut.layout
        guard indexPath.section >= 0, indexPath.section < layout.sectionCount else { return nil }
        let range = layout.range(ofSection: indexPath.section)
        guard indexPath.item >= 0, indexPath.item < range.count else { return nil }
        return layout.items.elements[range.lowerBound + indexPath.item]
    }

    /// Where an item stands, if it is there.
    @inlinable
    func indexPath(of identifier: ItemIdentifierType) -> IndexPath? {
        let laidOut = storage.laidOut
        return laidOut.layout.items.index(of: identifier).map { laidOut.layout.indexPath(at: $0) }
    }
}
