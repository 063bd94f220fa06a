// Items that are equal by their identifier alone: the value that was given last is found everywhere.
import DiffCore
import TestSupport
import Testing

@Suite struct ItemValueTests {
    @Test func `an appended or inserted item replaces the equal one in the snapshot`() {
        for count in 1...3 {
            var snapshot = DiffableDataSourceSnapshot<Int, Named>()
            snapshot.appendSections([0])
            snapshot.appendItems((0..<40).map { Named(id: $0, version: 0) })
            #expect(snapshot.numberOfItems == 40)
            snapshot.appendItems((5..<5 + count).map { Named(id: $0, version: 1) })
            let anchor = Named(id: 30, version: 2)
            snapshot.insertItems(
                (10..<10 + count).map { Named(id: $0, version: 1) }, beforeItem: anchor)
            let new = snapshot.itemIdentifiers.filter { $0.version == 1 }.map(\.id)
            #expect(new == Array(10..<10 + count) + Array(5..<5 + count))
            #expect(snapshot.itemIdentifiers.allSatisfy { $0.version < 2 })
        }
    }

    @Test func `a call that only names an item keeps its value`() {
        var snapshot = DiffableDataSourceSnapshot<Int, Named>()
        snapshot.appendSections([0])
        snapshot.appendItems((0..<9).map { Named(id: $0, version: 0) })
        let other = Named(id: 3, version: 1)
        snapshot.moveItem(other, afterItem: Named(id: 6, version: 1))
        snapshot.reloadItems([other])
        snapshot.reconfigureItems([other])
        #expect(snapshot.itemIdentifiers.allSatisfy { $0.version == 0 })
        #expect(snapshot.indexOfItem(other) == 6)
    }

    /// The seed alone determines the script.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func `the value given last is found in the list and in the outlines`(seed: UInt64) {
        var script = ValueScript(seed: seed)
        for number in 0..<60 {
            script.step()
            if let fault = script.fault {
                Issue.record("step \(number): \(fault)")
                return
            }
        }
    }
}

/// An item that is equal to every other one with the same identifier.
private struct Named: Hashable, Sendable {
    let id: Int
    let version: Int

    static func == (left: Named, right: Named) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Random changes of a data source, and the version of each item that was given last.
private struct ValueScript {
    private typealias Snapshot = DiffableDataSourceSnapshot<Int, Named>
    private typealias Outline = DiffableDataSourceSectionSnapshot<Named>

    private let view = ValueView()
    private let dataSource: DiffableDataSource<Int, Named>
    private var generator: SeededGenerator
    private var version = 0
    private var newest: [Int: Int] = [:]

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        dataSource = DiffableDataSource(view: view) { _, _, item in item }
        dataSource.reorderingHandlers.canReorderItem = { _ in true }
        var snapshot = Snapshot()
        snapshot.appendSections([0, 1])
        dataSource.apply(snapshot)
    }

    mutating func step() {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1: refill()
        case 2: append()
        case 3: insert()
        case 4..<7: applyOutline()
        case 7: fold()
        case 8: reload()
        default: reorder()
        }
    }

    /// The first place at which an older value is found.
    var fault: String? {
        func isOld(_ item: Named) -> Bool { newest[item.id] != item.version }
        let snapshot = dataSource.snapshot()
        if let old = snapshot.itemIdentifiers.first(where: isOld) { return "the list has \(old)" }
        for (section, name) in snapshot.sectionIdentifiers.enumerated() {
            for item in 0..<snapshot.numberOfItems(inSection: name) {
                let path = IndexPath(item: item, section: section)
                guard let found = dataSource.itemIdentifier(for: path), !isOld(found) else {
                    return "the view finds an old item at \(path)"
                }
            }
            let outline = dataSource.snapshot(for: name)
            if let old = outline.items.first(where: isOld) { return "an outline has \(old)" }
            guard outline.visibleItems == snapshot.itemIdentifiers(inSection: name) else {
                return "an outline has other rows than the list"
            }
        }
        return view.cells.first(where: isOld).map { "the cell provider got \($0)" }
    }

    /// Returns items with values that were never given before.
    private mutating func give(_ ids: some Sequence<Int>) -> [Named] {
        version += 1
        return ids.map { id in
            newest[id] = version
            return Named(id: id, version: version)
        }
    }

    private mutating func ids(upTo count: Int) -> [Int] {
        let count = Int.random(in: 1...count, using: &generator)
        return Array((0..<40).shuffled(using: &generator).prefix(count))
    }

    /// Fills a new snapshot, mostly with the items of the list before.
    private mutating func refill() {
        let old = dataSource.snapshot()
        var snapshot = Snapshot()
        snapshot.appendSections([0, 1])
        var listed: Set<Int> = []
        for section in [0, 1] {
            let items = old.itemIdentifiers(inSection: section).map(\.id) + ids(upTo: 2)
            let kept = items.filter {
                Int.random(in: 0..<12, using: &generator) > 0 && listed.insert($0).inserted
            }
            snapshot.appendItems(give(kept), toSection: section)
        }
        dataSource.apply(snapshot)
    }

    private mutating func append() {
        var snapshot = dataSource.snapshot()
        snapshot.appendItems(give(ids(upTo: 3)), toSection: 0)
        dataSource.apply(snapshot)
    }

    private mutating func insert() {
        var snapshot = dataSource.snapshot()
        guard let anchor = snapshot.itemIdentifiers.randomElement(using: &generator) else { return }
        let items = ids(upTo: 3).filter { $0 != anchor.id }
        snapshot.insertItems(give(items), afterItem: anchor)
        dataSource.apply(snapshot)
    }

    /// Applies an outline with few or with many other items than the one before, all of them new values.
    private mutating func applyOutline() {
        let section = Int.random(in: 0...1, using: &generator)
        let old = dataSource.snapshot(for: section)
        var outline = Outline()
        if Bool.random(using: &generator) {
            for item in old.items {
                let parent = old.parent(of: item)
                outline.append(give([item.id]), to: parent)
                if old.isExpanded(item) { outline.expand([item]) }
            }
        }
        for id in ids(upTo: 8) where !outline.contains(Named(id: id, version: 0)) {
            let parent = outline.items.randomElement(using: &generator)
            outline.append(give([id]), to: Bool.random(using: &generator) ? parent : nil)
            if Bool.random(using: &generator) { outline.expand(outline.items.suffix(2)) }
        }
        dataSource.apply(outline, to: section)
    }

    private mutating func fold() {
        let items = dataSource.snapshot().itemIdentifiers
        guard let item = items.randomElement(using: &generator) else { return }
        if !dataSource.expand(item) { dataSource.collapse(item) }
    }

    private mutating func reload() {
        var snapshot = dataSource.snapshot()
        snapshot.reconfigureItems(snapshot.itemIdentifiers.map { Named(id: $0.id, version: -1) })
        dataSource.applySnapshotUsingReloadData(snapshot)
    }

    private mutating func reorder() {
        let snapshot = dataSource.snapshot()
        guard let item = snapshot.itemIdentifiers.randomElement(using: &generator) else { return }
        let path = IndexPath(
            item: Int.random(in: 0...5, using: &generator),
            section: Int.random(in: 0...1, using: &generator))
        dataSource.reorder(Named(id: item.id, version: -1), to: path)
    }
}

/// A view that requests the cells of all rows at every update.
private final class ValueView: DiffableListView {
    private var content: ListContent<Int, Named, Named, Never>?
    private(set) var cells: [Named] = []

    func attach(_ content: ListContent<Int, Named, Named, Never>) { self.content = content }

    func performBatchUpdates(
        _ difference: SnapshotDifference<Int, Named>,
        to snapshot: DiffableDataSourceSnapshot<Int, Named>, animation: RowAnimation
    ) { reloadData(to: snapshot) }

    func reloadData(to snapshot: DiffableDataSourceSnapshot<Int, Named>) {
        cells = snapshot.sectionIdentifiers.enumerated().flatMap { section, name in
            (0..<snapshot.numberOfItems(inSection: name)).compactMap { item in
                let path = IndexPath(item: item, section: section)
                return content?.cell(path, snapshot.itemIdentifier(at: path))
            }
        }
    }
}
