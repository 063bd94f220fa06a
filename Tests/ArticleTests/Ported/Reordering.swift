// A grid whose backing store follows a reordering.
import UIKitNames

private final class AlarmGrid {
    var alarms: [String] = []
    func handle(_ source: UICollectionViewDiffableDataSource<Int, String>) {
        source.reorderingHandlers.canReorderItem = { $0 != "fixed" }
        source.reorderingHandlers.didReorder = { [weak self] transaction in
            guard let self, let alarms = self.alarms.applying(transaction.difference) else {
                return
            }
            self.alarms = alarms
        }
    }
}
