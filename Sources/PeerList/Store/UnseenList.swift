// The view at the end of the list's data source: nobody looks at it, the differences are taken elsewhere.
import DiffCore
import FoundationEssentials

/// A view that shows nothing.
final class UnseenList: DiffableListView {
    func attach(_ content: ListContent<String, UUID, Void, Never>) {}

    func performBatchUpdates(
        _ difference: PeerListDifference, to snapshot: PeerListSnapshot, animation: RowAnimation
    ) {}

    func reloadData(to snapshot: PeerListSnapshot) {}
}
