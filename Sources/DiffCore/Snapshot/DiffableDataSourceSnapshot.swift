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
    var sections = UniqueList<SectionIdentifierType>()
    /// The items of all sections, one section behind the other.
    var items = UniqueList<ItemIdentifierType>()
    /// Where each section's items begin among all items, and where the last one's end.
    var bounds: [Int] = [0]
    var marks = SnapshotMarks<SectionIdentifierType, ItemIdentifierType>()

    /// An empty snapshot.
    public init() {}
}

extension DiffableDataSourceSnapshot: Equatable {}

// MARK: Queries

extension DiffableDataSourceSnapshot {
    /// The number of items in all sections; O(1).
    public var numberOfItems: Int { items.count }

    /// The number of sections; O(1).
    public var numberOfSections: Int { sections.count }

    /// The sections, in order; O(1).
    public var sectionIdentifiers: [SectionIdentifierType] { sections.elements }

    /// The items of all sections, in order; O(1).
    public var itemIdentifiers: [ItemIdentifierType] { items.elements }

    /// The number of items in a section; O(1).
    ///
    /// - Precondition: The section is in the snapshot.
    public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int {
        range(ofSection: identifier, for: "numberOfItems(inSection:)").count
    }

    /// The items of a section, in order; O(*k*) for a section of *k* items.
    ///
    /// - Precondition: The section is in the snapshot.
    public func itemIdentifiers(
        inSection identifier: SectionIdentifierType
    ) -> [ItemIdentifierType] {
        let range = range(ofSection: identifier, for: "itemIdentifiers(inSection:)")
        return range.count == items.count ? items.elements : Array(items.elements[range])
    }

    /// The section that holds an item, or `nil` if the item is absent.
    ///
    /// - Complexity: O(log *s*) for *s* sections, whatever the number of items.
    public func sectionIdentifier(
        containingItem identifier: ItemIdentifierType
    ) -> SectionIdentifierType? {
        items.index(of: identifier).map { sections.elements[section(at: $0)] }
    }

    /// The place of an item among all items, or `nil` if it is absent; O(1).
    public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? {
        items.index(of: identifier)
    }

    /// The place of a section among the sections, or `nil` if it is absent; O(1).
    public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
        sections.index(of: identifier)
    }
}

// MARK: Places

extension DiffableDataSourceSnapshot {
    /// Where a section's items stand among all items.
    func range(ofSectionAt number: Int) -> Range<Int> { bounds[number]..<bounds[number + 1] }

    /// Where the items of a section that an operation names stand among all items.
    func range(ofSection identifier: SectionIdentifierType, for operation: String) -> Range<Int> {
        range(ofSectionAt: number(ofSection: identifier, for: operation))
    }

    /// The number of a section that an operation names, and that must be there.
    func number(ofSection identifier: SectionIdentifierType, for operation: String) -> Int {
        guard let number = sections.index(of: identifier) else {
            misuse(operation, "there is no section \(identifier)")
        }
        return number
    }

    /// The place of an item that an operation names, and that must be there.
    func place(ofItem identifier: ItemIdentifierType, for operation: String) -> Int {
        guard let place = items.index(of: identifier) else {
            misuse(operation, "there is no item \(identifier)")
        }
        return place
    }

    /// The number of the section that holds the item at a place among all items.
    func section(at place: Int) -> Int {
        var low = 0
        var high = sections.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if bounds[middle] <= place { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// The section and the number in it of the item at a place among all items.
    func indexPath(at place: Int) -> IndexPath {
        let section = section(at: place)
        return IndexPath(item: place - bounds[section], section: section)
    }

    /// The item that stands at a place, if there is such a place.
    func item(at indexPath: IndexPath) -> ItemIdentifierType? {
        guard sections.elements.indices.contains(indexPath.section) else { return nil }
        let range = range(ofSectionAt: indexPath.section)
        guard indexPath.item >= 0, indexPath.item < range.count else { return nil }
        return items.elements[range.lowerBound + indexPath.item]
    }
}
