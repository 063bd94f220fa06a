// Children that are loaded when their parent is expanded.
import UIKitNames

private final class RemoteFolders: UIViewController {
    private var dataSource: UICollectionViewDiffableDataSource<Int, String>!
    private var known: [String: [String]] = [:]
    func configure() {
        dataSource.sectionSnapshotHandlers.shouldExpandItem = { [weak self] item in
            self?.known[item] != nil || item.hasSuffix("/")
        }
        dataSource.sectionSnapshotHandlers.willExpandItem = { [weak self] item in
            guard let self, self.known[item] == nil else { return }
            Task { await self.load(item) }
        }
        dataSource.sectionSnapshotHandlers.snapshotForExpandingParent = { [unowned self] item, _ in
            var children = NSDiffableDataSourceSectionSnapshot<String>()
            children.append(self.known[item] ?? [])
            return children
        }
    }
    private func load(_ folder: String) async {
        known[folder] = ["\(folder)a", "\(folder)b"]
        var outline = dataSource.snapshot(for: 0)
        outline.append(known[folder] ?? [], to: folder)
        await dataSource.apply(outline, to: 0)
    }
}
