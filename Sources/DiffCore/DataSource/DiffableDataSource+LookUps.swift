// Which item stands where in what a view shows.

extension DiffableDataSource {
    /// The item that the view shows at a place, or `nil` if the place is not in the list; O(1).
    @inlinable
    public func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? {
        shown.item(at: indexPath)
    }

    /// The place of an item that the view shows, or `nil` if it shows no such item.
    ///
    /// - Complexity: O(1). In a list of more than 8 sections, the first such question after a
    ///   change takes O(*n* / 64 + *s*) for *n* items in *s* sections.
    @inlinable
    public func indexPath(for itemIdentifier: ItemIdentifierType) -> IndexPath? {
        shown.indexPath(of: itemIdentifier)
    }

    /// The section that the view shows at a number, or `nil` if there are not that many; O(1).
    @inlinable
    public func sectionIdentifier(for index: Int) -> SectionIdentifierType? {
        shown.sectionIdentifiers.indices.contains(index) ? shown.sectionIdentifiers[index] : nil
    }

    /// The number of a section that the view shows, or `nil` if it shows no such section; O(1).
    @inlinable
    public func index(for sectionIdentifier: SectionIdentifierType) -> Int? {
        shown.indexOfSection(sectionIdentifier)
    }
}
