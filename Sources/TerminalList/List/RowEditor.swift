// Expands, collapses and moves items for the user, through the data source of the list.
import DiffCore

/// The changes that the user makes to a list: outlines that are expanded and collapsed, and items
/// that are moved by keys or dragged.
final class RowEditor<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    private typealias Outline = DiffableDataSourceSectionSnapshot<Item>

    weak var dataSource: DiffableDataSource<Section, Item>?
    /// Whether rows are shown or hidden at this moment because the user expands or collapses an item.
    private(set) var isDisclosing = false
    /// The line of the screen on which the dragged item would be dropped.
    private(set) var dropLine: Int?

    /// The outlines by the index of their sections; `nil` for a section without nested items.
    private var outlines: [Outline?] = []
    /// The item that the user drags, and whether a click on it opens it.
    private var dragged: (item: Item, opens: Bool)?

    /// The bindings of the keys that have an effect.
    var bindings: [KeyBinding] {
        let isReorderable = dataSource?.reorderingHandlers.canReorderItem != nil
        return (outlines.contains { $0 != nil } ? KeyTable.outlineBindings : [])
            + (isReorderable ? KeyTable.reorderingBindings : [])
            + (dataSource?.editingHandlers.canDeleteItem == nil ? [] : KeyTable.editingBindings)
    }

    // MARK: Outlines

    /// Reads the outlines of the sections again, in O(*n*) for *n* items of outlines; there are none
    /// without a data source.
    func update(_ sections: [Section]) {
        outlines = []
        guard let dataSource else { return }
        let isLoadedOnDemand = dataSource.sectionSnapshotHandlers.snapshotForExpandingParent != nil
        outlines = sections.map { section in
            guard let outline = dataSource.outline(of: section) else { return nil }
            let isFlat = outline.rootItems.count == outline.items.count
            return isFlat && !isLoadedOnDemand ? nil : outline
        }
    }

    private func outline(containing item: Item) -> Outline? {
        guard let section = dataSource?.indexPath(for: item)?.section,
            outlines.indices.contains(section), outlines[section]?.contains(item) == true
        else { return nil }
        return outlines[section]
    }

    /// Returns the level of an item and the state of its children; `nil` outside an outline.
    func position(of item: Item) -> ListCell.Outline? {
        guard let outline = outline(containing: item) else { return nil }
        let branch: ListCell.Outline.Branch =
            switch (firstChild(of: item, in: outline), outline.isExpanded(item)) {
            case (.some, true): .expanded
            case (.some, false): .collapsed
            case (nil, let isExpanded): !isExpanded && mayLoadChildren(item) ? .collapsed : .leaf
            }
        return ListCell.Outline(level: outline.level(of: item), branch)
    }

    /// Whether an item may have children that are loaded when it is expanded.
    private func mayLoadChildren(_ item: Item) -> Bool {
        guard let handlers = dataSource?.sectionSnapshotHandlers,
            handlers.snapshotForExpandingParent != nil
        else { return false }
        return handlers.shouldExpandItem?(item) ?? true
    }

    private func firstChild(of item: Item, in outline: Outline) -> Item? {
        guard let index = outline.index(of: item), index + 1 < outline.items.count else {
            return nil
        }
        let next = outline.items[index + 1]
        return outline.parent(of: next) == item ? next : nil
    }

    /// Expands or collapses an item. Returns an item to select instead: the first child of an item
    /// that is expanded already, or the parent of an item that cannot be collapsed.
    func disclose(_ item: Item, _ action: KeyAction) -> Item? {
        guard let outline = outline(containing: item), let position = position(of: item) else {
            return nil
        }
        isDisclosing = true
        defer { isDisclosing = false }
        switch (action, position.branch) {
        case (.expand, .collapsed), (.toggle, .collapsed): dataSource?.expand(item)
        case (.collapse, .expanded), (.toggle, .expanded): dataSource?.collapse(item)
        case (.expand, .expanded): return firstChild(of: item, in: outline)
        case (.collapse, _): return outline.parent(of: item)
        default: break
        }
        return nil
    }

    // MARK: Moves

    /// Moves an item by one row; at the end of its section, into the next section.
    func move(_ item: Item, step: Int) {
        guard let dataSource, var path = dataSource.indexPath(for: item) else { return }
        let snapshot = dataSource.snapshot()
        func count(_ section: Int) -> Int {
            snapshot.numberOfItems(inSection: snapshot.sectionIdentifiers[section])
        }
        path.item += step
        if path.item < 0 || path.item >= count(path.section) - visibleDescendants(of: item) {
            path.section += step
            guard snapshot.sectionIdentifiers.indices.contains(path.section) else { return }
            path.item = step > 0 ? 0 : count(path.section)
        }
        dataSource.reorder(item, to: path)
    }

    /// Returns the number of visible descendants of an item, which move with it.
    private func visibleDescendants(of item: Item) -> Int {
        guard let outline = outline(containing: item) else { return 0 }
        return outline.snapshot(of: item).items.count(where: outline.isVisible)
    }

    /// Begins to drag an item if the data source allows it; `opens` tells whether a click opens the
    /// item.
    func beginDrag(_ item: Item, opens: Bool) -> Bool {
        guard dataSource?.reorderingHandlers.canReorderItem?(item) == true else { return false }
        dragged = (item, opens)
        return true
    }

    func endDrag() { (dragged, dropLine) = (nil, nil) }

    var isDragging: Bool { dragged != nil }

    /// Continues a drag with a motion or the release of the button on a row; returns the item to
    /// open, if the button was pressed and released on it.
    func drag(to row: ListRow<Section, Item>?, _ event: MouseEvent) -> Item? {
        guard let (item, opens) = dragged else { return nil }
        let isElsewhere = row?.item != item
        let target = row.flatMap { path(of: item, droppedOn: $0) }
        guard event.kind == .release else {
            // Once the pointer has left the row, a release no longer opens it.
            dragged = (item, opens && !isElsewhere)
            dropLine = target == nil ? nil : event.row
            return nil
        }
        endDrag()
        if let target { dataSource?.reorder(item, to: target) }
        return opens && !isElsewhere ? item : nil
    }

    /// Returns the index path of an item that is dropped on a row: the index path of the row's
    /// item, or of the first item below a header; `nil` if the item stays at its place.
    private func path(of item: Item, droppedOn row: ListRow<Section, Item>) -> IndexPath? {
        guard let dataSource, let origin = dataSource.indexPath(for: item),
            var path = row.item.map(dataSource.indexPath)
                ?? dataSource.index(for: row.section).map({ IndexPath(item: 0, section: $0) })
        else { return nil }
        if path.section == origin.section, path.item > origin.item {
            // The index path after the move does not count the descendants, which move too.
            path.item = max(origin.item, path.item - visibleDescendants(of: item))
        }
        return path == origin ? nil : path
    }
}
