// Sidebar: lightweight structs in an outline, handlers, and items that the user moves.
import Foundation
import Testing
import UIKitNames

private enum SidebarItemType { case standard, collection, expandableHeader }

private struct SidebarItem: Hashable {
    let title: String
    let type: SidebarItemType
}

private enum SidebarSection: Int { case main, collections }

/// A data source with a method of its own.
private final class SidebarDataSource:
    UICollectionViewDiffableDataSource<SidebarSection, SidebarItem>
{
    func titles(in section: SidebarSection) -> [String] {
        snapshot().itemIdentifiers(inSection: section).map(\.title)
    }
}

@MainActor private final class SidebarViewController {
    let collectionView = ListStandIn<SidebarSection, SidebarItem>()
    let dataSource: SidebarDataSource

    init() {
        let row = ListStandIn<SidebarSection, SidebarItem>.CellRegistration<
            UICollectionViewListCell, SidebarItem
        > { cell, indexPath, item in
            cell.text = item.title
            cell.accessories = item.type == .expandableHeader ? ["disclosure"] : []
        }
        dataSource = SidebarDataSource(collectionView: collectionView) {
            (collectionView, indexPath, item) -> UICollectionViewCell? in
            collectionView.dequeueConfiguredReusableCell(using: row, for: indexPath, item: item)
        }
        dataSource.apply(createSnapshotOfStandardItems(), to: .main, animatingDifferences: false)
        dataSource.apply(createSnapshotOfCollections(), to: .collections)
    }

    private func createSnapshotOfStandardItems() -> NSDiffableDataSourceSectionSnapshot<SidebarItem>
    {
        var snapshot = NSDiffableDataSourceSectionSnapshot<SidebarItem>()
        snapshot.append(["All", "Favorites"].map { SidebarItem(title: $0, type: .standard) })
        return snapshot
    }

    private func createSnapshotOfCollections() -> NSDiffableDataSourceSectionSnapshot<SidebarItem> {
        let header = SidebarItem(title: "Collections", type: .expandableHeader)
        var snapshot = NSDiffableDataSourceSectionSnapshot<SidebarItem>()
        snapshot.append([header])
        snapshot.append(
            ["Soups", "Cakes"].map { SidebarItem(title: $0, type: .collection) }, to: header)
        snapshot.expand([header])
        return snapshot
    }
}

@MainActor @Suite struct SidebarTests {
    private let controller = SidebarViewController()
    private let header = SidebarItem(title: "Collections", type: .expandableHeader)

    @Test func `the sections show their outlines`() {
        #expect(
            controller.collectionView.lines == [
                ["All", "Favorites"], ["Collections disclosure", "Soups", "Cakes"],
            ])
        #expect(controller.dataSource.titles(in: .main) == ["All", "Favorites"])
    }

    @Test func `a handler keeps the header expanded`() {
        var handlers = UICollectionViewDiffableDataSource<SidebarSection, SidebarItem>
            .SectionSnapshotHandlers<SidebarItem>()
        handlers.shouldCollapseItem = { item in item.type != .expandableHeader }
        controller.dataSource.sectionSnapshotHandlers = handlers
        #expect(!controller.dataSource.base.collapse(header))
        controller.dataSource.sectionSnapshotHandlers.shouldCollapseItem = nil
        #expect(controller.dataSource.base.collapse(header))
        #expect(controller.dataSource.titles(in: .collections) == ["Collections"])
    }

    @Test func `the outline outlasts a plain snapshot`() {
        var snapshot = controller.dataSource.snapshot()
        snapshot.deleteItems([SidebarItem(title: "Soups", type: .collection)])
        controller.dataSource.apply(snapshot)
        let outline = controller.dataSource.snapshot(for: .collections)
        #expect(outline.level(of: SidebarItem(title: "Cakes", type: .collection)) == 1)
        #expect(outline.isExpanded(header))
    }

    @Test func `a moved collection is stored`() {
        var stored: [String] = []
        controller.dataSource.reorderingHandlers.canReorderItem = { $0.type == .collection }
        controller.dataSource.reorderingHandlers.didReorder = { transaction in
            for sectionTransaction in transaction.sectionTransactions
            where sectionTransaction.sectionIdentifier == .collections {
                stored = sectionTransaction.finalSnapshot.items.map(\.title)
            }
        }
        let cakes = SidebarItem(title: "Cakes", type: .collection)
        controller.dataSource.base.reorder(cakes, to: .init(item: 1, section: 1))
        #expect(stored == ["Collections", "Cakes", "Soups"])
    }
}
