// Shows outlines in sections, and expands and collapses their items.

extension DiffableDataSource {
    /// Closures that are called when the user expands or collapses an item; `Item` is the type of item
    /// identifiers.
    public struct SectionSnapshotHandlers<Item: Hashable & Sendable> {
        /// Returns whether an item may be expanded; `nil` allows all items.
        public var shouldExpandItem: ((Item) -> Bool)?
        /// Called before an item is expanded.
        public var willExpandItem: ((Item) -> Void)?
        /// Returns whether an item may be collapsed; `nil` allows all items.
        public var shouldCollapseItem: ((Item) -> Bool)?
        /// Called before an item is collapsed.
        public var willCollapseItem: ((Item) -> Void)?
        /// Returns the children of an item that is being expanded, given its previous children: for
        /// outlines that are loaded on demand.
        public var snapshotForExpandingParent:
            (
                (Item, DiffableDataSourceSectionSnapshot<Item>) ->
                    DiffableDataSourceSectionSnapshot<Item>
            )?

        /// Creates an instance without handlers.
        public init() {}
    }

    /// Shows an outline in a section: its visible items become the section's items.
    ///
    /// An absent section is appended. Items of the outline that are in other
    /// sections, visible or hidden, are moved. Items of the list get the values of
    /// equal items in the outline. Snapshots that are applied later carry the outline
    /// over.
    ///
    /// - Parameters:
    ///   - outline: The outline.
    ///   - section: The section.
    ///   - animatingDifferences: Whether the view uses ``defaultRowAnimation``.
    ///   - completion: Called when the view has been updated.
    /// - Returns: The difference from the snapshot applied before.
    /// - Complexity: O(*n* + *k*) for *n* items in the list, and *k* items in the outline, hidden ones
    ///   included.
    @discardableResult
    public func apply(
        _ outline: SectionSnapshot, to section: SectionIdentifierType,
        animatingDifferences: Bool = true, completion: (() -> Void)? = nil
    ) -> Difference {
        var next = snapshot()
        if next.indexOfSection(section) == nil { next.appendSections([section]) }
        let edit = outline.edit(from: snapshot(for: section))
        next.deleteItems(edit.deletedRows + edit.added)
        if let row = edit.precedingRow {
            next.insertItems(edit.insertedRows, afterItem: row)
        } else if let row = next.firstItem(inSection: section) {
            next.insertItems(edit.insertedRows, beforeItem: row)
        } else {
            next.appendItems(edit.insertedRows, toSection: section)
        }
        if !edit.keepsOtherValues {
            next.replaceItems(inSection: section, by: outline.visibleItems)
        }
        let difference = next.difference(from: latest)
        return show(
            difference,
            outlines: outlines.showing(outline, in: section, adding: edit.added, by: difference),
            animatingDifferences: animatingDifferences, completion: completion)
    }

    /// Returns the outline of a section; without one, the section's items as root items.
    ///
    /// - Complexity: That of ``outline(of:)``; O(*k*) for *k* items without an outline.
    public func snapshot(for section: SectionIdentifierType) -> SectionSnapshot {
        outlines.outline(of: section, in: latest)
    }

    /// Returns the outline of a section, or `nil` if the section was filled without one.
    ///
    /// - Complexity: O(*k*) for *k* items of the section at the first call after a snapshot was applied,
    ///   otherwise O(1).
    public func outline(of section: SectionIdentifierType) -> SectionSnapshot? {
        outlines.shown(in: section, of: latest)
    }

    /// Expands an item if the handlers allow it; called by a view.
    ///
    /// - Returns: Whether the item was collapsed and is now expanded.
    /// - Complexity: O(*o*) for *o* outlines, and that of applying the outline and of the handlers.
    @discardableResult
    public func expand(_ item: ItemIdentifierType) -> Bool {
        guard let section = outlines.section(containing: item) else { return false }
        var expanded = snapshot(for: section)
        guard !expanded.isExpanded(item), sectionSnapshotHandlers.shouldExpandItem?(item) ?? true
        else { return false }
        sectionSnapshotHandlers.willExpandItem?(item)
        if let children = sectionSnapshotHandlers.snapshotForExpandingParent {
            expanded.replace(childrenOf: item, using: children(item, expanded.snapshot(of: item)))
        }
        expanded.expand([item])
        apply(expanded, to: section)
        return true
    }

    /// Collapses an item if the handlers allow it; called by a view.
    ///
    /// - Returns: Whether the item was expanded and is now collapsed.
    /// - Complexity: O(*o*) for *o* outlines, and that of applying the outline and of the handlers.
    @discardableResult
    public func collapse(_ item: ItemIdentifierType) -> Bool {
        guard let section = outlines.section(containing: item) else { return false }
        var collapsed = snapshot(for: section)
        guard collapsed.isExpanded(item), sectionSnapshotHandlers.shouldCollapseItem?(item) ?? true
        else { return false }
        sectionSnapshotHandlers.willCollapseItem?(item)
        collapsed.collapse([item])
        apply(collapsed, to: section)
        return true
    }
}
