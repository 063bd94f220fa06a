// Random snapshots, and random edits of one.
import DiffCore
import TestSupport

extension DiffableDataSourceSnapshot<Int, Int> {
    /// A snapshot of random numbers below a bound in random sections.
    static func random(
        items bound: Int, sections: Int, using generator: inout SeededGenerator
    ) -> NumberSnapshot {
        var snapshot = NumberSnapshot()
        var items = (0..<bound).shuffled(using: &generator)
        items.removeLast(Int.random(in: 0...bound / 2, using: &generator))
        let names = (0..<sections).shuffled(using: &generator)
        snapshot.appendSections(
            Array(names.prefix(Int.random(in: 1...sections, using: &generator))))
        for section in snapshot.sectionIdentifiers {
            let share = Int.random(in: 0...items.count, using: &generator)
            snapshot.appendItems(Array(items.prefix(share)), toSection: section)
            items.removeFirst(share)
        }
        return snapshot
    }

    /// The snapshot after some random inserts, deletes and moves of single items.
    func edited(
        edits: Int, fresh: Int = 1_000_000, using generator: inout SeededGenerator
    ) -> NumberSnapshot {
        var snapshot = self
        var fresh = fresh
        for _ in 0..<edits {
            guard let item = snapshot.itemIdentifiers.randomElement(using: &generator),
                let other = snapshot.itemIdentifiers.randomElement(using: &generator)
            else { return snapshot }
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: snapshot.deleteItems([item])
            case 1 where item != other: snapshot.moveItem(item, beforeItem: other)
            default:
                snapshot.insertItems([fresh], afterItem: item)
                fresh += 1
            }
        }
        return snapshot
    }

    /// A short description for failure messages.
    var sketch: String {
        sectionIdentifiers.map { "\($0)\(itemIdentifiers(inSection: $0))" }.joined(separator: " ")
    }
}
