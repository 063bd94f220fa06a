// A snapshot of Core Data.
import UIKitNames

private func controller(
    _ controller: NSFetchedResultsController,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
) {}
