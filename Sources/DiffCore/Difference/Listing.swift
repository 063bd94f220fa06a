// One of the two lists that a difference lies between.

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
