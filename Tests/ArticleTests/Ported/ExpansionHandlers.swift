// Handlers of the expansion of chats.
import UIKitNames

private func chats(_ source: UICollectionViewDiffableDataSource<Int, String>) {
    source.sectionSnapshotHandlers.willExpandItem = { print("expand", $0) }
    source.sectionSnapshotHandlers.willCollapseItem = { print("collapse", $0) }
    source.sectionSnapshotHandlers.shouldCollapseItem = { $0 != "pinned" }
}
