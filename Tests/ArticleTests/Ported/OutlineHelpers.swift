// Helpers in an extension of the section's snapshot.
import UIKitNames

extension NSDiffableDataSourceSectionSnapshot {
    mutating func toggle(_ item: ItemIdentifierType) {
        if isExpanded(item) { collapse([item]) } else { expand([item]) }
    }
    func path(to item: ItemIdentifierType) -> [ItemIdentifierType] {
        sequence(first: item) { self.parent(of: $0) }.reversed()
    }
    mutating func reveal(_ item: ItemIdentifierType) { expand(path(to: item).dropLast()) }
}
