// The cost of edits, which is counted in hashes, or compared at two lengths of the list or with an array's.
import DiffCore
import Glibc
import Synchronization
import TestSupport
import Testing

// MARK: Hashes

@Suite(.serialized) struct EditHashTests {
    private typealias Snapshot = DiffableDataSourceSnapshot<Int, CountingID>

    /// Items that are appended twice are in the section of the second call.
    @Test(arguments: [1, 10], [1, 2])
    func `items appended one by one to sections in turn are hashed a fixed number of times`(
        sectionCount: Int, repetitions: Int
    ) {
        for count in [1_000, 20_000] {
            var snapshot = Snapshot()
            snapshot.appendSections(Array(0..<sectionCount))
            let hashes = hashes {
                for repetition in 0..<repetitions {
                    for number in 0..<count {
                        let section = (number + repetition) % sectionCount
                        snapshot.appendItems([CountingID(number: number)], toSection: section)
                    }
                }
                #expect(snapshot.numberOfItems == count)
            }
            #expect(hashes <= 6 * repetitions * count)
            for section in 0..<sectionCount {
                let expected = (0..<count).filter {
                    ($0 + repetitions - 1) % sectionCount == section
                }
                #expect(snapshot.itemIdentifiers(inSection: section).map(\.number) == expected)
            }
        }
    }

    @Test func `deleting every other item in one call hashes no item more than twice`() {
        let items = (0..<20_000).map(CountingID.init)
        var snapshot = Snapshot()
        snapshot.appendSections([0])
        snapshot.appendItems(items)
        #expect(snapshot.numberOfItems == items.count)
        let deleted = items.filter { $0.number.isMultiple(of: 2) }
        let hashes = hashes { snapshot.deleteItems(deleted) }
        #expect(hashes <= 2 * items.count)
        #expect(snapshot.itemIdentifiers == items.filter { !$0.number.isMultiple(of: 2) })
    }

    @Test func `marking items hashes each a few times`() {
        let items = (0..<20_000).map(CountingID.init)
        var snapshot = Snapshot()
        snapshot.appendSections([0])
        snapshot.appendItems(items)
        #expect(snapshot.numberOfItems == items.count)
        // To find it, and for the table of the marks.
        #expect(hashes { snapshot.reloadItems(items) } <= 2 * items.count)
        #expect(hashes { snapshot.reconfigureItems(Array(items[..<100])) } <= 200)
        // Also to find that it is not marked yet, and not named twice.
        #expect(hashes { snapshot.reconfigureItems(items) } <= 4 * items.count)
        #expect(snapshot.reloadedItemIdentifiers == items)
        #expect(snapshot.reconfiguredItemIdentifiers == items)
    }

    @Test func `a move by the user hashes as few items in a long list as in a short one`() {
        let counts = [1_000, 20_000].map { count in
            let dataSource = DiffableDataSource<Int, CountingID>()
            dataSource.reorderingHandlers.canReorderItem = { _ in true }
            var snapshot = Snapshot()
            snapshot.appendSections([0])
            snapshot.appendItems((0..<count).map(CountingID.init))
            dataSource.apply(snapshot)
            let moved = CountingID(number: count / 2)
            return hashes {
                #expect(dataSource.reorder(moved, to: IndexPath(item: 3, section: 0)))
                #expect(dataSource.reorder(moved, to: IndexPath(item: count - 3, section: 0)))
            }
        }
        #expect(counts[0] < 100)
        #expect(counts[1] <= counts[0])
    }

    private func hashes(_ edit: () -> Void) -> Int {
        let before = hashCount.load(ordering: .relaxed)
        edit()
        return hashCount.load(ordering: .relaxed) - before
    }
}

private let hashCount = Atomic<Int>(0)

/// An identifier that counts its hashes.
private struct CountingID: Hashable, Sendable {
    let number: Int

    func hash(into hasher: inout Hasher) {
        hashCount.add(1, ordering: .relaxed)
        hasher.combine(number)
    }
}

// MARK: Times

/// Disabled with sanitizers, which make copying memory slow.
///
/// Times are those of the processor, the least of five runs.
@Suite(.enabled(if: hasPlainAllocator), .serialized) struct EditTimeTests {
    @Test(arguments: ConstantEdit.allCases)
    func `an edit that takes constant time is not slower in a long list`(edit: ConstantEdit) {
        let (short, long) = (edit.time(count: 1_000), edit.time(count: 60_000))
        #expect(long < 6 * short, "\(long / short) times")
    }

    @Test(arguments: LinearEdit.allCases)
    func `an edit within a long list takes few times as long as an array's`(edit: LinearEdit) {
        let (ours, array) = edit.times(count: 100_000)
        #expect(ours < 20 * array, "\(ours / array) times")
    }
}

/// Edits that take constant time, however long the list is.
enum ConstantEdit: CaseIterable, Sendable {
    case appendItem, appendItemAfterQuery, appendItemToFirstSection, appendSection
    case reloadItem, reconfigureItem, reloadSection
    case appendRootItem, appendLastChild

    /// The number of edits, among which those that make the arrays grow are few.
    private static let edits = 2_000

    /// Returns the time of edits of a list with `count` items, sections or marks.
    func time(count: Int) -> Double {
        let numbers = Array(0..<count)
        // Items and sections that have no marks yet are at the end.
        let all = Array(0...count + Self.edits)
        var list = NumberSnapshot()
        list.appendSections([0])
        var outline = DiffableDataSourceSectionSnapshot<Int>()
        switch self {
        case .appendItem:
            list.appendItems(numbers)
            return least(list) { $0.appendItems([count + $1]) }
        case .appendItemAfterQuery:
            list.appendItems(numbers)
            return least(list) {
                $0.appendItems([count + $1])
                _ = $0.numberOfItems
            }
        case .appendItemToFirstSection:
            list.appendSections(Array(1..<count))
            return least(list) { $0.appendItems([$1], toSection: 0) }
        case .appendSection:
            list.appendSections(Array(1..<count))
            return least(list) { $0.appendSections([count + $1]) }
        case .reloadItem:
            list.appendItems(all)
            list.reloadItems(numbers)
            return least(list) { $0.reloadItems([count + $1]) }
        case .reconfigureItem:
            list.appendItems(all)
            list.reconfigureItems(numbers)
            return least(list) { $0.reconfigureItems([count + $1]) }
        case .reloadSection:
            list.appendSections(Array(all.dropFirst()))
            list.reloadSections(numbers)
            return least(list) { $0.reloadSections([count + $1]) }
        case .appendRootItem:
            outline.append(numbers)
            return least(outline) { $0.append([count + $1]) }
        case .appendLastChild:
            outline.append([0])
            outline.append(Array(1..<count), to: 0)
            return least(outline) { $0.append([count + $1], to: 0) }
        }
    }

    /// The least time of the edits after the first one, which copies the list.
    private func least<List>(_ list: List, _ edit: (inout List, Int) -> Void) -> Double {
        (0..<5).map { _ in
            var copy = list
            edit(&copy, 0)
            return processorTime { for number in 1...Self.edits { edit(&copy, number) } }
        }.min() ?? 0
    }
}

/// Edits whose time depends on the length of the list as an array's does.
enum LinearEdit: CaseIterable, Sendable {
    case deleteItem, insertItem, moveItems, deleteSection, moveSection

    /// Returns the times of editing copies of a snapshot and of an array.
    func times(count: Int) -> (ours: Double, array: Double) {
        let items = Array(0..<count)
        let section = count / 10
        var list = NumberSnapshot()
        for number in 0..<10 {
            list.appendSections([number])
            list.appendItems(Array(number * section..<(number + 1) * section))
        }
        _ = list.numberOfItems
        var (ours, array) = (Double.infinity, Double.infinity)
        for _ in 0..<5 {
            ours = min(ours, processorTime { edit(list, count) })
            array = min(array, processorTime { edit(items, count) })
        }
        return (ours, array)
    }

    private func edit(_ list: NumberSnapshot, _ count: Int) {
        var list = list
        switch self {
        case .deleteItem: list.deleteItems([count / 2])
        case .insertItem: list.insertItems([count], beforeItem: count / 2)
        case .moveItems:
            for number in 0..<20 {
                list.moveItem(number * count / 21, afterItem: count - 1 - number)
            }
        case .deleteSection: list.deleteSections([5])
        case .moveSection: list.moveSection(2, afterSection: 7)
        }
        #expect(list.numberOfItems > 0)
    }

    private func edit(_ array: [Int], _ count: Int) {
        var array = array
        switch self {
        case .deleteItem: array.remove(at: count / 2)
        case .insertItem: array.insert(count, at: count / 2)
        case .moveItems:
            for number in 0..<20 {
                array.insert(array.remove(at: number * count / 21), at: count - 1 - number)
            }
        case .deleteSection: array.removeSubrange(count / 2..<count * 6 / 10)
        case .moveSection:
            let moved = Array(array[count / 5..<count * 3 / 10])
            array.removeSubrange(count / 5..<count * 3 / 10)
            array.insert(contentsOf: moved, at: count * 7 / 10)
        }
        #expect(!array.isEmpty)
    }
}

/// The processor time that a closure takes, in nanoseconds.
private func processorTime(_ body: () -> Void) -> Double {
    let start = processorTime()
    body()
    return processorTime() - start
}

private func processorTime() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
