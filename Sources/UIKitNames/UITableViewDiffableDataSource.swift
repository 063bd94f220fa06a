// UIKit's data source of table views, by way of DiffCore's.

public import DiffCore
public import Foundation

/// A data source for a table view, under the names of UIKit.
///
/// It may be subclassed, and what UIKit declares open can be overridden: the view asks the overrides.
@MainActor @preconcurrency
open class UITableViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>:
    ListSurfaceDataSource<SectionIdentifierType, ItemIdentifierType>, UITableViewDataSource
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// Makes the cell of an item at an index path.
    public typealias CellProvider = (
        _ tableView: UITableView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
    ) -> UITableViewCell?

    /// Creates a data source without sections for a view; O(1).
    ///
    /// - Precondition: The view has no diffable data source yet.
    public init(tableView: UITableView, cellProvider: @escaping CellProvider) {
        super.init(surface: tableView) { [unowned tableView] in cellProvider(tableView, $0, $1) }
        tableView.dataSource = self
    }

    /// Creates a data source without sections for a view of DiffCore; O(1).
    ///
    /// - Precondition: The view has no data source yet.
    public init<View: DiffableListView>(
        tableView: View,
        cellProvider: @escaping (View, IndexPath, ItemIdentifierType) -> View.Cell?
    )
    where
        View.SectionIdentifierType == SectionIdentifierType,
        View.ItemIdentifierType == ItemIdentifierType
    { super.init(view: tableView, cellProvider: cellProvider) }

    /// Creates a data source without sections for a view of DiffCore whose headers are texts: the titles of
    /// this class. The view also asks it which rows the user may delete; O(1).
    ///
    /// - Precondition: The view has no data source yet.
    public init<View: DiffableListView>(
        tableView: View,
        cellProvider: @escaping (View, IndexPath, ItemIdentifierType) -> View.Cell?
    )
    where
        View.SectionIdentifierType == SectionIdentifierType,
        View.ItemIdentifierType == ItemIdentifierType, View.Header == String
    {
        super.init(view: tableView, cellProvider: cellProvider)
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

    // MARK: Answers to the view

    /// Returns the number of sections; O(1).
    open func numberOfSections(in tableView: UITableView) -> Int { numberOfSections }

    /// Returns the number of rows in a section; O(1).
    open func tableView(
        _ tableView: UITableView, numberOfRowsInSection section: Int
    ) -> Int { numberOfItems(inSection: section) }

    /// Returns the cell of a row, or an empty cell if the provider returns `nil`.
    ///
    /// - Complexity: That of the provider, and of looking up the item.
    open func tableView(
        _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell { cell(at: indexPath) as? UITableViewCell ?? UITableViewCell() }

    /// Returns whether the user may move a row; by default, what the reordering handlers answer; O(1).
    open func tableView(
        _ tableView: UITableView, canMoveRowAt indexPath: IndexPath
    ) -> Bool { canMoveItem(at: indexPath) }

    /// Moves a row on behalf of the user; by default, as the reordering handlers allow.
    ///
    /// - Complexity: That of `DiffableDataSource.reorder(_:to:)`.
    open func tableView(
        _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) { moveItem(at: sourceIndexPath, to: destinationIndexPath) }

    /// Returns the title above a section; the default is `nil`; O(1).
    open func tableView(
        _ tableView: UITableView, titleForHeaderInSection section: Int
    ) -> String? { nil }

    /// Returns the title below a section; the default is `nil`; O(1).
    open func tableView(
        _ tableView: UITableView, titleForFooterInSection section: Int
    ) -> String? { nil }

    /// Returns whether the user may delete a row; the default is `false`; O(1).
    open func tableView(
        _ tableView: UITableView, canEditRowAt indexPath: IndexPath
    ) -> Bool { false }

    /// Changes a row on behalf of the user; the default does nothing; O(1).
    open func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {}

    /// Returns the titles of an index beside the table; the default is `nil`; O(1).
    open func sectionIndexTitles(for tableView: UITableView) -> [String]? { nil }

    /// Returns the section of a title of that index; the default is the title's index; O(1).
    open func tableView(
        _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
    ) -> Int { index }
}
