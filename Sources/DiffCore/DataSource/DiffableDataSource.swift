// Applies snapshots to a list view.

/// Updates a list view from snapshots.
///
/// Create one for a view, with a closure that makes the view's cells, and apply
/// a snapshot whenever the data changes:
///
/// ```swift
/// let dataSource = DiffableDataSource<Section, Peer.ID>(view: list) { list, indexPath, id in
///     Row(peers[id])
/// }
/// dataSource.apply(snapshot)
/// ```
///
/// A data source belongs to the isolation domain that created it; the compiler
/// refuses to share it. It does not retain its view, and only the view asks for
/// cells.
///
/// A snapshot may be applied at any time, also from the cell provider, during a
/// view's update or from a completion: it is then shown after the current update,
/// in the order of the calls.
///
/// Subclass it to add what your list needs; its methods cannot be overridden.
open class DiffableDataSource<SectionIdentifierType, ItemIdentifierType>
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// The snapshot type of this data source.
    public typealias Snapshot = DiffableDataSourceSnapshot<
        SectionIdentifierType, ItemIdentifierType
    >
    /// The difference type of this data source.
    public typealias Difference = SnapshotDifference<SectionIdentifierType, ItemIdentifierType>
    /// The outline type of this data source's sections.
    public typealias SectionSnapshot = DiffableDataSourceSectionSnapshot<ItemIdentifierType>
    /// Makes the cell of an item at an index path, or returns `nil` for an empty row.
    public typealias CellProvider<View: DiffableListView> =
        (View, IndexPath, ItemIdentifierType) -> View.Cell?
    /// Makes the header of a section with an index, or returns `nil` for no header.
    public typealias HeaderProvider<View: DiffableListView> =
        (View, Int, SectionIdentifierType) -> View.Header?

    @usableFromInline final let update: (Difference, Snapshot, RowAnimation) -> Void
    @usableFromInline final let reload: (Snapshot) -> Void
    /// The ``HeaderSource`` of the view, if there is a view.
    @usableFromInline final let headers: AnyObject?
    /// The snapshot that the view shows.
    @usableFromInline final var shown = Snapshot()
    /// Whether the view has got a snapshot.
    @usableFromInline final var hasShown = false
    /// The snapshot that the view will show after all waiting updates.
    @usableFromInline final var latest = Snapshot()
    /// The updates and continuations that wait for the current update.
    @usableFromInline final var waiting: [() -> Void] = []
    @usableFromInline final var isUpdating = false
    /// The ``ItemContents`` of the snapshot that was last applied with contents.
    @usableFromInline final var contents: Any?
    /// The streams behind ``differences()``.
    @usableFromInline final var readers: [AsyncStream<Snapshot>.Continuation] = []
    /// The outlines of the sections that show one.
    @usableFromInline final var outlines = SectionOutlines<
        SectionIdentifierType, ItemIdentifierType
    >()

    /// The animation of changes that are applied with `animatingDifferences`.
    public final var defaultRowAnimation = RowAnimation.automatic
    /// Handlers for items that the user moves.
    public final var reorderingHandlers = ReorderingHandlers()
    /// Handlers for items that the user deletes.
    public final var editingHandlers = EditingHandlers()
    /// Handlers for outline items that the user expands or collapses.
    public final var sectionSnapshotHandlers = SectionSnapshotHandlers<ItemIdentifierType>()

    /// Creates a data source without sections for a view.
    ///
    /// - Parameters:
    ///   - view: The view, which is not retained.
    ///   - cellProvider: Makes the cell of an item at an index path, or returns `nil` for an empty
    ///     row.
    ///   - headerProvider: Makes the header of a section with an index, or returns `nil` for no
    ///     header. Without this closure, no section has a header.
    /// - Precondition: The view has no data source yet.
    /// - Complexity: O(1).
    @inlinable
    public init<View: DiffableListView>(
        view: View, cellProvider: @escaping CellProvider<View>,
        headerProvider: HeaderProvider<View>? = nil
    )
    where
        View.SectionIdentifierType == SectionIdentifierType,
        View.ItemIdentifierType == ItemIdentifierType
    {
        update = { [weak view] difference, snapshot, animation in
            view?.performBatchUpdates(difference, to: snapshot, animation: animation)
        }
        reload = { [weak view] snapshot in view?.reloadData(to: snapshot) }
        let headers = HeaderSource(of: view, headerProvider)
        self.headers = headers
        // Only the view keeps and calls these closures, so it is alive whenever they run.
        view.attach(
            ListContent(
                cell: { [unowned view] in cellProvider(view, $0, $1) },
                header: { [unowned view] in headers.provider?(view, $0, $1) },
                dataSource: self))
    }

    /// Creates a data source without sections and without a view, whose ``differences()`` are read; O(1).
    public init() {
        update = { _, _, _ in }
        reload = { _ in }
        headers = nil
    }

    deinit { for reader in readers { reader.finish() } }

    /// The header provider, which the view's ``ListContent`` and the data source share.
    @usableFromInline
    final class HeaderSource<View: DiffableListView> {
        @usableFromInline weak var view: View?
        @usableFromInline var provider: HeaderProvider<View>?

        @inlinable
        init(of view: View, _ provider: HeaderProvider<View>?) {
            self.view = view
            self.provider = provider
        }
    }

    /// Replaces the provider of section headers, `nil` for no headers; the view calls it from its next
    /// update on.
    ///
    /// - Precondition: The view belongs to this data source.
    /// - Complexity: O(1).
    public func setHeaderProvider<View: DiffableListView>(
        of view: View, _ provider: HeaderProvider<View>?
    ) {
        guard let headers = headers as? HeaderSource<View>, headers.view === view else {
            misuse("setHeaderProvider(of:_:)", "\(view) is not the view of this data source")
        }
        headers.provider = provider
    }
}

/// The content of each item of a snapshot, in the order of its items.
@usableFromInline
struct ItemContents<Snapshot, Content> {
    @usableFromInline let snapshot: Snapshot
    @usableFromInline let values: [Content]

    @inlinable
    init(snapshot: Snapshot, values: [Content]) {
        self.snapshot = snapshot
        self.values = values
    }
}

// MARK: Applying

extension DiffableDataSource {
    /// Returns the snapshot that was applied last, without its marks; O(1).
    ///
    /// The snapshot may still be waiting for an update, so that a snapshot derived from it contains
    /// all earlier changes.
    @inlinable
    public func snapshot() -> Snapshot { latest }

    /// Shows a snapshot by updating the view with the difference from the last one; the first snapshot reloads
    /// the view, without an animation.
    ///
    /// The outlines of sections keep the levels and the hidden descendants of their items, as the
    /// article on applying snapshots describes.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot to show.
    ///   - animatingDifferences: Whether the view uses ``defaultRowAnimation``; the difference is the
    ///     same either way.
    ///   - completion: Called when the view has been updated.
    /// - Returns: The difference from the snapshot applied before.
    /// - Complexity: That of ``DiffableDataSourceSnapshot/difference(from:)``.
    @inlinable
    @discardableResult
    public func apply(
        _ snapshot: Snapshot, animatingDifferences: Bool = true, completion: (() -> Void)? = nil
    ) -> Difference {
        let difference = snapshot.difference(from: latest)
        return show(
            difference, outlines: outlines(for: difference),
            animatingDifferences: animatingDifferences, completion: completion)
    }

    /// Shows the snapshot that a difference from the latest one leads to.
    @inlinable
    func show(
        _ difference: Difference,
        outlines: SectionOutlines<SectionIdentifierType, ItemIdentifierType>,
        animatingDifferences: Bool, completion: (() -> Void)?
    ) -> Difference {
        setLatest(difference.storage.new, outlines: outlines)
        let animation = animatingDifferences ? defaultRowAnimation : .none
        perform { [latest] in
            self.shown = latest
            if self.hasShown {
                self.update(difference, latest, animation)
            } else {
                self.hasShown = true
                self.reload(latest)
            }
            completion?()
        }
        return difference
    }

    /// Shows a snapshot, and reconfigures the items whose content has changed since the last call.
    ///
    /// ```swift
    /// dataSource.apply(snapshot, content: { id in peers[id] })
    /// ```
    ///
    /// The contents are kept until the next call: one of each item, in an array. Other snapshots that
    /// are applied in between do not change them.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot to show; items may also be marked in it.
    ///   - animatingDifferences: Whether the view uses ``defaultRowAnimation``.
    ///   - content: Returns whatever the row of an item depends on. Called once for each item.
    ///   - completion: Called when the view has been updated.
    /// - Returns: The difference from the snapshot applied before.
    /// - Complexity: That of ``DiffableDataSourceSnapshot/difference(from:)``, and O(*n*) for *n* items.
    @inlinable
    @discardableResult
    public func apply<Content: Equatable>(
        _ snapshot: Snapshot, animatingDifferences: Bool = true,
        content: (ItemIdentifierType) -> Content, completion: (() -> Void)? = nil
    ) -> Difference {
        var difference = snapshot.difference(from: latest)
        let items = snapshot.itemIdentifiers
        var changed: [ItemIdentifierType] = []
        var values: [Content] = []
        values.reserveCapacity(items.count)
        if let known = contents as? ItemContents<Snapshot, Content> {
            // Snapshots without contents may have been applied in between.
            let changes =
                known.snapshot.items === latest.items
                ? difference : snapshot.difference(from: known.snapshot)
            changes.storage.items.forEachElement(count: items.count) { index, former in
                let value = content(items[index])
                if former >= 0, known.values[former] != value { changed.append(items[index]) }
                values.append(value)
            }
        } else {
            for item in items { values.append(content(item)) }
        }
        contents = ItemContents(snapshot: snapshot, values: values)
        if !changed.isEmpty {
            var marked = snapshot
            marked.reconfigureItems(changed)
            difference = Difference(
                .init(
                    from: latest, to: marked, sections: difference.storage.sections,
                    items: difference.storage.items))
        }
        return show(
            difference, outlines: outlines(for: difference),
            animatingDifferences: animatingDifferences, completion: completion)
    }

    /// Reloads the view with a snapshot, without computing a difference.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot to show.
    ///   - completion: Called when the view has been reloaded.
    /// - Complexity: O(*n*) for *n* items if the snapshot is not indexed yet; with outlines, that of
    ///   ``DiffableDataSourceSnapshot/difference(from:)``.
    @inlinable
    public func applySnapshotUsingReloadData(
        _ snapshot: Snapshot, completion: (() -> Void)? = nil
    ) {
        // A repeated item is found here.
        snapshot.withItems { _ in }
        setLatest(
            snapshot,
            outlines: outlines.isEmpty
                ? outlines : outlines(for: snapshot.difference(from: latest)))
        perform { [latest] in
            self.shown = latest
            self.hasShown = true
            self.reload(latest)
            completion?()
        }
    }

    /// Returns the outlines after a difference from the latest snapshot.
    @inlinable
    func outlines(
        for difference: Difference
    ) -> SectionOutlines<SectionIdentifierType, ItemIdentifierType> {
        outlines.isEmpty ? outlines : outlines.carried(toValuesOf: difference)
    }

    @inlinable
    func setLatest(
        _ snapshot: Snapshot,
        outlines: SectionOutlines<SectionIdentifierType, ItemIdentifierType>
    ) {
        latest = snapshot
        latest.marks = nil
        self.outlines = outlines
        if !readers.isEmpty { publish(snapshot) }
    }

    /// Performs an update now, or after the current one.
    @inlinable
    func perform(_ step: @escaping () -> Void) {
        guard !isUpdating else { return waiting.append(step) }
        isUpdating = true
        step()
        while !waiting.isEmpty {
            // A chain of completions adds one after the other; none is kept once it is performed.
            let steps = waiting
            waiting = []
            for step in steps { step() }
        }
        isUpdating = false
    }
}

// MARK: Applying with await

// In an asynchronous function, a call without `completion` means one of these methods, as in UIKit. They
// run in the caller's isolation, which must be the isolation of the data source.
extension DiffableDataSource {
    /// Shows a snapshot, and returns when the view has been updated.
    ///
    /// The method waits only if an update is in progress.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot to show.
    ///   - animatingDifferences: Whether the view uses ``defaultRowAnimation``; the difference is the
    ///     same either way.
    /// - Returns: The difference from the snapshot applied before.
    /// - Complexity: That of ``DiffableDataSourceSnapshot/difference(from:)``.
    @inlinable
    @discardableResult
    public func apply(_ snapshot: Snapshot, animatingDifferences: Bool = true) async -> Difference {
        let difference = apply(
            snapshot, animatingDifferences: animatingDifferences, completion: nil)
        await waitForUpdates()
        return difference
    }

    /// Shows a snapshot, reconfigures the items whose content has changed, and returns when the view has
    /// been updated.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot to show; items may also be marked in it.
    ///   - animatingDifferences: Whether the view uses ``defaultRowAnimation``.
    ///   - content: Returns whatever the row of an item depends on. Called once for each item.
    /// - Returns: The difference from the snapshot applied before.
    /// - Complexity: That of ``DiffableDataSourceSnapshot/difference(from:)``, and O(*n*) for *n* items.
    @inlinable
    @discardableResult
    public func apply<Content: Equatable>(
        _ snapshot: Snapshot, animatingDifferences: Bool = true,
        content: (ItemIdentifierType) -> Content
    ) async -> Difference {
        let difference = apply(
            snapshot, animatingDifferences: animatingDifferences, content: content, completion: nil)
        await waitForUpdates()
        return difference
    }

    /// Reloads the view with a snapshot without computing a difference, and returns when the view has
    /// been reloaded.
    ///
    /// - Parameter snapshot: The snapshot to show.
    /// - Complexity: O(*n*) for *n* items if the snapshot is not indexed yet; with outlines, that of
    ///   ``DiffableDataSourceSnapshot/difference(from:)``.
    @inlinable
    public func applySnapshotUsingReloadData(_ snapshot: Snapshot) async {
        applySnapshotUsingReloadData(snapshot, completion: nil)
        await waitForUpdates()
    }

    /// Shows an outline in a section, and returns when the view has been updated.
    ///
    /// - Parameters:
    ///   - outline: The outline.
    ///   - section: The section, which is appended if it is absent.
    ///   - animatingDifferences: Whether the view uses ``defaultRowAnimation``.
    /// - Returns: The difference from the snapshot applied before.
    /// - Complexity: O(*n* + *k*) for *n* items in the list, and *k* items in the outline, hidden ones
    ///   included.
    @discardableResult
    public func apply(
        _ outline: SectionSnapshot, to section: SectionIdentifierType,
        animatingDifferences: Bool = true
    ) async -> Difference {
        let difference = apply(
            outline, to: section, animatingDifferences: animatingDifferences, completion: nil)
        await waitForUpdates()
        return difference
    }

    @inlinable
    func waitForUpdates() async {
        guard isUpdating else { return }
        await withCheckedContinuation { continuation in waiting.append { continuation.resume() } }
    }
}

// MARK: Looking up

extension DiffableDataSource {
    /// Returns the item that the view shows at an index path, or `nil` if there is none; O(1).
    @inlinable
    public func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? {
        shown.withItems { $0.item(at: indexPath) }
    }

    /// Returns the index path of an item, or `nil` if the view does not show the item.
    ///
    /// - Complexity: O(log *s*) for *s* sections.
    @_disfavoredOverload  // UIKitNames has one that returns Foundation's index path.
    @inlinable
    public func indexPath(for itemIdentifier: ItemIdentifierType) -> IndexPath? {
        shown.indexPath(of: itemIdentifier)
    }

    /// Returns the section that the view shows at an index, or `nil` if there is none; O(1).
    @inlinable
    public func sectionIdentifier(for index: Int) -> SectionIdentifierType? {
        shown.sectionIdentifiers.indices.contains(index) ? shown.sectionIdentifiers[index] : nil
    }

    /// Returns the index of a section, or `nil` if the view does not show the section; O(1).
    @inlinable
    public func index(for sectionIdentifier: SectionIdentifierType) -> Int? {
        shown.indexOfSection(sectionIdentifier)
    }
}
