// UIKit's data source of table views, by way of DiffCore's.

public import DiffCore
public import Foundation

/// A data source for a table view, under the names of UIKit.
///
/// It may be subclassed, and what UIKit declares open can be overridden. Its ``base`` is DiffCore's data source,
/// which has more: differences, and contents that are compared.
@preconcurrency
open class UITableViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// Makes the cell of an item at an index path.
    public typealias CellProvider = (
        _ tableView: UITableView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
    ) -> UITableViewCell?
    /// The snapshot type of this data source.
    public typealias Snapshot = DiffableDataSourceSnapshot<
        SectionIdentifierType, ItemIdentifierType
    >
    /// The outline type of this data source's sections.
    public typealias SectionSnapshot = DiffableDataSourceSectionSnapshot<ItemIdentifierType>
    /// Handlers for items that the user moves.
    public typealias ReorderingHandlers = DiffableDataSource<
        SectionIdentifierType, ItemIdentifierType
    >.ReorderingHandlers
    /// Handlers for outline items that the user expands or collapses.
    public typealias SectionSnapshotHandlers = DiffableDataSource<
        SectionIdentifierType, ItemIdentifierType
    >.SectionSnapshotHandlers

    /// The data source of DiffCore, which updates the view.
    public final let base: DiffableDataSource<SectionIdentifierType, ItemIdentifierType>

    /// Creates a data source without sections for a view.
    ///
    /// - Precondition: The view has no data source yet.
    @preconcurrency public init(tableView: UITableView, cellProvider: @escaping CellProvider) {
        let adapter = SurfaceAdapter<SectionIdentifierType, ItemIdentifierType>(tableView)
        base = DiffableDataSource(view: adapter) { [unowned tableView] _, path, item in
            cellProvider(tableView, IndexPath(path), item)
        }
        tableView.source = source(of: tableView, adapter)
    }

    /// Creates a data source without sections for a view of DiffCore.
    ///
    /// - Precondition: The view has no data source yet.
    @preconcurrency public init<View: DiffableListView>(
        tableView: View,
        cellProvider: @escaping (View, IndexPath, ItemIdentifierType) -> View.Cell?
    )
    where
        View.SectionIdentifierType == SectionIdentifierType,
        View.ItemIdentifierType == ItemIdentifierType
    {
        base = DiffableDataSource(view: tableView) { cellProvider($0, IndexPath($1), $2) }
    }

    /// Creates a data source without sections for a view of DiffCore whose headers are texts: the titles of
    /// this class. The view also asks it which rows the user may delete.
    ///
    /// - Precondition: The view has no data source yet.
    @preconcurrency public init<View: DiffableListView>(
        tableView: View,
        cellProvider: @escaping (View, IndexPath, ItemIdentifierType) -> View.Cell?
    )
    where
        View.SectionIdentifierType == SectionIdentifierType,
        View.ItemIdentifierType == ItemIdentifierType, View.Header == String
    {
        base = DiffableDataSource(view: tableView) { cellProvider($0, IndexPath($1), $2) }
        // The methods of UIKit get a view, which here has nothing to show.
        let view = UITableView()
        base.setHeaderProvider(of: tableView) { [weak self] _, section, _ in
            self?.tableView(view, titleForHeaderInSection: section)
        }
        base.editingHandlers.canDeleteItem = { [weak self] item in
            guard let self, let indexPath = indexPath(for: item) else { return false }
            return self.tableView(view, canEditRowAt: indexPath)
        }
        base.editingHandlers.deleteItem = { [weak self] item in
            guard let self, let indexPath = indexPath(for: item) else { return }
            self.tableView(view, commit: .delete, forRowAt: indexPath)
        }
    }

    /// Returns what the view asks its data source for.
    private func source(
        of view: UITableView, _ adapter: SurfaceAdapter<SectionIdentifierType, ItemIdentifierType>
    ) -> ListSurface.Source {
        ListSurface.Source(
            sections: { [unowned adapter] in adapter.snapshot.numberOfSections },
            items: { [unowned adapter] in adapter.items(in: $0) },
            cell: { [unowned adapter] in adapter.cell(at: $0) },
            supplementaryView: { _, _ in nil },
            title: { [weak self, unowned view] isHeader, section in
                isHeader
                    ? self?.tableView(view, titleForHeaderInSection: section)
                    : self?.tableView(view, titleForFooterInSection: section)
            },
            canEdit: { [weak self, unowned view] in
                self?.tableView(view, canEditRowAt: $0) ?? false
            },
            commit: { [weak self, unowned view] in
                self?.tableView(view, commit: $0, forRowAt: $1)
            },
            canMove: { [weak self, unowned view] in
                self?.tableView(view, canMoveRowAt: $0) ?? false
            },
            move: { [weak self, unowned view] in
                self?.tableView(view, moveRowAt: $0, to: $1)
            })
    }

    // MARK: Applying

    /// Shows a snapshot by updating the view with the difference from the last one.
    @preconcurrency open func apply(
        _ snapshot: Snapshot, animatingDifferences: Bool = true, completion: (() -> Void)? = nil
    ) {
        base.apply(snapshot, animatingDifferences: animatingDifferences, completion: completion)
    }

    /// Shows a snapshot, and returns when the view has been updated.
    @preconcurrency open func apply(_ snapshot: Snapshot, animatingDifferences: Bool = true) async {
        await base.apply(snapshot, animatingDifferences: animatingDifferences)
    }

    /// Reloads the view with a snapshot, without computing a difference.
    @preconcurrency open func applySnapshotUsingReloadData(
        _ snapshot: Snapshot, completion: (() -> Void)? = nil
    ) {
        base.applySnapshotUsingReloadData(snapshot, completion: completion)
    }

    /// Reloads the view with a snapshot, and returns when it has been reloaded.
    @preconcurrency open func applySnapshotUsingReloadData(_ snapshot: Snapshot) async {
        await base.applySnapshotUsingReloadData(snapshot)
    }

    /// Shows an outline in a section: its visible items become the section's items.
    @preconcurrency open func apply(
        _ snapshot: SectionSnapshot, to section: SectionIdentifierType,
        animatingDifferences: Bool = true, completion: (() -> Void)? = nil
    ) {
        base.apply(
            snapshot, to: section, animatingDifferences: animatingDifferences,
            completion: completion)
    }

    /// Shows an outline in a section, and returns when the view has been updated.
    @preconcurrency open func apply(
        _ snapshot: SectionSnapshot, to section: SectionIdentifierType,
        animatingDifferences: Bool = true
    ) async {
        await base.apply(snapshot, to: section, animatingDifferences: animatingDifferences)
    }

    // MARK: Looking up

    /// Returns the snapshot that was applied last, without its marks.
    @preconcurrency open func snapshot() -> Snapshot { base.snapshot() }

    /// Returns the outline of a section; without one, the section's items as root items.
    @preconcurrency open func snapshot(for section: SectionIdentifierType) -> SectionSnapshot {
        base.snapshot(for: section)
    }

    /// Returns the item that the view shows at an index path, or `nil` if there is none; O(1).
    @preconcurrency open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? {
        base.itemIdentifier(for: DiffCore.IndexPath(indexPath))
    }

    /// Returns the index path of an item that the view shows, or `nil` if it does not.
    @preconcurrency open func indexPath(for itemIdentifier: ItemIdentifierType) -> IndexPath? {
        let path: DiffCore.IndexPath? = base.indexPath(for: itemIdentifier)
        return path.map { IndexPath($0) }
    }

    /// Returns the section that the view shows at an index, or `nil` if there is none; O(1).
    @preconcurrency open func sectionIdentifier(for index: Int) -> SectionIdentifierType? {
        base.sectionIdentifier(for: index)
    }

    /// Returns the index of a section that the view shows, or `nil` if it does not; O(1).
    @preconcurrency open func index(for sectionIdentifier: SectionIdentifierType) -> Int? {
        base.index(for: sectionIdentifier)
    }

    // MARK: Handlers

    /// The animation of changes that are applied with `animatingDifferences`.
    @preconcurrency public final var defaultRowAnimation: RowAnimation {
        get { base.defaultRowAnimation }
        set { base.defaultRowAnimation = newValue }
    }

    /// Handlers for items that the user moves.
    @preconcurrency public final var reorderingHandlers: ReorderingHandlers {
        get { base.reorderingHandlers }
        set { base.reorderingHandlers = newValue }
    }

    /// Handlers for outline items that the user expands or collapses.
    @preconcurrency public final var sectionSnapshotHandlers:
        SectionSnapshotHandlers<ItemIdentifierType>
    {
        get { base.sectionSnapshotHandlers }
        set { base.sectionSnapshotHandlers = newValue }
    }

    // MARK: What a view asks its data source

    /// Returns the number of sections.
    @preconcurrency open func numberOfSections(in tableView: UITableView) -> Int {
        tableView.numberOfSections
    }

    /// Returns the number of items in a section.
    @preconcurrency open func tableView(
        _ tableView: UITableView, numberOfRowsInSection section: Int
    ) -> Int { tableView.numberOfItems(in: section) }

    /// Returns the cell of an item.
    @preconcurrency open func tableView(
        _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell { tableView.cell(at: indexPath) ?? UITableViewCell() }

    /// Whether the user may move an item; by default, what the reordering handlers answer.
    @preconcurrency open func tableView(
        _ tableView: UITableView, canMoveRowAt indexPath: IndexPath
    ) -> Bool {
        guard let item = itemIdentifier(for: indexPath) else { return false }
        return reorderingHandlers.canReorderItem?(item) ?? false
    }

    /// Moves an item on behalf of the user; by default, as the reordering handlers allow.
    @preconcurrency open func tableView(
        _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {
        guard let item = itemIdentifier(for: sourceIndexPath) else { return }
        base.reorder(item, to: DiffCore.IndexPath(destinationIndexPath))
    }

    /// Returns the title above a section; the default is `nil`.
    @preconcurrency open func tableView(
        _ tableView: UITableView, titleForHeaderInSection section: Int
    ) -> String? { nil }

    /// Returns the title below a section; the default is `nil`.
    @preconcurrency open func tableView(
        _ tableView: UITableView, titleForFooterInSection section: Int
    ) -> String? { nil }

    /// Whether the user may delete a row; the default is `false`.
    @preconcurrency open func tableView(
        _ tableView: UITableView, canEditRowAt indexPath: IndexPath
    ) -> Bool { false }

    /// Changes a row on behalf of the user; the default does nothing.
    @preconcurrency open func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {}

    /// Returns the titles of an index beside the table; the default is `nil`.
    @preconcurrency open func sectionIndexTitles(for tableView: UITableView) -> [String]? { nil }

    /// Returns the section of a title of that index.
    @preconcurrency open func tableView(
        _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
    ) -> Int { index }
}
