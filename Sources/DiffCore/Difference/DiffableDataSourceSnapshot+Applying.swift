// A snapshot with a difference applied to it.

extension DiffableDataSourceSnapshot {
    /// The snapshot that a difference leads to.
    ///
    /// ```swift
    /// before.applying(after.difference(from: before)) == after
    /// ```
    ///
    /// - Precondition: The difference was made from a snapshot with the same
    ///   sections and items as this one.
    /// - Complexity: O(*n*) for *n* items in both.
    public func applying(
        _ difference: SnapshotDifference<SectionIdentifierType, ItemIdentifierType>
    ) -> DiffableDataSourceSnapshot {
        var result = DiffableDataSourceSnapshot()
        result.appendSections(sections(after: difference))
        let arrivals = Dictionary(grouping: arrivals(in: difference)) {
            $0.position.indexPath.section
        }
        let leaving = Set(difference.deletedItems.map(\.item) + difference.movedItems.map(\.item))
        for (number, section) in result.sectionIdentifiers.enumerated() {
            let stayed = sections.contains(section) ? itemIdentifiers(inSection: section) : []
            let placed = (arrivals[number] ?? []).map { ($0.position.indexPath.item, $0.item) }
            result.appendItems(
                weave(placed, into: stayed.filter { !leaving.contains($0) }), toSection: section)
        }
        result.reloadSections(difference.reloadedSections.map(\.section))
        result.reloadItems(difference.reloadedItems.map(\.item))
        result.reconfigureItems(difference.reconfiguredItems.map(\.item))
        return result
    }

    private typealias Difference = SnapshotDifference<SectionIdentifierType, ItemIdentifierType>

    private func sections(after difference: Difference) -> [SectionIdentifierType] {
        let leaving = Set(
            difference.deletedSections.map(\.section) + difference.movedSections.map(\.section))
        let placed =
            difference.insertedSections.map { ($0.index, $0.section) }
            + difference.movedSections.map { ($0.to, $0.section) }
        return weave(placed, into: sections.elements.filter { !leaving.contains($0) })
    }

    private func arrivals(in difference: Difference) -> [Difference.ItemChange] {
        difference.insertedItems
            + difference.movedItems.map { .init(item: $0.item, position: $0.to) }
    }
}

/// Puts elements at their places, and fills the places between with the others, in order.
private func weave<Element>(_ placed: [(place: Int, Element)], into others: [Element]) -> [Element]
{
    var result: [Element] = []
    result.reserveCapacity(placed.count + others.count)
    var others = others[...]
    for (place, element) in placed.sorted(by: { $0.place < $1.place }) {
        let gap = place - result.count
        guard gap >= 0, gap <= others.count else {
            misuse("applying(_:)", "the difference was not made from this snapshot: \(element)")
        }
        result += others.prefix(gap)
        others = others.dropFirst(gap)
        result.append(element)
    }
    return result + others
}
