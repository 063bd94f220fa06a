// A tree of folders that is appended with recursion.
import UIKitNames

nonisolated private struct Bookmark: Hashable, Sendable {
    let id: Int
    var title: String
    var children: [Bookmark] = []
}
private final class BookmarksController: UIViewController {
    private nonisolated enum Section: CaseIterable { case favorites, folders }
    private var dataSource: UICollectionViewDiffableDataSource<Section, Bookmark>!
    func show(_ roots: [Bookmark]) {
        var outline = NSDiffableDataSourceSectionSnapshot<Bookmark>()
        func add(_ bookmarks: [Bookmark], to parent: Bookmark?) {
            outline.append(bookmarks, to: parent)
            for bookmark in bookmarks where !bookmark.children.isEmpty {
                add(bookmark.children, to: bookmark)
            }
        }
        add(roots, to: nil)
        outline.expand(outline.items.filter { outline.level(of: $0) == 0 })
        dataSource.apply(outline, to: .folders, animatingDifferences: false)
    }
}
