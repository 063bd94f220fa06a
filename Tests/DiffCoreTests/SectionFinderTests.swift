// Which section an item is in, where there are many sections, and how the answer follows changes.
import TestSupport
import Testing

@testable import DiffCore

@Suite struct SectionFinderTests {
    /// A failure names its seed, and the seed alone decides the sections.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func `every place is found in its section, among empty ones too`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bounds = [0]
        var expected: [Int] = []
        for section in 0..<Int.random(in: 1...200, using: &generator) {
            let isEmpty = Bool.random(using: &generator)
            let count = isEmpty ? 0 : Int.random(in: 1...100, using: &generator)
            expected += repeatElement(section, count: count)
            bounds.append(expected.count)
        }
        let finder = SectionFinder.forSections(bounds.count - 1)
        #expect((finder == nil) == (bounds.count - 1 <= SectionFinder.few))
        let found = expected.indices.map { section(at: $0, in: bounds, finder: finder) }
        #expect(found == expected)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `places are right after every change of a snapshot of many sections`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var snapshot = NumberSnapshot.random(items: 300, sections: 40, using: &generator)
        for step in 0..<60 {
            change(&snapshot, fresh: 1_000 + step, using: &generator)
            for (number, section) in snapshot.sectionIdentifiers.enumerated() {
                for (place, item) in snapshot.itemIdentifiers(inSection: section).enumerated() {
                    let expected = IndexPath(item: place, section: number)
                    guard snapshot.indexPath(of: item) == expected,
                        snapshot.sectionIdentifier(containingItem: item) == section
                    else {
                        Issue.record("item \(item) is not found at \(expected) after step \(step)")
                        return
                    }
                }
            }
        }
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
