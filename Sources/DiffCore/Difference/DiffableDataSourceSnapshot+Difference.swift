// The difference between two snapshots, and a snapshot with a difference applied.

extension DiffableDataSourceSnapshot {
    /// The changes that turn another snapshot into this one.
    ///
    /// Sections and items are matched by identifier. Each section moves as
    /// little as can be, and so does each item within its section; an item that
    /// changes its section is one move.
    ///
    /// - Complexity: O(*n* log *n*) for *n* items in both, and O(*n*) where none moves.
    public func difference(
        from other: DiffableDataSourceSnapshot
    ) -> SnapshotDifference<SectionIdentifierType, ItemIdentifierType> {
        var difference = SnapshotDifference<SectionIdentifierType, ItemIdentifierType>()
        findSectionChanges(from: other, into: &difference)
        findItemDeletions(from: other, into: &difference)
        for number in sections.elements.indices {
            findItemChanges(inSectionAt: number, from: other, into: &difference)
        }
        noteMarks(into: &difference)
        return difference
    }

    private typealias Difference = SnapshotDifference<SectionIdentifierType, ItemIdentifierType>

    private func findSectionChanges(
        from other: DiffableDataSourceSnapshot, into difference: inout Difference
    ) {
        for (index, section) in other.sections.elements.enumerated()
        where !sections.contains(section) {
            difference.deletedSections.append(.init(section: section, index: index))
        }
        var survivors: [Difference.SectionMove] = []
        for (index, section) in sections.elements.enumerated() {
            if let from = other.sections.index(of: section) {
                survivors.append(.init(section: section, from: from, to: index))
            } else {
                difference.insertedSections.append(.init(section: section, index: index))
            }
        }
        let kept = longestIncreasingSubsequence(of: survivors.map(\.from))
        difference.movedSections = zip(survivors, kept).filter { !$0.1 }.map(\.0)
    }

    private func findItemDeletions(
        from other: DiffableDataSourceSnapshot, into difference: inout Difference
    ) {
        for (place, item) in other.items.elements.enumerated() where !items.contains(item) {
            difference.deletedItems.append(.init(item: item, position: other.position(at: place)))
        }
    }

    private func findItemChanges(
        inSectionAt number: Int, from other: DiffableDataSourceSnapshot,
        into difference: inout Difference
    ) {
        let home = other.sections.index(of: sections.elements[number])
        let homeRange = home.map { other.range(ofSectionAt: $0) } ?? 0..<0
        var survivors: [(place: Int, from: Int)] = []
        for place in range(ofSectionAt: number) {
            let item = items.elements[place]
            if let from = other.items.index(of: item) {
                survivors.append((place, from))
            } else {
                difference.insertedItems.append(.init(item: item, position: position(at: place)))
            }
        }
        let stayed = survivors.map(\.from).filter(homeRange.contains)
        var kept = longestIncreasingSubsequence(of: stayed).makeIterator()
        for (place, from) in survivors {
            if homeRange.contains(from), kept.next() == true { continue }
            difference.movedItems.append(
                .init(
                    item: items.elements[place], from: other.position(at: from),
                    to: position(at: place)))
        }
    }

    private func noteMarks(into difference: inout Difference) {
        difference.reloadedSections = marks.reloadedSections.identifiers.compactMap { section in
            sections.index(of: section).map { .init(section: section, index: $0) }
        }.sorted { $0.index < $1.index }
        difference.reloadedItems = changes(marking: marks.reloadedItems.identifiers)
        difference.reconfiguredItems = changes(marking: marks.reconfiguredItems.identifiers)
    }

    private func changes(marking marked: [ItemIdentifierType]) -> [Difference.ItemChange] {
        marked.compactMap { items.index(of: $0) }.sorted().map {
            .init(item: items.elements[$0], position: position(at: $0))
        }
    }

    private func position(at place: Int) -> Difference.Position {
        let indexPath = indexPath(at: place)
        return .init(section: sections.elements[indexPath.section], indexPath: indexPath)
    }
}
