// Insertion sort: several sections that are objects, each sorted step by step from the current snapshot.
import Foundation
import Testing
import UIKitNames

@MainActor private final class InsertionSortArray: Hashable {
    struct SortNode: Hashable {
        let value: Int
        private let identifier = UUID()

        init(value: Int) { self.value = value }
        func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
        static func == (lhs: SortNode, rhs: SortNode) -> Bool { lhs.identifier == rhs.identifier }
    }

    private(set) var values: [SortNode]
    private(set) var isSorted = false
    private var currentIndex = 1
    private nonisolated let identifier = UUID()

    init(_ values: Int...) { self.values = values.map { SortNode(value: $0) } }

    nonisolated func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
    nonisolated static func == (lhs: InsertionSortArray, rhs: InsertionSortArray) -> Bool {
        lhs.identifier == rhs.identifier
    }

    func sortNext() {
        guard currentIndex < values.count else { return isSorted = true }
        let node = values.remove(at: currentIndex)
        values.insert(
            node, at: values[..<currentIndex].firstIndex { $0.value > node.value } ?? currentIndex)
        currentIndex += 1
    }
}

@MainActor private final class InsertionSortViewController {
    let insertionCollectionView = ListStandIn<InsertionSortArray, InsertionSortArray.SortNode>()
    let dataSource:
        UICollectionViewDiffableDataSource<
            InsertionSortArray, InsertionSortArray.SortNode
        >

    init(_ arrays: [InsertionSortArray]) {
        dataSource = UICollectionViewDiffableDataSource(collectionView: insertionCollectionView) {
            (_, _, node: InsertionSortArray.SortNode) -> UICollectionViewCell? in
            let cell = UICollectionViewCell()
            cell.text = "\(node.value)"
            return cell
        }
        var snapshot = NSDiffableDataSourceSnapshot<
            InsertionSortArray, InsertionSortArray.SortNode
        >()
        for array in arrays {
            snapshot.appendSections([array])
            snapshot.appendItems(array.values)
        }
        dataSource.apply(snapshot, animatingDifferences: false)
    }

    /// Returns whether a section is not sorted yet.
    func performSortStep() -> Bool {
        var updatedSnapshot = dataSource.snapshot()
        var sectionCountNeedingSort = 0
        for section in updatedSnapshot.sectionIdentifiers where !section.isSorted {
            section.sortNext()
            let items = section.values
            updatedSnapshot.deleteItems(items)
            updatedSnapshot.appendItems(items, toSection: section)
            sectionCountNeedingSort += 1
        }
        dataSource.apply(updatedSnapshot)
        return sectionCountNeedingSort > 0
    }
}

@MainActor @Suite struct InsertionSortTests {
    @Test func `all sections are sorted by moves alone`() {
        let controller = InsertionSortViewController([
            InsertionSortArray(3, 1, 2), InsertionSortArray(2, 9, 4, 1),
        ])
        let view = controller.insertionCollectionView
        #expect(view.lines == [["3", "1", "2"], ["2", "9", "4", "1"]])
        while controller.performSortStep() { #expect(view.provided.isEmpty) }
        #expect(view.lines == [["1", "2", "3"], ["1", "2", "4", "9"]])
    }
}
