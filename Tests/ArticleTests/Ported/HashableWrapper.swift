// A generic wrapper with identifiers that are hashable only.
import UIKitNames

struct SnapshotWrapper<Section: Hashable, Item: Hashable> {
    var snapshot = NSDiffableDataSourceSnapshot<Section, Item>()
    mutating func add(_ items: [Item], to section: Section) {
        if snapshot.indexOfSection(section) == nil { snapshot.appendSections([section]) }
        snapshot.appendItems(items, toSection: section)
    }
    var count: Int { snapshot.numberOfItems }
}
