// How much memory a snapshot takes, counted by the C library in a process of its own.
import CMalloc
import DiffCore
import FoundationEssentials
import Glibc
import Testing

/// An allocator that a sanitizer put in the place of the C library's counts nothing.
@Suite(.enabled(if: countsMemory)) struct MemoryTests {
    /// Among them the fewest identifiers that need a table of some size: there it is emptiest.
    @Test(arguments: [1_000, 1_639, 6_553, 6_554, 10_000, 104_858])
    func `a snapshot with its index takes at most 40 bytes an item`(count: Int) async {
        await #expect(processExitsWith: .success) { [count] in
            let bytes = growth {
                var snapshot = DiffableDataSourceSnapshot<Int, UUID>()
                snapshot.appendSections([0])
                snapshot.appendItems((0..<count).map { _ in UUID() })
                return snapshot
            }
            expectLittle(bytes, for: count)
        }
    }

    @Test(arguments: [1_639, 3_000, 6_554])
    func `so does one that was filled item by item`(count: Int) async {
        await #expect(processExitsWith: .success) { [count] in
            let bytes = growth {
                var snapshot = DiffableDataSourceSnapshot<Int, UUID>()
                snapshot.appendSections([0])
                for _ in 0..<count { snapshot.appendItems([UUID()]) }
                return snapshot
            }
            expectLittle(bytes, for: count)
        }
    }

    @Test func `so does what a data source keeps of a list that is filled anew at every event`()
        async
    {
        await #expect(processExitsWith: .success) {
            let identifiers = (0..<6_600).map { _ in UUID() }
            let view = CountingView()
            let dataSource = DiffableDataSource<Int, UUID>(view: view) { _, _, _ in }
            let bytes = growth {
                for count in 6_500..<6_600 {
                    var snapshot = DiffableDataSourceSnapshot<Int, UUID>()
                    for section in 0..<11 {
                        let part = count * section / 11..<count * (section + 1) / 11
                        snapshot.appendSections([section])
                        snapshot.appendItems(Array(identifiers[part]))
                    }
                    dataSource.apply(snapshot, completion: nil)
                }
                return dataSource.snapshot()
            }
            expectLittle(bytes, for: 6_600)
        }
    }
}

/// A view that shows nothing.
private final class CountingView: DiffableListView {
    func attach(_ content: ListContent<Int, UUID, Void, Never>) {}

    func performBatchUpdates(
        _ difference: SnapshotDifference<Int, UUID>,
        to snapshot: DiffableDataSourceSnapshot<Int, UUID>, animation: RowAnimation
    ) {}

    func reloadData(to snapshot: DiffableDataSourceSnapshot<Int, UUID>) {}
}

/// Ends the process as failed unless a snapshot takes as much as it must, and no more than it may.
private func expectLittle(_ bytes: Int, for count: Int) {
    guard bytes >= 16 * count, bytes <= 40 * count else {
        print("\(count) items take \(bytes) bytes, \(Double(bytes) / Double(count)) each")
        exit(1)
    }
}

/// By how much the memory in use grows when a snapshot is made and its index with it.
private func growth(_ make: () -> DiffableDataSourceSnapshot<Int, UUID>) -> Int {
    // What the runtime needs for the first snapshot of all is not counted.
    var first = DiffableDataSourceSnapshot<Int, UUID>()
    first.appendSections([0])
    for _ in 0..<100 { first.appendItems([UUID()]) }
    let before = usedMemory()
    let snapshot = make()
    // A question for a place has the index made, if it is not there.
    let place = snapshot.indexOfItem(snapshot.itemIdentifiers[snapshot.numberOfItems / 2])
    let after = usedMemory()
    guard place == snapshot.numberOfItems / 2 else { return .max }
    return after - before
}

private func usedMemory() -> Int {
    let info = mallinfo2()
    return Int(info.uordblks) + Int(info.hblkhd)
}

private let countsMemory: Bool = {
    let before = usedMemory()
    let bytes = [UInt8](repeating: 1, count: 100_000)
    return usedMemory() - before >= bytes.count
}()
