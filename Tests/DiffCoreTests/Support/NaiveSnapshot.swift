// A simple model of a snapshot, which the real one is compared with.
import DiffCore
import Testing

/// Sections and items as nested arrays with linear searches.
struct NaiveSnapshot {
    private(set) var sections: [(name: Int, items: [Int])] = []

    var sectionNames: [Int] { sections.map(\.name) }
    var items: [Int] { sections.flatMap(\.items) }

    func position(of item: Int) -> (section: Int, offset: Int)? {
        for (number, section) in sections.enumerated() {
            if let offset = section.items.firstIndex(of: item) { return (number, offset) }
        }
        return nil
    }

    mutating func insertSections(_ names: [Int], at number: Int) {
        sections.insert(contentsOf: names.map { ($0, []) }, at: number)
    }

    mutating func deleteSections(_ names: [Int]) {
        sections.removeAll { names.contains($0.name) }
    }

    mutating func moveSection(_ name: Int, to anchor: Int, after: Bool) {
        guard let from = sectionNames.firstIndex(of: name) else { return }
        let moved = sections.remove(at: from)
        guard let number = sectionNames.firstIndex(of: anchor) else { return }
        sections.insert(moved, at: after ? number + 1 : number)
    }

    mutating func appendItems(_ items: [Int], toSection name: Int) {
        deleteItems(items)
        guard let number = sectionNames.firstIndex(of: name) else { return }
        sections[number].items += items
    }

    mutating func insertItems(_ items: [Int], at anchor: Int, after: Bool) {
        deleteItems(items)
        guard let (section, offset) = position(of: anchor) else { return }
        sections[section].items.insert(contentsOf: items, at: after ? offset + 1 : offset)
    }

    mutating func deleteItems(_ items: [Int]) {
        for number in sections.indices { sections[number].items.removeAll(where: items.contains) }
    }

    /// Expects that a snapshot returns the same results for all queries.
    func expectSame(
        as snapshot: DiffableDataSourceSnapshot<Int, Int>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(snapshot.sectionIdentifiers == sectionNames, sourceLocation: sourceLocation)
        #expect(snapshot.itemIdentifiers == items, sourceLocation: sourceLocation)
        #expect(snapshot.numberOfItems == items.count, sourceLocation: sourceLocation)
        #expect(snapshot.numberOfSections == sections.count, sourceLocation: sourceLocation)
        for (number, section) in sections.enumerated() {
            let listed = snapshot.itemIdentifiers(inSection: section.name)
            #expect(listed == section.items, sourceLocation: sourceLocation)
            let single = section.items.indices.map {
                snapshot.itemIdentifier(at: IndexPath(item: $0, section: number))
            }
            #expect(single == section.items, sourceLocation: sourceLocation)
            let count = snapshot.numberOfItems(inSection: section.name)
            #expect(count == section.items.count, sourceLocation: sourceLocation)
            #expect(snapshot.indexOfSection(section.name) == number, sourceLocation: sourceLocation)
        }
        for (index, item) in items.enumerated() {
            let holder = position(of: item).map { sections[$0.section].name }
            let found = snapshot.sectionIdentifier(containingItem: item)
            #expect(found == holder, sourceLocation: sourceLocation)
            #expect(snapshot.indexOfItem(item) == index, sourceLocation: sourceLocation)
        }
    }
}
