// A member of the snapshot with the snapshot's bare name as its type.
import UIKitNames

extension NSDiffableDataSourceSnapshot where SectionIdentifierType == Int {
    static var emptySection: NSDiffableDataSourceSnapshot {
        var snapshot = NSDiffableDataSourceSnapshot()
        snapshot.appendSections([0])
        return snapshot
    }
}
