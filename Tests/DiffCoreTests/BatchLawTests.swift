// Batches of random differences, performed in the steps that the article on writing a view gives.
import DiffCore
import TestSupport
import Testing

@Suite struct BatchLawTests {
    /// The seed alone determines the snapshots and the marks.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a view that performs batches has the new rows and keeps the cells of the others`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        var old = NumberSnapshot()
        var view = BatchView()
        for round in 1...8 {
            var new =
                Bool.random(using: &generator)
                ? NumberSnapshot.random(items: 20, sections: 5, using: &generator)
                : old.edited(edits: 4, fresh: 1_000 * round, using: &generator)
            new.reconfigureItems(new.itemIdentifiers.filter { $0 % 5 == 0 })
            new.reloadItems(new.itemIdentifiers.filter { $0 % 7 == 0 })
            let difference = new.difference(from: old)
            let before = view
            view.perform(difference.batch, to: new)
            #expect(view.items == new.sectionIdentifiers.map(new.itemIdentifiers(inSection:)))
            let kept = old.itemIdentifiers.filter { new.indexOfItem($0) != nil }
            for item in kept where !view.made.contains(item) {
                #expect(view.configurations[item] != nil)
                let isMarked = item % 5 == 0 && item % 7 != 0
                let count = before.configurations[item, default: 0] + (isMarked ? 1 : 0)
                #expect(view.configurations[item] == count, "\(item) keeps its cell")
            }
            for item in new.itemIdentifiers where old.indexOfItem(item) == nil || item % 7 == 0 {
                #expect(view.made.contains(item), "\(item) gets a cell")
            }
            #expect(view.madeTwice.isEmpty)
            old = NumberSnapshot(
                new.sectionIdentifiers.map { ($0, new.itemIdentifiers(inSection: $0)) })
        }
    }
}

/// Rows that only a batch changes; an item stands for its cell.
private struct BatchView {
    private(set) var items: [[Int]] = []
    /// The number of configurations of each cell since it was made.
    private(set) var configurations: [Int: Int] = [:]
    /// The items whose cells the last batch made.
    private(set) var made: Set<Int> = []
    private(set) var madeTwice: Set<Int> = []

    mutating func perform(
        _ batch: SnapshotDifference<Int, Int>.Batch, to snapshot: NumberSnapshot
    ) {
        (made, madeTwice) = ([], [])
        var moved: [IndexPath: Int] = [:]
        var movedSections: [Int: [Int]] = [:]
        // The old positions, from the last one to the first.
        let targets = Dictionary(uniqueKeysWithValues: batch.itemMoves.map { ($0.from, $0.to) })
        for path in (batch.itemDeletes + targets.keys).sorted().reversed() {
            let item = items[path.section].remove(at: path.item)
            if let target = targets[path] { moved[target] = item }
        }
        let sections = Dictionary(uniqueKeysWithValues: batch.sectionMoves.map { ($0.from, $0.to) })
        for index in (batch.sectionDeletes + sections.keys).sorted().reversed() {
            let section = items.remove(at: index)
            if let target = sections[index] { movedSections[target] = section }
        }
        // The new positions, from the first one to the last.
        for index in (batch.sectionInserts + movedSections.keys).sorted() {
            let inserted = snapshot.itemIdentifiers(
                inSection: snapshot.sectionIdentifiers[index])
            items.insert(movedSections[index] ?? inserted, at: index)
            if movedSections[index] == nil { inserted.forEach { make($0) } }
        }
        for path in (batch.itemInserts + moved.keys).sorted() {
            let item = moved[path] ?? self.item(at: path, in: snapshot)
            items[path.section].insert(item, at: path.item)
            if moved[path] == nil { make(item) }
        }
        for path in batch.itemReloads { make(items[path.section][path.item]) }
        for path in batch.itemReconfigurations {
            configurations[items[path.section][path.item], default: 0] += 1
        }
    }

    private func item(at path: IndexPath, in snapshot: NumberSnapshot) -> Int {
        snapshot.itemIdentifiers(inSection: snapshot.sectionIdentifiers[path.section])[path.item]
    }

    private mutating func make(_ item: Int) {
        if !made.insert(item).inserted { madeTwice.insert(item) }
        configurations[item] = 1
    }
}
