// Helpers in an extension of the snapshot.
import UIKitNames

extension NSDiffableDataSourceSnapshot {
    var isEmptyList: Bool { numberOfItems == 0 }
    func items(where isIncluded: (ItemIdentifierType) -> Bool) -> [ItemIdentifierType] {
        itemIdentifiers.filter(isIncluded)
    }
    mutating func replaceItems(
        _ items: [ItemIdentifierType], in section: SectionIdentifierType
    ) {
        if indexOfSection(section) == nil { appendSections([section]) }
        deleteItems(itemIdentifiers(inSection: section))
        appendItems(items, toSection: section)
    }
    mutating func prepend(_ item: ItemIdentifierType) {
        if let first = itemIdentifiers.first {
            insertItems([item], beforeItem: first)
        } else {
            appendItems([item])
        }
    }
}
