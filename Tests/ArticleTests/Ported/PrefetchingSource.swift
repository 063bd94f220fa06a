// A data source that fetches what is about to be shown.
import UIKitNames

private final class PhotosDataSource: UICollectionViewDiffableDataSource<Int, URL> {
    private var requests: [URL: Task<Void, Never>] = [:]
}
extension PhotosDataSource: UICollectionViewDataSourcePrefetching {
    func collectionView(
        _ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]
    ) {
        for url in indexPaths.compactMap({ itemIdentifier(for: $0) }) where requests[url] == nil {
            requests[url] = Task { await Task.yield() }
        }
    }
    func collectionView(
        _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
    ) {
        for url in indexPaths.compactMap({ itemIdentifier(for: $0) }) {
            requests.removeValue(forKey: url)?.cancel()
        }
    }
}
