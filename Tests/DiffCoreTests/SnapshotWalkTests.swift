// Random sequences of operations, compared with a naive snapshot.
import DiffCore
import TestSupport
import Testing

@Suite struct SnapshotWalkTests {
    /// The seed alone determines the operations.
    @Test(arguments: seeds(60))
    func `a snapshot equals the naive model after every random operation`(seed: UInt64) {
        var walk = SnapshotWalk(seed: seed)
        for _ in 0..<120 {
            walk.step()
            walk.model.expectSame(as: walk.snapshot)
        }
    }

    @Test(arguments: 100..<130 as Range<UInt64>)
    func `a snapshot that is queried after many operations equals the naive model`(seed: UInt64) {
        var walk = SnapshotWalk(seed: seed)
        for _ in 0..<400 { walk.step() }
        walk.model.expectSame(as: walk.snapshot)
    }

    /// The hash table follows many edits before it is made again.
    @Test(arguments: 300..<306 as Range<UInt64>)
    func `a long snapshot equals the naive model after many random operations`(seed: UInt64) {
        var walk = SnapshotWalk(seed: seed, itemBound: 400)
        for _ in 0..<20 {
            walk.fill()
            for _ in 0..<40 { walk.step() }
            walk.model.expectSame(as: walk.snapshot)
        }
    }

    @Test(arguments: 200..<230 as Range<UInt64>)
    func `a copy does not change with the original`(seed: UInt64) {
        var walk = SnapshotWalk(seed: seed)
        for _ in 0..<20 {
            let copy = walk.snapshot
            let model = walk.model
            for _ in 0..<5 { walk.step() }
            model.expectSame(as: copy)
        }
    }
}

/// The same random operations on a snapshot and a model.
private struct SnapshotWalk {
    var snapshot = DiffableDataSourceSnapshot<Int, Int>()
    var model = NaiveSnapshot()
    private var generator: SeededGenerator
    /// Items are numbers below it.
    private let itemBound: Int

    init(seed: UInt64, itemBound: Int = 40) {
        generator = SeededGenerator(seed: seed)
        self.itemBound = itemBound
    }

    /// Appends all items that are missing.
    mutating func fill() {
        if model.sections.isEmpty { addSections() }
        guard let any = pick(model.sectionNames) else { return }
        let present = Set(model.items)
        let items = (0..<itemBound).filter { !present.contains($0) }
        snapshot.appendItems(items, toSection: any)
        model.appendItems(items, toSection: any)
    }

    mutating func step() {
        guard !model.sections.isEmpty else { return addSections() }
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: addSections()
        case 1: deleteSections()
        case 2, 3: moveSection()
        case 4..<9: appendItems()
        case 9..<13: insertItems()
        case 13..<16: moveItem()
        default: deleteItems()
        }
    }

    private mutating func pick<C: Collection>(_ candidates: C) -> C.Element? {
        candidates.randomElement(using: &generator)
    }

    private mutating func pickItems() -> [Int] {
        let count = Int.random(in: 0...6, using: &generator)
        return Array((0..<itemBound).shuffled(using: &generator).prefix(count))
    }

    private mutating func addSections() {
        let absent = (0..<8).filter { !model.sectionNames.contains($0) }.shuffled(using: &generator)
        let names = Array(absent.prefix(2))
        guard let anchor = pick(model.sectionNames), Bool.random(using: &generator),
            let number = model.sectionNames.firstIndex(of: anchor)
        else {
            snapshot.appendSections(names)
            return model.insertSections(names, at: model.sections.count)
        }
        if Bool.random(using: &generator) {
            snapshot.insertSections(names, beforeSection: anchor)
            model.insertSections(names, at: number)
        } else {
            snapshot.insertSections(names, afterSection: anchor)
            model.insertSections(names, at: number + 1)
        }
    }

    private mutating func deleteSections() {
        let names = [pick(0..<8), pick(model.sectionNames)].compactMap { $0 }
        snapshot.deleteSections(names)
        model.deleteSections(names)
    }

    private mutating func moveSection() {
        guard let name = pick(model.sectionNames), let anchor = pick(model.sectionNames),
            name != anchor
        else { return }
        let after = Bool.random(using: &generator)
        if after {
            snapshot.moveSection(name, afterSection: anchor)
        } else {
            snapshot.moveSection(name, beforeSection: anchor)
        }
        model.moveSection(name, to: anchor, after: after)
    }

    private mutating func appendItems() {
        let items = pickItems()
        guard let last = model.sectionNames.last, let any = pick(model.sectionNames) else { return }
        if Bool.random(using: &generator) {
            snapshot.appendItems(items)
            model.appendItems(items, toSection: last)
        } else {
            snapshot.appendItems(items, toSection: any)
            model.appendItems(items, toSection: any)
        }
    }

    private mutating func insertItems() {
        guard let anchor = pick(model.items) else { return }
        let items = pickItems().filter { $0 != anchor }
        let after = Bool.random(using: &generator)
        if after {
            snapshot.insertItems(items, afterItem: anchor)
        } else {
            snapshot.insertItems(items, beforeItem: anchor)
        }
        model.insertItems(items, at: anchor, after: after)
    }

    private mutating func moveItem() {
        guard let item = pick(model.items), let anchor = pick(model.items), item != anchor else {
            return
        }
        let after = Bool.random(using: &generator)
        if after {
            snapshot.moveItem(item, afterItem: anchor)
        } else {
            snapshot.moveItem(item, beforeItem: anchor)
        }
        model.insertItems([item], at: anchor, after: after)
    }

    private mutating func deleteItems() {
        let items = pickItems()
        snapshot.deleteItems(items)
        model.deleteItems(items)
    }
}
