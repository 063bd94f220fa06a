// A section of which the first item is expanded.
import UIKitNames

private func expand(_ items: [String], in source: UICollectionViewDiffableDataSource<Int, String>) {
    var section = NSDiffableDataSourceSectionSnapshot<String>()
    section.append(items)
    if let first = section.rootItems.first {
        section.append(["child"], to: first)
        section.expand([first])
    }
    source.apply(section, to: 0, animatingDifferences: false, completion: nil)
}
