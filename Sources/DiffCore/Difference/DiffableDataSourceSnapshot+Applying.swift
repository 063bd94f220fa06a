// A snapshot with a difference applied to it.

extension DiffableDataSourceSnapshot {
    /// The snapshot that a difference leads to.
    ///
    /// ```swift
    /// before.applying(after.difference(from: before)) == after
    /// ```
    ///
    /// - Precondition: The difference fits, as one does that was made from a snapshot with the same
    ///   sections and items as this one. ``applyingIfFitting(_:)`` is for differences that come
    ///   from elsewhere.
    /// - Complexity: O(*n*) for *n* items in both.
    public func applying(
        _ difference: SnapshotDifference<SectionIdentifierType, ItemIdentifierType>
    ) -> DiffableDataSourceSnapshot {
        do {
            return try result(of: difference)
        } catch {
            misuse(
                "applying(_:)", "the difference was not made from this snapshot: \(error.element)")
        }
    }

    /// The snapshot that a difference leads to, or `nil` if the difference does not fit this one:
    /// what goes or moves is not where it says, what comes is there already, or has no place.
    ///
    /// - Complexity: O(*n*) for *n* items in both.
    public func applyingIfFitting(
        _ difference: SnapshotDifference<SectionIdentifierType, ItemIdentifierType>
    ) -> DiffableDataSourceSnapshot? {
        do { return try result(of: difference) } catch { return nil }
    }
}

/// A section or an item because of which a difference does not fit a snapshot.
private struct Misfit: Error {
    let element: String

    init<Element>(_ element: Element) { self.element = "\(element)" }
}

extension DiffableDataSourceSnapshot {
    private typealias Difference = SnapshotDifference<SectionIdentifierType, ItemIdentifierType>

    private func result(
        of difference: Difference
    ) throws(Misfit) -> DiffableDataSourceSnapshot {
        try expectOrigins(of: difference)
        var result = DiffableDataSourceSnapshot()
        result.appendSections(try sections(after: difference))
        let arrivals = Dictionary(grouping: difference.arrivals) { $0.position.indexPath.section }
        let leaving = Set(difference.deletedItems.map(\.item) + difference.movedItems.map(\.item))
        for (number, section) in result.sectionIdentifiers.enumerated() {
            let stayed = sections.contains(section) ? itemIdentifiers(inSection: section) : []
            let placed = (arrivals[number] ?? []).map { ($0.position.indexPath.item, $0.item) }
            result.appendItems(
                try weave(placed, into: stayed.filter { !leaving.contains($0) }),
                toSection: section)
        }
        try expectTargets(of: difference, in: result)
        result.reloadSections(difference.reloadedSections.map(\.section))
        result.reloadItems(difference.reloadedItems.map(\.item))
        result.reconfigureItems(difference.reconfiguredItems.map(\.item))
        return result
    }

    private func sections(
        after difference: Difference
    ) throws(Misfit) -> [SectionIdentifierType] {
        let leaving = Set(
            difference.deletedSections.map(\.section) + difference.movedSections.map(\.section))
        let placed =
            difference.insertedSections.map { ($0.index, $0.section) }
            + difference.movedSections.map { ($0.to, $0.section) }
        return try weave(placed, into: sections.elements.filter { !leaving.contains($0) })
    }

    /// Looks whether what goes and moves is where the difference says, and what comes is not there.
    private func expectOrigins(of difference: Difference) throws(Misfit) {
        for change in difference.deletedSections where !has(change.section, at: change.index) {
            throw Misfit(change.section)
        }
        for move in difference.movedSections where !has(move.section, at: move.from) {
            throw Misfit(move.section)
        }
        for change in difference.insertedSections where sections.contains(change.section) {
            throw Misfit(change.section)
        }
        for change in difference.deletedItems where !has(change.item, at: change.position) {
            throw Misfit(change.item)
        }
        for move in difference.movedItems where !has(move.item, at: move.from) {
            throw Misfit(move.item)
        }
        for change in difference.insertedItems where items.contains(change.item) {
            throw Misfit(change.item)
        }
    }

    /// Looks whether a result has what came, moved and is marked where the difference says, and
    /// all that stayed: an item of a section that goes must go or move itself.
    private func expectTargets(
        of difference: Difference, in result: DiffableDataSourceSnapshot
    ) throws(Misfit) {
        for change in difference.reloadedSections
        where !result.has(change.section, at: change.index) {
            throw Misfit(change.section)
        }
        let places = difference.arrivals + difference.reloadedItems + difference.reconfiguredItems
        for change in places where !result.has(change.item, at: change.position) {
            throw Misfit(change.item)
        }
        let growth = difference.insertedItems.count - difference.deletedItems.count
        if result.numberOfItems != numberOfItems + growth {
            for item in itemIdentifiers where !result.items.contains(item) { throw Misfit(item) }
        }
    }

    private func has(_ section: SectionIdentifierType, at number: Int) -> Bool {
        sections.index(of: section) == number
    }

    private func has(_ item: ItemIdentifierType, at position: Difference.Position) -> Bool {
        has(position.section, at: position.indexPath.section)
            && self.item(at: position.indexPath) == item
    }
}

extension SnapshotDifference {
    /// The items that come, from outside or from elsewhere in the list, and where to.
    fileprivate var arrivals: [ItemChange] {
        insertedItems + movedItems.map { .init(item: $0.item, position: $0.to) }
    }
}

/// Puts elements at their places, and fills the places between with the others, in order.
private func weave<Element>(
    _ placed: [(place: Int, Element)], into others: [Element]
) throws(Misfit) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(placed.count + others.count)
    var others = others[...]
    for (place, element) in placed.sorted(by: { $0.place < $1.place }) {
        let gap = place - result.count
        guard gap >= 0, gap <= others.count else { throw Misfit(element) }
        result += others.prefix(gap)
        others = others.dropFirst(gap)
        result.append(element)
    }
    return result + others
}
