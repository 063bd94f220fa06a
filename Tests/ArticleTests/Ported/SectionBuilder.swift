// Sections in a result builder.
import UIKitNames

nonisolated struct BuiltSection<Item: Hashable & Sendable>: Sendable {
    let name: String
    let items: [Item]
}
@resultBuilder nonisolated enum SectionBuilder<Item: Hashable & Sendable> {
    static func buildBlock(_ sections: BuiltSection<Item>...) -> [BuiltSection<Item>] { sections }
}
extension UITableViewDiffableDataSource where SectionIdentifierType == String {
    func apply(
        @SectionBuilder<ItemIdentifierType> _ sections: () -> [BuiltSection<ItemIdentifierType>]
    ) {
        var snapshot = NSDiffableDataSourceSnapshot<String, ItemIdentifierType>()
        for section in sections() {
            snapshot.appendSections([section.name])
            snapshot.appendItems(section.items, toSection: section.name)
        }
        apply(snapshot, animatingDifferences: true)
    }
}
