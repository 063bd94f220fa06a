// What views by index path have in common, whatever identifiers their data sources have.

public import DiffCore
public import Foundation

/// A view whose data source may have identifiers of any types: the base class of ``UICollectionView`` and
/// ``UITableView``.
///
/// Subclass one of those for your toolkit, and override ``perform(_:animation:)`` and
/// ``reloadData()``. Steps have DiffCore's index paths. A view gets the number of rows and the cells from its
/// methods, as a view of UIKit gets them from its data source:
///
/// ```swift
/// final class ListBox: UITableView {
///     private var rows: [[UITableViewCell?]] = []
///
///     override func reloadData() {
///         rows = (0..<numberOfSections).map { section in
///             (0..<numberOfRows(inSection: section)).map { cell(at: IndexPath(row: $0, section: section)) }
///         }
///     }
/// }
/// ```
open class ListSurface {
    /// The content of a list, without the types of its identifiers.
    struct Source {
        var sections: () -> Int
        var items: (Int) -> Int
        var cell: (IndexPath) -> AnyObject?
        var supplementaryView: (String, IndexPath) -> UICollectionReusableView?
        var title: (_ isHeader: Bool, Int) -> String?
        var canEdit: (IndexPath) -> Bool
        var commit: (UITableViewCell.EditingStyle, IndexPath) -> Void
        var canMove: (IndexPath) -> Bool
        var move: (IndexPath, IndexPath) -> Void
    }

    /// The adapter that a data source updates, and the content that it has given.
    final var adapter: AnyObject?
    final var source: Source?

    /// Creates a view without a data source.
    public init() {}

    /// Performs the steps of a difference; the default reloads.
    open func perform(_ steps: [ListStep], animation: RowAnimation) { reloadData() }

    /// Shows everything again; the default does nothing.
    open func reloadData() {}

    /// Returns a cell that can be configured for a row, or `nil` for a new one; the default returns `nil`.
    open func reusableCell(ofType type: AnyClass, at indexPath: IndexPath) -> AnyObject? { nil }

    /// The number of sections.
    public final var numberOfSections: Int { source?.sections() ?? 0 }
    /// Whether the user may delete a row.
    public final func canEdit(at indexPath: IndexPath) -> Bool {
        source?.canEdit(indexPath) ?? false
    }
    /// Changes a row on behalf of the user.
    public final func commit(_ style: UITableViewCell.EditingStyle, at indexPath: IndexPath) {
        source?.commit(style, indexPath)
    }
    /// Whether the user may move a row.
    public final func canMove(at indexPath: IndexPath) -> Bool {
        source?.canMove(indexPath) ?? false
    }
    /// Moves a row on behalf of the user.
    public final func move(at indexPath: IndexPath, to target: IndexPath) {
        source?.move(indexPath, target)
    }

    final func numberOfItems(in section: Int) -> Int { source?.items(section) ?? 0 }
}

/// Takes the differences of a data source for a view, and passes on their steps.
final class SurfaceAdapter<Section: Hashable & Sendable, Item: Hashable & Sendable>:
    DiffableListView
{
    private weak var surface: ListSurface?
    private(set) var snapshot = DiffableDataSourceSnapshot<Section, Item>()
    private(set) var content: ListContent<Section, Item, AnyObject, Never>?

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

    func items(in section: Int) -> Int {
        snapshot.numberOfItems(inSection: snapshot.sectionIdentifiers[section])
    }

    func cell(at indexPath: IndexPath) -> AnyObject? {
        let section = snapshot.sectionIdentifiers[indexPath.section]
        let item = snapshot.itemIdentifiers(inSection: section)[indexPath.item]
        return content?.cell(DiffCore.IndexPath(indexPath), item)
    }
}
