// Mountain search: a snapshot for each typed letter.
import Foundation
import Testing
import UIKitNames

private struct Mountain: Hashable {
    let name: String
    let height: Int
    private let identifier = UUID()

    func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
    static func == (lhs: Mountain, rhs: Mountain) -> Bool { lhs.identifier == rhs.identifier }
    func contains(_ filter: String?) -> Bool {
        guard let filter, !filter.isEmpty else { return true }
        return name.lowercased().contains(filter.lowercased())
    }
}

private struct MountainsController {
    let mountains = [("Rigi", 1798), ("Eiger", 3967), ("Tödi", 3613), ("Säntis", 2502)]
        .map { Mountain(name: $0.0, height: $0.1) }

    func filteredMountains(with filter: String? = nil) -> [Mountain] {
        mountains.filter { $0.contains(filter) }
    }
}

@MainActor private final class MountainsViewController {
    enum Section: CaseIterable { case main }

    let mountainsController = MountainsController()
    let mountainsCollectionView = ListStandIn<Section, Mountain>()
    var dataSource: UICollectionViewDiffableDataSource<Section, Mountain>!

    init() {
        dataSource = UICollectionViewDiffableDataSource<Section, Mountain>(
            collectionView: mountainsCollectionView
        ) {
            (
                collectionView: ListStandIn<Section, Mountain>, indexPath: IndexPath,
                mountain: Mountain
            ) -> UICollectionViewCell? in
            let cell = UICollectionViewListCell()
            cell.text = "\(indexPath.item). \(mountain.name)"
            return cell
        }
        performQuery(with: nil)
    }

    func performQuery(with filter: String?) {
        let mountains = mountainsController.filteredMountains(with: filter)
            .sorted { $0.name < $1.name }
        var snapshot = NSDiffableDataSourceSnapshot<Section, Mountain>()
        snapshot.appendSections([.main])
        snapshot.appendItems(mountains)
        dataSource.apply(snapshot, animatingDifferences: true)
    }
}

@MainActor @Suite struct MountainTests {
    @Test func `each letter narrows the list`() {
        let controller = MountainsViewController()
        let view = controller.mountainsCollectionView
        #expect(view.lines == [["0. Eiger", "1. Rigi", "2. Säntis", "3. Tödi"]])
        controller.performQuery(with: "ig")
        #expect(view.snapshot.itemIdentifiers.map(\.name) == ["Eiger", "Rigi"])
        #expect(view.provided.isEmpty, "the cells of mountains that stay are kept")
        controller.performQuery(with: "")
        #expect(view.provided.map(\.name) == ["Säntis", "Tödi"])
    }
}
