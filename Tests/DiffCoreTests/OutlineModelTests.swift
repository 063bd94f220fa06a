// Random changes of outlined lists beside a naive model, and the work that a change takes.
import DiffCore
import Synchronization
import TestSupport
import Testing

@Suite struct OutlineModelTests {
    /// The seed alone determines the changes.
    @Test(arguments: seeds(60))
    func `outlines equal a naive model after every change`(seed: UInt64) {
        var walk = OutlineModelWalk(seed: seed)
        for step in 0..<40 {
            let before = walk.model
            let change = walk.step()
            let outlines = NaiveOutlines(walk.dataSource)
            guard outlines == walk.model else {
                Issue.record("step \(step), \(change):\n\(before)\n\(outlines)\n\(walk.model)")
                return
            }
            guard walk.isConsistent else {
                Issue.record("step \(step), \(change): a parent or a visible item is wrong")
                return
            }
        }
    }
}

/// The same random changes of a data source and of a naive model.
private struct OutlineModelWalk {
    let dataSource = DiffableDataSource<String, String>()
    var model: NaiveOutlines
    private var generator: SeededGenerator
    private var fresh = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        model = NaiveOutlines(dataSource)
        dataSource.reorderingHandlers.canReorderItem = { _ in true }
        for section in ["A", "B"] { dataSource.apply(outline(count: 30), to: section) }
        var list = dataSource.snapshot()
        list.appendSections(["C"])
        list.appendItems(["x", "y", "z"])
        dataSource.apply(list)
        model = NaiveOutlines(dataSource)
    }

    /// Whether parents, visible items and rows agree with the levels.
    var isConsistent: Bool {
        dataSource.snapshot().sectionIdentifiers.allSatisfy { section in
            let outline = dataSource.snapshot(for: section)
            let nodes = NaiveOutlines.nodes(of: outline)
            let visible = NaiveOutlines.visible(nodes).map { nodes[$0].name }
            let parents = nodes.indices.map { index in
                NaiveOutlines.ancestors(of: index, in: nodes).first.map { nodes[$0].name }
            }
            return outline.visibleItems == visible
                && outline.items.map(outline.parent) == parents
                && outline.items.filter(outline.isVisible) == visible
                && outline.items.enumerated().allSatisfy { outline.index(of: $1) == $0 }
                && dataSource.snapshot().itemIdentifiers(inSection: section) == visible
        }
    }

    mutating func step() -> String {
        var list = dataSource.snapshot()
        guard let item = list.itemIdentifiers.randomElement(using: &generator),
            let other = list.itemIdentifiers.randomElement(using: &generator),
            let section = list.sectionIdentifiers.randomElement(using: &generator)
        else { return replaceOutline(of: "A", reusing: []) }
        var change = "\(item), \(other), \(section)"
        switch Int.random(in: 0..<12, using: &generator) {
        case 0, 1:
            change = "delete \(change)"
            list.deleteItems([item, other])
        case 2: list.insertItems([name(), name()], beforeItem: item)
        case 3:
            change = "insert after and delete \(change)"
            list.insertItems([name()], afterItem: item)
            list.deleteItems([other])
        case 4:
            change = "move to another section \(change)"
            guard list.sectionIdentifier(containingItem: item) != section else { break }
            list.appendItems([item], toSection: section)
        case 5:
            change = "show a hidden item \(change)"
            let hidden = model.sections.values.joined().map(\.name)
                .filter { list.indexOfItem($0) == nil }.sorted()
            guard let shown = hidden.randomElement(using: &generator) else { break }
            list.insertItems([shown], beforeItem: item)
        case 6:
            change = "delete a section \(change)"
            list.deleteSections([section])
            list.appendSections([section])
        case 7, 8:
            dataSource.apply(list)
            return toggle(item)
        case 9: return replaceOutline(of: section, reusing: [item])
        case 10: return editOutline(of: section)
        default: return reorder(item, to: section)
        }
        dataSource.apply(list)
        model.carry(to: list)
        return change
    }

    private mutating func toggle(_ item: String) -> String {
        let isExpanded = dataSource.expand(item) || !dataSource.collapse(item)
        for (section, nodes) in model.sections {
            guard let index = nodes.firstIndex(where: { $0.name == item }),
                dataSource.outline(of: section) != nil
            else { continue }
            model.sections[section]?[index].isExpanded = isExpanded
        }
        return "toggle \(item)"
    }

    private mutating func reorder(_ item: String, to section: String) -> String {
        let list = dataSource.snapshot()
        let origin = dataSource.snapshot(
            for: list.sectionIdentifier(containingItem: item) ?? section)
        let moved = origin.snapshot(of: item, includingParent: true).items
            .filter(origin.isVisible)
        let count = list.numberOfItems(inSection: section)
        let path = IndexPath(
            item: Int.random(in: 0...count, using: &generator),
            section: list.indexOfSection(section) ?? 0)
        if dataSource.reorder(item, to: path) {
            model.carry(to: dataSource.snapshot(), moved: Set(moved))
        }
        return "reorder \(item) to \(path)"
    }

    /// Changes an outline at random and applies it.
    private mutating func editOutline(of section: String) -> String {
        var outline = dataSource.snapshot(for: section)
        for _ in 0..<2 {
            guard let item = outline.items.randomElement(using: &generator) else { break }
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: outline.append([name(), name()], to: item)
            case 1: outline.insert([name()], after: item)
            case 2: outline.delete([item])
            default: outline.expand(outline.items)
            }
        }
        show(outline, in: section)
        return "edit the outline of \(section)"
    }

    private mutating func replaceOutline(of section: String, reusing items: [String]) -> String {
        let hidden = model.sections.values.joined().map(\.name).sorted()
        let others = items + [hidden.randomElement(using: &generator) ?? name()]
        show(outline(count: 12, reusing: Set(others)), in: section)
        return "replace the outline of \(section)"
    }

    private mutating func show(_ outline: TextOutline, in section: String) {
        dataSource.apply(outline, to: section)
        model.deleteHidden(Set(outline.items), except: section)
        model.sections[section] = []
        model.carry(to: dataSource.snapshot())
        model.sections[section] = NaiveOutlines.nodes(of: outline)
    }

    private mutating func name() -> String {
        fresh += 1
        return "n\(fresh)"
    }

    /// A random outline of new items, and of some others.
    private mutating func outline(count: Int, reusing others: Set<String> = []) -> TextOutline {
        var outline = TextOutline()
        for other in others.sorted() + (0..<count).map({ _ in name() }) {
            let parent = outline.items.randomElement(using: &generator)
            outline.append([other], to: Bool.random(using: &generator) ? parent : nil)
            if Bool.random(using: &generator) { outline.expand([other]) }
        }
        return outline
    }
}

// MARK: Work

/// An event of an outlined list takes no more hashes and comparisons in a long list.
@Suite(.serialized) struct OutlineWorkTests {
    private typealias Source = DiffableDataSource<Int, WorkID>

    /// Three blocks of 64 rows are compared one by one where a change is.
    private let limit = 500

    @Test(arguments: [1_000, 11_000])
    func `a row that comes or goes in an outline takes a fixed number of comparisons`(
        count: Int
    ) {
        let source = outlined(count)
        let all = source.snapshot()
        var fewer = all
        fewer.deleteItems([WorkID(number: count / 2 + 5)])
        #expect(fewer.numberOfItems == all.numberOfItems - 1)
        for list in [fewer, all, fewer] {
            #expect(work { source.apply(list) } <= limit)
            #expect(source.snapshot(for: 0).visibleItems == list.itemIdentifiers(inSection: 0))
        }
    }

    @Test(arguments: [1_000, 11_000])
    func `an event in another section takes a fixed number of comparisons`(count: Int) {
        let source = outlined(count)
        let all = source.snapshot()
        var fewer = all
        fewer.deleteItems([WorkID(number: -2)])
        #expect(fewer.numberOfItems == all.numberOfItems - 1)
        for list in [fewer, all] { #expect(work { source.apply(list) } <= limit) }
    }

    @Test(arguments: [1_000, 11_000])
    func `expanding and collapsing take a fixed number of comparisons`(count: Int) {
        let source = outlined(count)
        let item = WorkID(number: count / 20 * 10)
        #expect(work { source.collapse(item) } <= limit)
        #expect(source.snapshot().numberOfItems == count + 3 - 9)
        #expect(work { source.expand(item) } <= limit)
        #expect(source.snapshot().numberOfItems == count + 3)
    }

    @Test(arguments: [1_000, 11_000])
    func `an outline with another child takes a fixed number of comparisons`(count: Int) {
        let source = outlined(count)
        var outline = source.snapshot(for: 0)
        outline.append([WorkID(number: -9)], to: WorkID(number: count / 20 * 10))
        #expect(work { source.apply(outline, to: 0) } <= limit)
        #expect(source.snapshot().numberOfItems == count + 4)
    }

    @Test(arguments: [1_000, 11_000])
    func `contents are compared without look-ups`(count: Int) {
        let source = Source()
        var list = DiffableDataSourceSnapshot<Int, WorkID>()
        list.appendSections([0])
        list.appendItems((0..<count).map(WorkID.init))
        source.apply(list, content: \.number)
        list.deleteItems([WorkID(number: count / 2)])
        #expect(work { source.apply(list, content: \.number) } <= limit)
    }

    /// A data source with an outline of `count` rows, each tenth of which is the parent of nine, and a
    /// second section of three items.
    private func outlined(_ count: Int) -> Source {
        var outline = DiffableDataSourceSectionSnapshot<WorkID>()
        for parent in stride(from: 0, to: count, by: 10) {
            outline.append([WorkID(number: parent)])
            outline.append(
                (parent + 1..<parent + 10).map(WorkID.init), to: WorkID(number: parent))
            outline.expand([WorkID(number: parent)])
        }
        let source = Source()
        var list = source.snapshot()
        list.appendSections([0, 1])
        list.appendItems([-1, -2, -3].map(WorkID.init), toSection: 1)
        source.apply(list)
        source.apply(outline, to: 0)
        return source
    }

    private func work(_ change: () -> Void) -> Int {
        let before = workCount.load(ordering: .relaxed)
        change()
        return workCount.load(ordering: .relaxed) - before
    }
}

private let workCount = Atomic<Int>(0)

/// An identifier that counts its hashes and comparisons.
private struct WorkID: Hashable, Sendable {
    let number: Int

    init(number: Int) { self.number = number }

    static func == (left: WorkID, right: WorkID) -> Bool {
        workCount.add(1, ordering: .relaxed)
        return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
        workCount.add(1, ordering: .relaxed)
        hasher.combine(number)
    }
}
