// Delivers the differences of a data source to readers in other tasks.

/// The differences between the snapshots that a data source gets, for a reader in any task.
///
/// ```swift
/// let dataSource = DiffableDataSource<String, Peer.ID>()
/// let differences = dataSource.differences()
/// Task { for await difference in differences { log(difference) } }
/// ```
///
/// The first difference leads from an empty list to the latest snapshot. Differences that are not read
/// in time are combined into one, so that at most one snapshot waits for a slow reader. The sequence ends
/// with its data source.
public struct SnapshotDifferences<SectionIdentifierType, ItemIdentifierType>: AsyncSequence,
    Sendable
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    fileprivate typealias Snapshot = DiffableDataSourceSnapshot<
        SectionIdentifierType, ItemIdentifierType
    >

    fileprivate let snapshots: AsyncStream<Snapshot>

    /// Computes the difference between each snapshot and the previous one, in the reader's task.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var snapshots: AsyncStream<Snapshot>.Iterator
        private var last = Snapshot()

        fileprivate init(_ snapshots: AsyncStream<Snapshot>) {
            self.snapshots = snapshots.makeAsyncIterator()
        }

        /// Returns the next difference that is not empty, or `nil` when the data source is gone.
        ///
        /// - Complexity: That of ``DiffableDataSourceSnapshot/difference(from:)``.
        public mutating func next() async
            -> SnapshotDifference<SectionIdentifierType, ItemIdentifierType>?
        {
            while let snapshot = await snapshots.next(isolation: #isolation) {
                let difference = snapshot.difference(from: last)
                last = snapshot
                last.marks = nil
                if !difference.isEmpty { return difference }
            }
            return nil
        }
    }

    /// Returns an iterator; a sequence has a single reader; O(1).
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(snapshots) }
}

extension DiffableDataSource {
    /// Returns a first difference from an empty list to the latest snapshot, then the differences
    /// between the snapshots that are applied from now on.
    ///
    /// Each call returns a sequence for another reader.
    ///
    /// - Complexity: O(1).
    public func differences()
        -> SnapshotDifferences<SectionIdentifierType, ItemIdentifierType>
    {
        let (snapshots, reader) = AsyncStream.makeStream(
            of: Snapshot.self, bufferingPolicy: .bufferingNewest(1))
        reader.yield(latest)
        readers.append(reader)
        return SnapshotDifferences(snapshots: snapshots)
    }

    /// Passes a snapshot to all readers, and drops readers that have stopped reading.
    @usableFromInline
    func publish(_ snapshot: Snapshot) {
        readers.removeAll { reader in
            switch reader.yield(snapshot) {
            case .terminated: return true
            case .dropped(let missed):
                guard let marks = missed.marks else { break }
                // The reader may get both snapshots, and then the same marks twice.
                var marked = snapshot
                marked.marks = (marked.marks ?? SnapshotMarks()).merged(with: marks, in: snapshot)
                reader.yield(marked)
            default: break
            }
            return false
        }
    }
}

extension SnapshotMarks {
    /// Returns the union of these marks and another snapshot's, without sections and items that are
    /// not in `snapshot`.
    fileprivate func merged(
        with others: SnapshotMarks, in snapshot: DiffableDataSourceSnapshot<Section, Item>
    ) -> SnapshotMarks {
        func isShown(_ item: Item) -> Bool { snapshot.indexOfItem(item) != nil }
        var merged = self
        merged.reloadedSections.add(
            others.reloadedSections.elements.filter { snapshot.indexOfSection($0) != nil })
        merged.reloadedItems.add(others.reloadedItems.elements.filter(isShown))
        merged.reconfiguredItems.add(others.reconfiguredItems.elements.filter(isShown))
        return merged
    }
}
