// Index paths in snapshots of many sections.
import DiffCore
import TestSupport
import Testing

@Suite struct ManySectionsTests {
    /// The seed alone determines the sections.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func `each item is found in its section, among empty ones too`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var snapshot = NumberSnapshot()
        var expected: [Int] = []
        for section in 0..<Int.random(in: 1...200, using: &generator) {
            let isEmpty = Bool.random(using: &generator)
            let count = isEmpty ? 0 : Int.random(in: 1...100, using: &generator)
            snapshot.appendSections([section])
            snapshot.appendItems(Array(expected.count..<expected.count + count))
            expected += repeatElement(section, count: count)
        }
        let found = expected.indices.map { snapshot.sectionIdentifier(containingItem: $0) }
        #expect(found == expected)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `index paths follow every change of a snapshot of many sections`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var snapshot = NumberSnapshot.random(items: 300, sections: 40, using: &generator)
        let view = SilentView()
        let dataSource = DiffableDataSource<Int, Int>(view: view) { _, _, _ in }
        for step in 0..<60 {
            change(&snapshot, fresh: 1_000 + step, using: &generator)
            dataSource.apply(snapshot)
            for (number, section) in snapshot.sectionIdentifiers.enumerated() {
                for (offset, item) in snapshot.itemIdentifiers(inSection: section).enumerated() {
                    let expected = IndexPath(item: offset, section: number)
                    guard dataSource.indexPath(for: item) == expected,
                        snapshot.sectionIdentifier(containingItem: item) == section
                    else {
                        Issue.record("item \(item) is not found at \(expected) after step \(step)")
                        return
                    }
                }
            }
        }
    }

    /// The seed alone determines the sections, some of which are empty.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `deleting many sections at once leaves the others with their items`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var snapshot = NumberSnapshot.random(items: 300, sections: 60, using: &generator)
        snapshot.appendSections(Array(100..<110))
        let share = Int.random(in: 1...4, using: &generator)
        let deleted = snapshot.sectionIdentifiers.filter { _ in
            Int.random(in: 0..<4, using: &generator) < share
        }
        var model = NaiveSnapshot()
        for section in snapshot.sectionIdentifiers where !deleted.contains(section) {
            model.insertSections([section], at: model.sections.count)
            model.appendItems(snapshot.itemIdentifiers(inSection: section), toSection: section)
        }
        snapshot.deleteSections(deleted.shuffled(using: &generator))
        model.expectSame(as: snapshot)
    }

    private func change(
        _ snapshot: inout NumberSnapshot, fresh: Int, using generator: inout SeededGenerator
    ) {
        let sections = snapshot.sectionIdentifiers.shuffled(using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: snapshot.appendItems([fresh], toSection: sections.first)
        case 1: snapshot.deleteItems(Array(snapshot.itemIdentifiers.prefix(2)))
        case 2: snapshot.appendSections([fresh])
        case 3 where sections.count > 1:
            snapshot.moveSection(sections[0], beforeSection: sections[1])
        default: snapshot.deleteSections(Array(sections.prefix(1)))
        }
        if snapshot.numberOfSections == 0 { snapshot.appendSections([fresh]) }
    }
}

/// A view that ignores its updates.
private final class SilentView: DiffableListView {
    func attach(_ content: ListContent<Int, Int, Void, Never>) {}

    func performBatchUpdates(
        _ difference: SnapshotDifference<Int, Int>, to snapshot: NumberSnapshot,
        animation: RowAnimation
    ) {}

    func reloadData(to snapshot: NumberSnapshot) {}
}
