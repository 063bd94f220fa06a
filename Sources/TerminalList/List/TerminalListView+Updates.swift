// What the data source tells the view.
public import DiffCore

extension TerminalListView: DiffableListView {
    /// Takes in where the cells and the sections' titles come from; the data source calls it when
    /// it is made. A section without a title has no header.
    public func attach(_ content: ListContent<Section, Item, ListCell, String>) {
        self.content = content
        invalidateRows()
    }

    /// Takes a difference in; nothing is drawn or asked for until the next frame.
    ///
    /// - Parameters:
    ///   - difference: What changed.
    ///   - snapshot: What the list is now.
    ///   - animation: Whether changes are marked and departures linger.
    /// - Complexity: O(changes).
    public func performBatchUpdates(
        _ difference: SnapshotDifference<Section, Item>,
        to snapshot: DiffableDataSourceSnapshot<Section, Item>, animation: RowAnimation
    ) {
        self.snapshot = snapshot
        let isMarked = animation != .none
        for change in difference.deletedItems { itemLeft(change.item, lingers: isMarked) }
        for change in difference.insertedItems {
            departures.remove(change.item)
            changes.left.remove(change.item)
            changes.moved.insert(change.item)
            if isMarked, !changes.replacements.values.contains(change.item) {
                marks.arrived(change.item)
            }
        }
        for move in difference.movedItems { changes.moved.insert(move.item) }
        if isMarked {
            for change in difference.reconfiguredItems + difference.reloadedItems {
                marks.updated(change.item)
            }
        }
        for change in difference.deletedItems { replace(change.item, isMarked: isMarked) }
        changes.replacements = [:]
        invalidateRows()
    }

    /// Shows a snapshot as if it had always been so: no marks, nothing lingers.
    public func reloadData(to snapshot: DiffableDataSourceSnapshot<Section, Item>) {
        self.snapshot = snapshot
        marks.removeAll()
        departures.removeAll()
        changes.replacements = [:]
        drawnCells = [:]
        invalidateRows()
    }

    /// Takes all marks away and lets what has left go at once, for a list that is to look another way.
    public func forgetChanges() {
        marks.removeAll()
        departures.removeAll()
        invalidateRows()
    }

    /// Takes the marks of some items away, and lets those of them that have left go at once: for
    /// rows that the owner hides or shows, so that nobody has come or gone.
    ///
    /// Call it after the difference is applied and before the next frame.
    ///
    /// - Parameter items: Items that are in the list, or have left it.
    /// - Complexity: O(items), and O(departed rows) for each that goes.
    public func forgetChange(of items: some Sequence<Item>) {
        for item in items {
            marks.remove(item)
            // An item that has just left stays in `changes.left`: nothing can stand below it.
            departures.remove(item)
        }
        invalidateRows()
    }

    /// Tells, before the difference is applied, that an item will go on under another identifier.
    ///
    /// The selection moves along, and the row of the old one goes at once instead of lingering:
    /// nothing has left.
    ///
    /// - Parameters:
    ///   - old: The item that the next difference deletes.
    ///   - new: The item that stands for the same thing, inserted by the same difference or in the
    ///     list already.
    public func expectReplacement(of old: Item, by new: Item) {
        changes.replacements[old] = new
    }

    private func itemLeft(_ item: Item, lingers: Bool) {
        marks.remove(item)
        changes.left.insert(item)
        guard lingers, changes.replacements[item] == nil, let cell = drawnCells[item] else {
            return
        }
        if let dropped = departures.add(item, showing: cell) { changes.left.insert(dropped) }
    }

    /// One difference may stand for several changes, and so for several replacements in a row.
    private func replace(_ old: Item, isMarked: Bool) {
        guard var new = changes.replacements[old] else { return }
        for _ in changes.replacements {
            guard let next = changes.replacements[new], next != new else { break }
            new = next
        }
        if isMarked { marks.updated(new) }
        if selectedItem == old { selectedItem = new }
    }
}
