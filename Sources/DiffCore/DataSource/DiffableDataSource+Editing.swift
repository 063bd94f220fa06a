// Moves and deletes items for the user.

extension DiffableDataSource {
    /// Closures that are called when the user moves an item.
    public struct ReorderingHandlers {
        /// A change by the user.
        public typealias Transaction = DiffableDataSourceTransaction<
            SectionIdentifierType, ItemIdentifierType
        >
        /// Returns whether an item may be moved; `nil` allows none.
        public var canReorderItem: ((ItemIdentifierType) -> Bool)?
        /// Called before a move is shown.
        public var willReorder: ((Transaction) -> Void)?
        /// Called after a move has been shown, so that the underlying data can be updated.
        public var didReorder: ((Transaction) -> Void)?

        /// Creates an instance without handlers.
        public init() {}
    }

    /// Moves an item, with its visible descendants, if the handlers allow it; called by a view.
    ///
    /// In an outline, the item becomes a sibling of the item that follows it after the move.
    /// Directly below the last visible child of its own parent it stays a child. At any other end of
    /// siblings it becomes a root item.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - indexPath: The index path of the item after the move; beyond the end of a section, the
    ///     item becomes the section's last item.
    /// - Returns: Whether the item was moved: `false` if it is at the index path already.
    /// - Complexity: That of ``DiffableDataSourceSnapshot/difference(from:)``, that of the handlers, and
    ///   O(*k* log *k*) for *k* items of the outlines that change.
    @discardableResult
    public func reorder(_ item: ItemIdentifierType, to indexPath: IndexPath) -> Bool {
        let initial = snapshot()
        guard reorderingHandlers.canReorderItem?(item) == true,
            let origin = initial.indexPath(of: item),
            initial.sectionIdentifiers.indices.contains(indexPath.section), indexPath.item >= 0
        else { return false }
        var final = initial
        let moved = visibleFamily(of: initial.itemIdentifier(at: origin), in: origin.section)
        var target = indexPath
        target.item = min(target.item, initial.numberOfItems)
        // The index path does not count the moved rows themselves.
        if target.section == origin.section, target.item >= origin.item {
            target.item += moved.count
        }
        if let next = initial.withItems({ $0.item(at: target) }) {
            final.insertItems(moved, beforeItem: next)
        } else {
            final.appendItems(moved, toSection: initial.sectionIdentifiers[target.section])
        }
        let difference = final.difference(from: initial)
        guard !difference.isEmpty else { return false }
        let outlines = outlines.carried(by: difference, moved: Set(moved))
        let transaction = DiffableDataSourceTransaction(
            from: initial, self.outlines, to: final, outlines)
        reorderingHandlers.willReorder?(transaction)
        _ = show(difference, outlines: outlines, animatingDifferences: true) {
            [reorderingHandlers] in reorderingHandlers.didReorder?(transaction)
        }
        return true
    }

    /// Returns an item and its visible descendants, in order.
    private func visibleFamily(
        of item: ItemIdentifierType, in section: Int
    ) -> [ItemIdentifierType] {
        guard let outline = outline(of: latest.sectionIdentifiers[section]) else { return [item] }
        return outline.snapshot(of: item, includingParent: true).items.filter(outline.isVisible)
    }
}

// MARK: Deleting

extension DiffableDataSource {
    /// Closures that are called when the user deletes an item.
    public struct EditingHandlers {
        /// Returns whether an item may be deleted; `nil` allows none.
        public var canDeleteItem: ((ItemIdentifierType) -> Bool)?
        /// Deletes an item from the underlying data, and applies a snapshot without it.
        public var deleteItem: ((ItemIdentifierType) -> Void)?

        /// Creates an instance without handlers.
        public init() {}
    }

    /// Deletes an item if the handlers allow it; called by a view.
    ///
    /// - Returns: Whether the handlers allowed it.
    /// - Complexity: O(1), and that of the handlers.
    @discardableResult
    public func delete(_ item: ItemIdentifierType) -> Bool {
        guard shown.indexOfItem(item) != nil, editingHandlers.canDeleteItem?(item) == true else {
            return false
        }
        editingHandlers.deleteItem?(item)
        return true
    }
}
