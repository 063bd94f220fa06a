// A view and a cell in the place of UIKit's, whose rows can be read as text.
import UIKitNames

/// A cell of texts.
final class TextCell: ReusableCell {
    var text = ""
    var secondaryText = ""
    var accessories: [String] = []

    /// The texts in one line.
    var line: String {
        ([text, secondaryText] + accessories).filter { $0 != "" }.joined(separator: " ")
    }
}

/// A view that keeps the cells of rows that stay, and configures them again when they change.
final class ListStandIn<Section: Hashable & Sendable, Item: Hashable & Sendable>: DiffableListView {
    private var content: ListContent<Section, Item, TextCell, String>?
    private(set) var snapshot = NSDiffableDataSourceSnapshot<Section, Item>()
    private var cells: [Item: TextCell] = [:]
    /// The cell that the next dequeued cell is.
    private var reused: TextCell?
    /// The items whose cells were made or configured by the last update.
    private(set) var provided: [Item] = []

    /// The rows of each section as text.
    var lines: [[String]] {
        snapshot.sectionIdentifiers.map { section in
            snapshot.itemIdentifiers(inSection: section).map { cells[$0]?.line ?? "" }
        }
    }

    func attach(_ content: ListContent<Section, Item, TextCell, String>) {
        precondition(self.content == nil, "the view has a data source already")
        self.content = content
    }

    func performBatchUpdates(
        _ difference: SnapshotDifference<Section, Item>,
        to snapshot: NSDiffableDataSourceSnapshot<Section, Item>, animation: RowAnimation
    ) {
        self.snapshot = snapshot
        provided = []
        for change in difference.deletedItems { cells[change.item] = nil }
        for change in difference.insertedItems + difference.reloadedItems {
            provide(change, reusing: nil)
        }
        for change in difference.reconfiguredItems {
            provide(change, reusing: cells[change.item])
        }
    }

    func reloadData(to snapshot: NSDiffableDataSourceSnapshot<Section, Item>) {
        (cells, self.snapshot) = ([:], NSDiffableDataSourceSnapshot())
        performBatchUpdates(
            snapshot.difference(from: self.snapshot), to: snapshot, animation: .none)
    }

    private func provide(
        _ change: SnapshotDifference<Section, Item>.ItemChange, reusing cell: TextCell?
    ) {
        provided.append(change.item)
        reused = cell
        cells[change.item] = content?.cell(change.position.indexPath, change.item)
        reused = nil
    }

    func reusableCell<ReusedCell: ReusableCell>(
        _ type: ReusedCell.Type, for indexPath: DiffCore.IndexPath
    ) -> ReusedCell? { reused as? ReusedCell }

    /// Returns a cell as a table view does.
    func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath)
        -> TextCell
    {
        reused ?? TextCell()
    }
}

typealias UICollectionViewListCell = TextCell
typealias UICollectionViewCell = TextCell
typealias UITableViewCell = TextCell
