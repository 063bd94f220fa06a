// The memory that a snapshot takes, measured by the C library in a separate process.
import CMalloc
import DiffCore
import FoundationEssentials
import Glibc
import Testing

/// Disabled with sanitizers, whose allocators do not count.
@Suite(.enabled(if: hasPlainAllocator)) struct MemoryTests {
    /// Includes the smallest counts for a table size, for which the table is emptiest.
    @Test(arguments: [1_000, 1_639, 6_553, 6_554, 10_000, 104_858])
    func `an indexed snapshot takes at most 40 bytes per item`(count: Int) async {
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
    func `a snapshot filled item by item takes at most 40 bytes per item`(count: Int) async {
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

    @Test
    func `a data source takes at most 40 bytes per item of a list that is refilled at every event`()
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
}

/// A view that ignores its updates.
private final class SilentView: DiffableListView {
    func attach(_ content: ListContent<Int, UUID, Void, Never>) {}

    func performBatchUpdates(
        _ difference: SnapshotDifference<Int, UUID>,
        to snapshot: DiffableDataSourceSnapshot<Int, UUID>, animation: RowAnimation
    ) {}

    func reloadData(to snapshot: DiffableDataSourceSnapshot<Int, UUID>) {}
}

/// Exits with a failure unless a snapshot takes between 16 and 40 bytes per item.
private func expectLittle(_ bytes: Int, for count: Int) {
    guard bytes >= 16 * count, bytes <= 40 * count else {
        print("\(count) items take \(bytes) bytes, \(Double(bytes) / Double(count)) each")
        exit(1)
    }
}

/// The growth of the memory in use when a snapshot is made and indexed.
private func growth(_ make: () -> DiffableDataSourceSnapshot<Int, UUID>) -> Int {
    // One-time allocations are not counted.
    _ = make()
    let before = usedMemory()
    let snapshot = make()
    // A query makes the index.
    let index = snapshot.indexOfItem(snapshot.itemIdentifiers[snapshot.numberOfItems / 2])
    let after = usedMemory()
    guard index == snapshot.numberOfItems / 2 else { return .max }
    return after - before
}

private func usedMemory() -> Int {
    let info = mallinfo2()
    return Int(info.uordblks) + Int(info.hblkhd)
}

/// Whether memory is allocated by the C library, which counts it, and not by a sanitizer.
let hasPlainAllocator: Bool = {
    let before = usedMemory()
    let bytes = [UInt8](repeating: 1, count: 100_000)
    return usedMemory() - before >= bytes.count
}()
