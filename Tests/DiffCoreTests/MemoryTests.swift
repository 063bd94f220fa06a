// How much memory a snapshot takes, counted by the C library in a process of its own.
import CMalloc
import DiffCore
import FoundationEssentials
import Glibc
import TestSupport
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
            var dataSources: [DiffableDataSource<Int, UUID>] = []
            let bytes = growth {
                let view = SilentView()
                let dataSource = DiffableDataSource<Int, UUID>(view: view) { _, _, _ in }
                dataSources.append(dataSource)
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
            withExtendedLifetime(dataSources) {}
        }
    }

    @Test func `what differences keep for the next ones is at most a mebibyte`() async {
        await #expect(processExitsWith: .success) {
            _ = difference(ofShuffled: 10)
            let before = usedMemory()
            for count in [100, 3_000, 10_000, 30_000, 100_000] {
                let moved = difference(ofShuffled: count).movedItems.count
                guard moved > count / 2 else { exit(1) }
            }
            let kept = usedMemory() - before
            guard kept >= 1 << 17, kept <= 1 << 20 + 1 << 16 else {
                print("\(kept) bytes are kept")
                exit(1)
            }
        }
    }
}

/// What leads from a list of numbers to the same in another order.
private func difference(ofShuffled count: Int) -> SnapshotDifference<Int, Int> {
    var generator = SeededGenerator(seed: 1)
    var before = DiffableDataSourceSnapshot<Int, Int>()
    before.appendSections([0])
    var after = before
    before.appendItems(Array(0..<count))
    after.appendItems((0..<count).shuffled(using: &generator))
    return after.difference(from: before)
}

/// A view that shows nothing.
private final class SilentView: DiffableListView {
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
    // What the first snapshot of all needs, and what is kept for the next, is not counted.
    _ = make()
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
