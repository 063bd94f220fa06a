// Sections that are outlines: shown as far as they are unfolded.

extension DiffableDataSource {
    /// The outline of a section.
    public typealias SectionSnapshot = DiffableDataSourceSectionSnapshot<ItemIdentifierType>

    /// What is asked and told when the user folds or unfolds an item.
    public struct SectionSnapshotHandlers {
        /// Whether an item may be expanded; without it, every one may.
        public var shouldExpandItem: ((ItemIdentifierType) -> Bool)?
        /// Called before an item is expanded.
        public var willExpandItem: ((ItemIdentifierType) -> Void)?
        /// Whether an item may be collapsed; without it, every one may.
        public var shouldCollapseItem: ((ItemIdentifierType) -> Bool)?
        /// Called before an item is collapsed.
        public var willCollapseItem: ((ItemIdentifierType) -> Void)?
        /// Gives what is beneath an item that is being expanded, from what was beneath it before:
        /// for outlines whose parts are found only when they are looked at.
        public var snapshotForExpandingParent:
            ((ItemIdentifierType, SectionSnapshot) -> SectionSnapshot)?

        /// No handlers.
        public init() {}
    }

    /// Shows an outline in a section: its visible items become the section's items.
    ///
    /// A section that is not there is appended. The outline is kept until a
    /// snapshot is applied that gives the section other items.
    ///
    /// - Parameters:
    ///   - outline: The outline.
    ///   - section: The section.
    ///   - animatingDifferences: Whether the view shows the change by
    ///     ``defaultRowAnimation``.
    ///   - completion: Called when the view has been updated.
    /// - Returns: What is different from the snapshot applied before.
    @discardableResult
    public func apply(
        _ outline: SectionSnapshot, to section: SectionIdentifierType,
        animatingDifferences: Bool = true, completion: (() -> Void)? = nil
    ) -> Difference {
        var next = snapshot()
        if next.indexOfSection(section) == nil { next.appendSections([section]) }
        let visible = outline.visibleItems
        let kept = Set(visible)
        next.deleteItems(next.itemIdentifiers(inSection: section).filter { !kept.contains($0) })
        next.appendItems(visible, toSection: section)
        outlines[section] = outline
        return apply(next, animatingDifferences: animatingDifferences, completion: completion)
    }

    /// The outline that a section shows; of a section without one, its items as root items.
    public func snapshot(for section: SectionIdentifierType) -> SectionSnapshot {
        outlines[section] ?? snapshot().outline(ofSection: section)
    }

    /// Shows what is beneath an item, if that is allowed; called by a view.
    ///
    /// - Returns: Whether it is expanded now and was not before.
    @discardableResult
    public func expand(_ item: ItemIdentifierType) -> Bool {
        guard let (section, outline) = outline(containing: item), !outline.isExpanded(item),
            sectionSnapshotHandlers.shouldExpandItem?(item) ?? true
        else { return false }
        sectionSnapshotHandlers.willExpandItem?(item)
        var expanded = outline
        if let beneath = sectionSnapshotHandlers.snapshotForExpandingParent {
            expanded.replace(childrenOf: item, using: beneath(item, outline.snapshot(of: item)))
        }
        expanded.expand([item])
        apply(expanded, to: section)
        return true
    }

    /// Hides what is beneath an item, if that is allowed; called by a view.
    ///
    /// - Returns: Whether it is collapsed now and was not before.
    @discardableResult
    public func collapse(_ item: ItemIdentifierType) -> Bool {
        guard let (section, outline) = outline(containing: item), outline.isExpanded(item),
            sectionSnapshotHandlers.shouldCollapseItem?(item) ?? true
        else { return false }
        sectionSnapshotHandlers.willCollapseItem?(item)
        var collapsed = outline
        collapsed.collapse([item])
        apply(collapsed, to: section)
        return true
    }

    private func outline(
        containing item: ItemIdentifierType
    ) -> (SectionIdentifierType, SectionSnapshot)? {
        outlines.first { $0.value.contains(item) }.map { ($0.key, $0.value) }
    }

    /// Forgets the outlines of sections that a snapshot gives other items.
    @usableFromInline
    func keepOutlines(of snapshot: Snapshot) {
        outlines = outlines.filter { section, outline in
            snapshot.indexOfSection(section) != nil
                && snapshot.itemIdentifiers(inSection: section) == outline.visibleItems
        }
    }
}
