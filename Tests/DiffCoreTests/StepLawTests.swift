// Steps of random differences, performed one after the other by a view that checks each of them.
import DiffCore
import TestSupport
import Testing

@Suite struct StepLawTests {
    /// The seed alone determines the snapshots and the marks.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func `each step is valid at its turn, and cells that stay are kept`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var old = NumberSnapshot()
        var view = StepView()
        for round in 1...8 {
            var new =
                Bool.random(using: &generator)
                ? NumberSnapshot.random(items: 20, sections: 5, using: &generator)
                : old.edited(edits: 4, fresh: 1_000 * round, using: &generator)
            new.reconfigureItems(new.itemIdentifiers.filter { $0 % 5 == 0 })
            new.reloadItems(new.itemIdentifiers.filter { $0 % 7 == 0 })
            new.reloadSections(new.sectionIdentifiers.filter { $0 % 3 == 0 })
            let difference = new.difference(from: old)
            view.perform(difference.steps, to: new)
            #expect(view.items == new.sectionIdentifiers.map(new.itemIdentifiers(inSection:)))
            let inserted = Set(difference.insertedItems.map(\.item))
            #expect(Set(view.inserted) == inserted && view.inserted.count == inserted.count)
            #expect(view.moves == difference.movedItems.count)
            #expect(view.reloaded.isSuperset(of: difference.reloadedItems.map(\.item)))
            old = NumberSnapshot(
                new.sectionIdentifiers.map { ($0, new.itemIdentifiers(inSection: $0)) })
        }
    }

    @Test func `steps are merged by their position in the new list`() {
        let old = NumberSnapshot([(0, [1, 2, 3, 4]), (1, [5])])
        let new = NumberSnapshot([(0, [4, 9, 1, 5, 3])])
        #expect(
            new.difference(from: old).steps == [
                .deleteItem(at: IndexPath(item: 1, section: 0)),
                .moveItem(
                    from: IndexPath(item: 2, section: 0), to: IndexPath(item: 0, section: 0)),
                .insertItem(
                    at: IndexPath(item: 1, section: 0), final: IndexPath(item: 1, section: 0)),
                .moveItem(
                    from: IndexPath(item: 0, section: 1), to: IndexPath(item: 3, section: 0)),
                .deleteSection(at: 1),
            ])
    }

    @Test func `equal snapshots have no steps`() {
        let snapshot = NumberSnapshot([(0, [1, 2]), (1, [])])
        #expect(snapshot.difference(from: snapshot).steps.isEmpty)
    }

    @Test func `the time per step does not grow with the list`() {
        func time(items: Int) -> Duration {
            let old = NumberSnapshot([(0, Array(0..<items))])
            var new = old
            // The last items change places at the front.
            for item in (items - 400)..<items { new.moveItem(item, beforeItem: 0) }
            let difference = new.difference(from: old)
            return (0..<5).map { _ in
                ContinuousClock().measure { _ = difference.steps }
            }.min()!
        }
        _ = time(items: 1_000)
        #expect(time(items: 30_000) < time(items: 1_000) * 6)
    }
}

/// Rows that only steps change; an item stands for its cell.
private struct StepView {
    private(set) var items: [[Int]] = []
    private(set) var inserted: [Int] = []
    private(set) var reloaded: Set<Int> = []
    private(set) var moves = 0

    mutating func perform(_ steps: [ListStep], to snapshot: NumberSnapshot) {
        (inserted, reloaded, moves) = ([], [], 0)
        for step in steps {
            switch step {
            case .deleteItem(let path): items[path.section].remove(at: path.item)
            case .insertSection(let index): items.insert([], at: index)
            case .moveSection(let from, let to): items.insert(items.remove(at: from), at: to)
            case .insertItem(let path, let final):
                let section = snapshot.sectionIdentifiers[final.section]
                let item = snapshot.itemIdentifiers(inSection: section)[final.item]
                items[path.section].insert(item, at: path.item)
                inserted.append(item)
            case .moveItem(let from, let to):
                let item = items[from.section].remove(at: from.item)
                items[to.section].insert(item, at: to.item)
                moves += 1
            case .deleteSection(let index):
                #expect(items.remove(at: index).isEmpty)
            case .reloadSection(let index): reloaded.formUnion(items[index])
            case .reloadItem(let path): reloaded.insert(items[path.section][path.item])
            case .reconfigureItem(let path):
                #expect(items[path.section][path.item] % 5 == 0)
            }
        }
    }
}
