// The members that the data sources of table views and of collection views have in common.

public import DiffCore
public import Foundation

/// The base class of ``UICollectionViewDiffableDataSource`` and ``UITableViewDiffableDataSource``.
///
/// All of its members belong to the main actor, as UIKit's do. Its ``base`` is DiffCore's data source, which has
/// more: differences, and contents that are compared.
@MainActor @preconcurrency
open class ListSurfaceDataSource<SectionIdentifierType, ItemIdentifierType>: NSObject
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
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

    /// The view of ``base`` that passes updates on to a ``ListSurface``; `nil` for a view of DiffCore.
    private let adapter: SurfaceAdapter<SectionIdentifierType, ItemIdentifierType>?

    /// Creates a data source without sections for a view by index path.
    init(
        surface: ListSurface, cellProvider: @escaping (IndexPath, ItemIdentifierType) -> AnyObject?
    ) {
        let adapter = SurfaceAdapter<SectionIdentifierType, ItemIdentifierType>(surface)
        self.adapter = adapter
        base = DiffableDataSource(view: adapter) { cellProvider(IndexPath($1), $2) }
    }

    /// Creates a data source without sections for a view of DiffCore.
    init<View: DiffableListView>(
        view: View, cellProvider: @escaping (View, IndexPath, ItemIdentifierType) -> View.Cell?
    )
    where
        View.SectionIdentifierType == SectionIdentifierType,
        View.ItemIdentifierType == ItemIdentifierType
    {
        adapter = nil
        base = DiffableDataSource(view: view) { cellProvider($0, IndexPath($1), $2) }
    }

    // MARK: Applying

    /// Shows a snapshot by updating the view with the difference from the last one.
    ///
    /// - Precondition: The call is made on the main queue.
    /// - Complexity: That of `DiffableDataSourceSnapshot.difference(from:)`.
    open func apply(
        _ snapshot: Snapshot, animatingDifferences: Bool = true, completion: (() -> Void)? = nil
    ) {
        requireMainQueue()
        base.apply(snapshot, animatingDifferences: animatingDifferences, completion: completion)
    }

    /// Shows a snapshot, and returns when the view has been updated.
    ///
    /// - Complexity: That of `DiffableDataSourceSnapshot.difference(from:)`.
    open func apply(_ snapshot: Snapshot, animatingDifferences: Bool = true) async {
        await base.apply(snapshot, animatingDifferences: animatingDifferences)
    }

    /// Reloads the view with a snapshot, without computing a difference.
    ///
    /// - Precondition: The call is made on the main queue.
    /// - Complexity: O(*n*) for *n* items, and the view's reload. If sections show outlines, also that of
    ///   `DiffableDataSourceSnapshot.difference(from:)`.
    open func applySnapshotUsingReloadData(
        _ snapshot: Snapshot, completion: (() -> Void)? = nil
    ) {
        requireMainQueue()
        base.applySnapshotUsingReloadData(snapshot, completion: completion)
    }

    /// Reloads the view with a snapshot, and returns when it has been reloaded.
    ///
    /// - Complexity: That of ``applySnapshotUsingReloadData(_:completion:)``.
    open func applySnapshotUsingReloadData(_ snapshot: Snapshot) async {
        await base.applySnapshotUsingReloadData(snapshot)
    }

    /// Shows an outline in a section: its visible items become the section's items.
    ///
    /// - Precondition: The call is made on the main queue.
    /// - Complexity: O(*n*) for *n* items of the outline, and that of
    ///   `DiffableDataSourceSnapshot.difference(from:)`.
    open func apply(
        _ snapshot: SectionSnapshot, to section: SectionIdentifierType,
        animatingDifferences: Bool = true, completion: (() -> Void)? = nil
    ) {
        requireMainQueue()
        base.apply(
            snapshot, to: section, animatingDifferences: animatingDifferences,
            completion: completion)
    }

    /// Shows an outline in a section, and returns when the view has been updated.
    ///
    /// - Complexity: That of ``apply(_:to:animatingDifferences:completion:)``.
    open func apply(
        _ snapshot: SectionSnapshot, to section: SectionIdentifierType,
        animatingDifferences: Bool = true
    ) async {
        await base.apply(snapshot, to: section, animatingDifferences: animatingDifferences)
    }

    // MARK: Looking up

    /// Returns the snapshot that was applied last, without its marks; O(1).
    open func snapshot() -> Snapshot { base.snapshot() }

    /// Returns the outline of a section; without one, the section's items as root items.
    ///
    /// - Complexity: O(1) with an outline, and O(*n*) for the *n* items of a section without one.
    open func snapshot(for section: SectionIdentifierType) -> SectionSnapshot {
        base.snapshot(for: section)
    }

    /// Returns the item that the view shows at an index path, or `nil` if there is none; O(1).
    open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? {
        base.itemIdentifier(for: DiffCore.IndexPath(indexPath))
    }

    /// Returns the index path of an item that the view shows, or `nil` if it does not.
    ///
    /// - Complexity: O(log *s*) for *s* sections.
    open func indexPath(for itemIdentifier: ItemIdentifierType) -> IndexPath? {
        let path: DiffCore.IndexPath? = base.indexPath(for: itemIdentifier)
        return path.map { IndexPath($0) }
    }

    /// Returns the section that the view shows at an index, or `nil` if there is none; O(1).
    open func sectionIdentifier(for index: Int) -> SectionIdentifierType? {
        base.sectionIdentifier(for: index)
    }

    /// Returns the index of a section that the view shows, or `nil` if it does not; O(1).
    open func index(for sectionIdentifier: SectionIdentifierType) -> Int? {
        base.index(for: sectionIdentifier)
    }

    // MARK: Handlers

    /// The animation of changes that are applied with `animatingDifferences`.
    public final var defaultRowAnimation: RowAnimation {
        get { base.defaultRowAnimation }
        set { base.defaultRowAnimation = newValue }
    }

    /// Handlers for items that the user moves.
    public final var reorderingHandlers: ReorderingHandlers {
        get { base.reorderingHandlers }
        set { base.reorderingHandlers = newValue }
    }

    /// Handlers for outline items that the user expands or collapses.
    public final var sectionSnapshotHandlers: SectionSnapshotHandlers<ItemIdentifierType> {
        get { base.sectionSnapshotHandlers }
        set { base.sectionSnapshotHandlers = newValue }
    }

    // MARK: Default answers to the view

    /// The snapshot that the view shows.
    private final var shown: Snapshot { adapter?.snapshot ?? base.snapshot() }

    final var numberOfSections: Int { shown.numberOfSections }

    final func numberOfItems(inSection index: Int) -> Int {
        shown.numberOfItems(inSection: shown.sectionIdentifiers[index])
    }

    final func cell(at indexPath: IndexPath) -> AnyObject? { adapter?.cell(at: indexPath) }

    final func canMoveItem(at indexPath: IndexPath) -> Bool {
        guard let item = itemIdentifier(for: indexPath) else { return false }
        return reorderingHandlers.canReorderItem?(item) ?? false
    }

    final func moveItem(at source: IndexPath, to destination: IndexPath) {
        guard let item = itemIdentifier(for: source) else { return }
        base.reorder(item, to: DiffCore.IndexPath(destination))
    }
}

/// The view of DiffCore's data source that passes the steps of differences on to a view by index path.
@MainActor
private final class SurfaceAdapter<Section: Hashable & Sendable, Item: Hashable & Sendable>:
    @MainActor DiffableListView
{
    private weak var surface: ListSurface?
    private(set) var snapshot = DiffableDataSourceSnapshot<Section, Item>()
    private var content: ListContent<Section, Item, AnyObject, Never>?

    init(_ surface: ListSurface) {
        precondition(surface.adapter == nil, "the view has a data source already")
        self.surface = surface
        surface.adapter = self
    }

    func attach(_ content: ListContent<Section, Item, AnyObject, Never>) { self.content = content }

    func performBatchUpdates(
        _ difference: SnapshotDifference<Section, Item>,
        to snapshot: DiffableDataSourceSnapshot<Section, Item>, animation: RowAnimation
    ) {
        self.snapshot = snapshot
        surface?.perform(difference.steps, animation: animation)
    }

    func reloadData(to snapshot: DiffableDataSourceSnapshot<Section, Item>) {
        self.snapshot = snapshot
        surface?.reloadData()
    }

    func cell(at indexPath: IndexPath) -> AnyObject? {
        let path = DiffCore.IndexPath(indexPath)
        return content?.cell(path, snapshot.itemIdentifier(at: path))
    }
}
