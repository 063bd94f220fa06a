// Folders that are read when they are expanded.
import UIKitNames

private func files(_ source: UICollectionViewDiffableDataSource<Int, URL>) {
    var handlers = UICollectionViewDiffableDataSource<Int, URL>.SectionSnapshotHandlers<URL>()
    handlers.snapshotForExpandingParent = { parent, current in
        guard current.items.isEmpty else { return current }
        var children = NSDiffableDataSourceSectionSnapshot<URL>()
        children.append([parent.appendingPathComponent("a")])
        return children
    }
    source.sectionSnapshotHandlers = handlers
}
