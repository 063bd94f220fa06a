// All pairs of small snapshots, up to renaming.
import DiffCore

typealias NumberSnapshot = DiffableDataSourceSnapshot<Int, Int>

/// All pairs of snapshots with at most four items in at most two sections each.
///
/// The older one numbers its sections and items from zero; the newer one holds
/// any of these and, from 10 on, some of its own. Any other pair is one of
/// these with other names.
enum SmallWorld {
    static let most = (items: 4, sections: 2)

    /// The older snapshots.
    static var olds: [NumberSnapshot] {
        arrangements(
            sections: (0...most.sections).map { Array(0..<$0) },
            items: (0...most.items).map { Array(0..<$0) })
    }

    /// The newer snapshots for an older one.
    static func news(after old: NumberSnapshot) -> [NumberSnapshot] {
        arrangements(
            sections: sequences(over: old.sectionIdentifiers, upTo: most.sections),
            items: sequences(over: old.itemIdentifiers, upTo: most.items))
    }

    /// Sequences of distinct old numbers, mixed with ascending new ones.
    private static func sequences(over old: [Int], upTo length: Int) -> [[Int]] {
        var all: [[Int]] = [[]]
        var longest = all
        for _ in 0..<length {
            longest = longest.flatMap { start in
                let fresh = start.count { $0 >= 10 } + 10
                return (old.filter { !start.contains($0) } + [fresh]).map { start + [$0] }
            }
            all += longest
        }
        return all
    }

    /// All distributions of items to sections that keep their order.
    private static func arrangements(sections: [[Int]], items: [[Int]]) -> [NumberSnapshot] {
        sections.flatMap { sections in
            items.flatMap { items -> [NumberSnapshot] in
                switch sections.count {
                case 0: items.isEmpty ? [NumberSnapshot()] : []
                case 1: [snapshot([(sections[0], items[...])])]
                default:
                    (0...items.count).map { cut in
                        snapshot([(sections[0], items[..<cut]), (sections[1], items[cut...])])
                    }
                }
            }
        }
    }

    private static func snapshot(_ content: [(section: Int, items: ArraySlice<Int>)])
        -> NumberSnapshot
    {
        var snapshot = NumberSnapshot()
        for (section, items) in content {
            snapshot.appendSections([section])
            snapshot.appendItems(Array(items))
        }
        return snapshot
    }
}
