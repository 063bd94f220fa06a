// Letting the user move items.

extension DiffableDataSource {
    /// What is asked and told when the user moves an item.
    public struct ReorderingHandlers {
        /// A change by the user.
        public typealias Transaction = DiffableDataSourceTransaction<
            SectionIdentifierType, ItemIdentifierType
        >
        /// Whether an item may be moved; without it, none may.
        public var canReorderItem: ((ItemIdentifierType) -> Bool)?
        /// Called before a move is shown.
        public var willReorder: ((Transaction) -> Void)?
        /// Called after a move has been shown: here the data behind the list follows.
        public var didReorder: ((Transaction) -> Void)?

        /// No handlers.
        public init() {}
    }

    /// Moves an item to where the user wants it, if it may be moved; called by a view.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - indexPath: The place that it shall have afterwards. Beyond the end of a
    ///     section means its end.
    /// - Returns: Whether it was moved.
    /// - Complexity: That of ``DiffableDataSourceSnapshot/difference(from:)``.
    @discardableResult
    public func reorder(_ item: ItemIdentifierType, to indexPath: IndexPath) -> Bool {
        let initial = snapshot()
        guard reorderingHandlers.canReorderItem?(item) == true, initial.indexOfItem(item) != nil,
            initial.sectionIdentifiers.indices.contains(indexPath.section)
        else { return false }
        var final = initial
        let section = initial.sectionIdentifiers[indexPath.section]
        let others = initial.itemIdentifiers(inSection: section).filter { $0 != item }
        if others.indices.contains(indexPath.item) {
            final.moveItem(item, beforeItem: others[indexPath.item])
        } else {
            final.appendItems([item], toSection: section)
        }
        let transaction = DiffableDataSourceTransaction(from: initial, to: final)
        reorderingHandlers.willReorder?(transaction)
        apply(final) { [reorderingHandlers] in reorderingHandlers.didReorder?(transaction) }
        return true
    }
}
