// Collects the items appended to a new snapshot until their positions are needed.

/// The arrays appended to a snapshot whose items have not been indexed.
///
/// A list that follows events fills a new snapshot at every event. Comparing it with the snapshot
/// that is shown also finds repeated items, so that indexing it first would be wasted work.
@usableFromInline
struct PendingItems<Item: Hashable & Sendable>: Sendable {
    /// The array of each `appendItems` call, with the index of its section.
    @usableFromInline var appended: [(section: Int, items: [Item])] = []
    /// The items of each call that marks items, checked once the items are indexed.
    @usableFromInline var marked: [(items: [Item], operation: String)] = []

    /// No items.
    @inlinable
    init() {}

    /// The minimum number of items in a first call that is worth deferring.
    @inlinable static var minimumCount: Int { 32 }

    /// Whether nothing has been appended.
    @inlinable var isEmpty: Bool { appended.isEmpty }

    /// Returns the items in section order with the bounds of the sections, repetitions included.
    @inlinable
    func concatenated(sectionCount: Int) -> (items: [Item], bounds: [Int]) {
        var bounds = [Int](repeating: 0, count: sectionCount + 1)
        for call in appended { bounds[call.section + 1] += call.items.count }
        for section in 0..<sectionCount { bounds[section + 1] += bounds[section] }
        guard appended.count != 1 else { return (appended[0].items, bounds) }
        var items: [Item] = []
        items.reserveCapacity(bounds[sectionCount])
        let isInOrder = zip(appended, appended.dropFirst()).allSatisfy { $0.section <= $1.section }
        for call in isInOrder ? appended : appendedBySection { items += call.items }
        return (items, bounds)
    }

    @usableFromInline
    var appendedBySection: [(section: Int, items: [Item])] {
        // Stable: what was appended to a section first stays first.
        appended.enumerated().sorted {
            ($0.element.section, $0.offset) < ($1.element.section, $1.offset)
        }.map(\.element)
    }

    /// Indexes the items, moving those appended by two calls to the later position.
    ///
    /// - Precondition: No call names an item twice, and all marked items are present.
    @inlinable
    func indexed(sectionCount: Int) -> SectionedItems<Item> {
        let (items, bounds) = concatenated(sectionCount: sectionCount)
        var result: SectionedItems<Item>
        if let items = UniqueArray(checking: items) {
            result = SectionedItems(items: items, bounds: bounds)
        } else {
            result = SectionedItems(sectionCount: sectionCount)
            for (section, items) in appended {
                result.insert(
                    items, at: result.bounds[section + 1], inSection: section,
                    for: "appendItems(_:toSection:)")
            }
        }
        expectMarkedItems(in: result)
        return result
    }

    /// Stops the program unless all marked items are present.
    @inlinable
    func expectMarkedItems(in indexed: SectionedItems<Item>) {
        for (items, operation) in marked {
            for item in items where !indexed.items.contains(item) {
                misuse(operation, "there is no item \(item)")
            }
        }
    }
}
