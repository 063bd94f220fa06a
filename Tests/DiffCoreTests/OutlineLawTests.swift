// Laws of outlines in a data source: random snapshots, outlines and moves lose no hidden item.
import DiffCore
import TestSupport
import Testing

@Suite struct OutlineLawTests {
    /// The seed alone determines the changes.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `outlines follow random changes`(seed: UInt64) {
        var walk = OutlineListWalk(seed: seed)
        var before = walk.state
        for step in 0..<25 {
            let change = walk.step()
            let after = walk.state
            if let law = brokenLaw(of: change, from: before, to: after) {
                Issue.record(
                    "\(law), step \(step), \(change):\n\(before.texts)\n\(after.texts)")
                return
            }
            before = after
        }
    }

    private func brokenLaw(
        of change: OutlineListWalk.Change, from old: OutlineListWalk.State,
        to new: OutlineListWalk.State
    ) -> String? {
        for section in new.snapshot.sectionIdentifiers {
            let shown = new.snapshot.itemIdentifiers(inSection: section)
            if new.outlines[section]?.visibleItems != shown {
                return "the visible items of \(section) are not those of the snapshot"
            }
        }
        if new.items.count != Set(new.items).count { return "an item is in two places" }
        switch change {
        case .disclosure:
            return old.parents == new.parents ? nil : "an item has another parent"
        case .outline(let section, let outline):
            if new.outlines[section] != outline { return "another outline is shown" }
            let replaced = Set(outline.items + (old.outlines[section]?.items ?? []))
            return lost(from: old, to: new, deleted: replaced)
        case .snapshot(let deleted, let moved):
            if let item = lost(from: old, to: new, deleted: deleted) { return item }
            return wrongParent(from: old, to: new, moved: deleted.union(moved))
        }
    }

    /// A hidden item that is gone although none of its ancestors was deleted.
    private func lost(
        from old: OutlineListWalk.State, to new: OutlineListWalk.State, deleted: Set<String>
    ) -> String? {
        let present = Set(new.items)
        let lost = old.items.first {
            !present.contains($0) && deleted.isDisjoint(with: old.lineage(of: $0))
        }
        return lost.map { "\($0) is lost" }
    }

    /// An item whose parent changed although neither it nor an ancestor was deleted or moved.
    private func wrongParent(
        from old: OutlineListWalk.State, to new: OutlineListWalk.State, moved: Set<String>
    ) -> String? {
        let (before, after) = (old.parents, new.parents)
        let wrong = old.items.first {
            before[$0] != after[$0] && moved.isDisjoint(with: old.lineage(of: $0))
        }
        return wrong.map { "\($0) has another parent" }
    }
}

/// Random changes of a data source whose sections show outlines.
private struct OutlineListWalk {
    enum Change {
        /// A snapshot without some items, and with one other item moved.
        case snapshot(deleted: Set<String>, moved: Set<String>)
        case outline(section: String, TextOutline)
        case disclosure
    }

    /// The list of a data source, and the outlines of its sections.
    struct State {
        let snapshot: TextSnapshot
        let outlines: [String: TextOutline]

        var items: [String] { snapshot.sectionIdentifiers.flatMap { outlines[$0]?.items ?? [] } }
        var texts: [String] {
            snapshot.sectionIdentifiers.map { "\($0): \(outlines[$0]?.text ?? "")" }
        }
        var parents: [String: String?] {
            var parents: [String: String?] = [:]
            for outline in outlines.values {
                for item in outline.items { parents[item] = .some(outline.parent(of: item)) }
            }
            return parents
        }

        /// The item and its ancestors.
        func lineage(of item: String) -> Set<String> {
            guard let outline = outlines.values.first(where: { $0.contains(item) }) else {
                return [item]
            }
            var lineage: Set = [item]
            var next = outline.parent(of: item)
            while let ancestor = next {
                lineage.insert(ancestor)
                next = outline.parent(of: ancestor)
            }
            return lineage
        }
    }

    private let view = RecordingView()
    private let dataSource: DiffableDataSource<String, String>
    private var generator: SeededGenerator
    private var fresh = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        dataSource = DiffableDataSource(view: view) { _, _, item in item }
        dataSource.reorderingHandlers.canReorderItem = { _ in true }
        for section in ["A", "B"] { dataSource.apply(outline(), to: section) }
        dataSource.apply(TextSnapshot("\(dataSource.snapshot().text) C(x y z)"))
    }

    var state: State {
        let snapshot = dataSource.snapshot()
        let outlines = snapshot.sectionIdentifiers.map { ($0, dataSource.snapshot(for: $0)) }
        return State(snapshot: snapshot, outlines: Dictionary(uniqueKeysWithValues: outlines))
    }

    mutating func step() -> Change {
        var snapshot = dataSource.snapshot()
        guard let item = snapshot.itemIdentifiers.randomElement(using: &generator),
            let other = snapshot.itemIdentifiers.randomElement(using: &generator),
            let section = snapshot.sectionIdentifiers.randomElement(using: &generator)
        else { return show(outline(), in: "A") }
        var deleted: Set<String> = []
        var moved: Set<String> = []
        switch Int.random(in: 0..<12, using: &generator) {
        case 0, 1:
            deleted = [item, other]
            snapshot.deleteItems([item, other])
        case 2: snapshot.insertItems([name(), name()], beforeItem: item)
        case 3: snapshot.insertItems([name(), name()], afterItem: item)
        case 4: snapshot.appendItems([name()], toSection: section)
        case 5, 6:
            guard item != other else { break }
            // It may as well be that the other item moved or, if this one is a parent, its neighbours.
            let section = snapshot.sectionIdentifier(containingItem: item) ?? ""
            let isParent = dataSource.snapshot(for: section).isExpanded(item)
            moved = isParent ? Set(snapshot.itemIdentifiers) : [item, other]
            snapshot.moveItem(item, afterItem: other)
        case 7:
            let hidden = state.items.filter { snapshot.indexOfItem($0) == nil }
            guard let shown = hidden.randomElement(using: &generator) else { break }
            moved = [shown]
            snapshot.appendItems([shown], toSection: section)
        case 8:
            if section != snapshot.sectionIdentifiers[0] {
                snapshot.moveSection(section, beforeSection: snapshot.sectionIdentifiers[0])
            }
        case 9: return show(outline(reusing: [item, other]), in: section)
        case 10:
            _ = dataSource.expand(item) || dataSource.collapse(item)
            return .disclosure
        default:
            let count = snapshot.numberOfItems(inSection: section)
            let index = Int.random(in: 0...count, using: &generator)
            let number = snapshot.indexOfSection(section) ?? 0
            dataSource.reorder(item, to: IndexPath(item: index, section: number))
            // Its descendants move with it.
            return .snapshot(deleted: [], moved: [item])
        }
        dataSource.apply(snapshot)
        return .snapshot(deleted: deleted, moved: moved)
    }

    private func show(_ outline: TextOutline, in section: String) -> Change {
        dataSource.apply(outline, to: section)
        return .outline(section: section, outline)
    }

    private mutating func name() -> String {
        fresh += 1
        return "n\(fresh)"
    }

    /// A random outline of new items, and of some others.
    private mutating func outline(reusing others: [String] = []) -> TextOutline {
        var outline = TextOutline()
        for other in Set(others).sorted() + (0..<6).map({ _ in name() }) {
            let parent = outline.items.randomElement(using: &generator)
            outline.append([other], to: Bool.random(using: &generator) ? parent : nil)
            if Bool.random(using: &generator) { outline.expand([other]) }
        }
        return outline
    }
}
