// What a list shows: applies snapshots, and tells the view what changed.

/// Keeps a list's view in step with snapshots.
///
/// Make one for a view, with a closure that makes the view's cells, and apply
/// a snapshot whenever the data changes:
///
/// ```swift
/// let dataSource = DiffableDataSource<Section, Peer.ID>(view: list) { list, indexPath, id in
///     Row(peers[id])
/// }
/// dataSource.apply(snapshot)
/// ```
///
/// A data source belongs to the isolation domain that made it; the compiler
/// refuses to share it. It does not keep its view alive, and the view's cells
/// are asked for by the view alone.
///
/// A snapshot may be applied at any time, also from the cell provider, from the
/// view's update or from a completion: it is then shown as soon as what is
/// under way is done, in the order of the calls.
public final class DiffableDataSource<SectionIdentifierType, ItemIdentifierType>
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// What the data source shows.
    public typealias Snapshot = DiffableDataSourceSnapshot<
        SectionIdentifierType, ItemIdentifierType
    >
    /// What it tells the view.
    public typealias Difference = SnapshotDifference<SectionIdentifierType, ItemIdentifierType>

    @usableFromInline let update: (Difference, Snapshot, RowAnimation) -> Void
    @usableFromInline let reload: (Snapshot) -> Void
    /// What the view shows.
    @usableFromInline var shown = Snapshot()
    /// What the view will show once all that is queued is done.
    @usableFromInline var latest = Snapshot()
    @usableFromInline var waiting: [() -> Void] = []
    @usableFromInline var isUpdating = false
    /// The outlines that sections show, if they show one.
    @usableFromInline var outlines:
        [SectionIdentifierType: DiffableDataSourceSectionSnapshot<ItemIdentifierType>] = [:]

    /// How the view shows changes that are applied with `animatingDifferences`.
    public var defaultRowAnimation = RowAnimation.fade
    /// What is asked and told when the user moves an item.
    public var reorderingHandlers = ReorderingHandlers()
    /// What is asked and told when the user folds or unfolds an item of an outline.
    public var sectionSnapshotHandlers = SectionSnapshotHandlers()

    /// A data source that drives a view, and has nothing to show yet.
    ///
    /// - Parameters:
    ///   - view: The view; the data source does not keep it alive.
    ///   - cellProvider: Makes the cell of an item that stands at a place.
    ///   - headerProvider: Makes the header of a section, which comes with its
    ///     number; `nil` is no header. Without the closure, no section has one.
    @inlinable
    public init<View: DiffableListView>(
        view: View,
        cellProvider: @escaping (View, IndexPath, ItemIdentifierType) -> View.Cell,
        headerProvider: ((View, Int, SectionIdentifierType) -> View.Header?)? = nil
    )
    where
        View.SectionIdentifierType == SectionIdentifierType,
        View.ItemIdentifierType == ItemIdentifierType
    {
        update = { [weak view] difference, snapshot, animation in
            view?.performBatchUpdates(difference, to: snapshot, animation: animation)
        }
        reload = { [weak view] snapshot in view?.reloadData(to: snapshot) }
        // The view keeps the closures and alone calls them, so it is alive whenever they run.
        view.attach(
            ListContent(
                cell: { [unowned view] in cellProvider(view, $0, $1) },
                header: { [unowned view] in headerProvider?(view, $0, $1) }))
    }

    /// The snapshot that was applied last, without its marks.
    ///
    /// This includes snapshots that wait for an update under way, so that what
    /// is derived from it loses nothing.
    @inlinable
    public func snapshot() -> Snapshot { latest }

    /// Shows a snapshot, and tells the view what is different from the last one.
    ///
    /// - Parameters:
    ///   - snapshot: What to show.
    ///   - animatingDifferences: Whether the view shows the change by
    ///     ``defaultRowAnimation``; the difference is the same either way.
    ///   - completion: Called when the view has been updated.
    /// - Returns: What is different from the snapshot applied before.
    /// - Complexity: That of ``DiffableDataSourceSnapshot/difference(from:)``.
    @inlinable
    @discardableResult
    public func apply(
        _ snapshot: Snapshot, animatingDifferences: Bool = true, completion: (() -> Void)? = nil
    ) -> Difference {
        let difference = snapshot.difference(from: latest)
        latest = snapshot.unmarked
        if !outlines.isEmpty { keepOutlines(of: latest) }
        let animation = animatingDifferences ? defaultRowAnimation : .none
        if isUpdating {
            waiting.append { [latest] in self.show(latest, difference, animation, completion) }
        } else {
            takeTurn { show(latest, difference, animation, completion) }
        }
        return difference
    }

    /// Shows a snapshot as if nothing had been shown before, without looking for differences.
    ///
    /// - Parameters:
    ///   - snapshot: What to show.
    ///   - completion: Called when the view has been reloaded.
    @inlinable
    public func applySnapshotUsingReloadData(
        _ snapshot: Snapshot, completion: (() -> Void)? = nil
    ) {
        latest = snapshot.unmarked
        if !outlines.isEmpty { keepOutlines(of: latest) }
        if isUpdating {
            waiting.append { [latest] in self.show(latest, completion) }
        } else {
            takeTurn { show(latest, completion) }
        }
    }

    /// Has the view show a snapshot that differs from the one before.
    @inlinable
    func show(
        _ snapshot: Snapshot, _ difference: Difference, _ animation: RowAnimation,
        _ completion: (() -> Void)?
    ) {
        shown = snapshot
        update(difference, snapshot, animation)
        completion?()
    }

    /// Has the view show a snapshot, whatever it showed before.
    @inlinable
    func show(_ snapshot: Snapshot, _ completion: (() -> Void)?) {
        shown = snapshot
        reload(snapshot)
        completion?()
    }

    /// Takes a step while none is under way, and then those that came to wait for it.
    @inlinable
    func takeTurn(_ step: () -> Void) {
        isUpdating = true
        step()
        var next = 0
        while next < waiting.count {
            waiting[next]()
            next += 1
        }
        if next > 0 { waiting.removeAll() }
        isUpdating = false
    }
}
