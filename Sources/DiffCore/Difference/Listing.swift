// One of the two lists that a difference lies between.

/// The sections and items of one of the two lists that a difference lies between.
@usableFromInline
struct Listing<Section: Hashable & Sendable, Item: Hashable & Sendable>: Sendable {
    @usableFromInline let sections: [Section]
    @usableFromInline let items: [Item]
    @usableFromInline let bounds: [Int]
    @usableFromInline let finder: SectionFinder?

    /// Sections and their items.
    @inlinable
    init(sections: [Section], layout: Layout<Item>) {
        self.sections = sections
        items = layout.items.elements
        bounds = layout.bounds
        finder = layout.finder
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
        let indexPath = DiffCore.indexPath(at: place, in: bounds, finder: finder)
        return .init(
            item: items[place],
            position: .init(section: sections[indexPath.section], indexPath: indexPath))
    }
}
