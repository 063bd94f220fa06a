// Applying snapshots where the caller waits until the view has been updated.

// In an asynchronous function a plain call means these, as with Apple's; naming `completion` there,
// be it `nil`, means the others. They run in the caller's isolation, as the data source is its own.
extension DiffableDataSource {
    /// Shows a snapshot, and returns when the view has been updated.
    ///
    /// This waits only if an update is under way.
    ///
    /// - Parameters:
    ///   - snapshot: What to show.
    ///   - animatingDifferences: Whether the view shows the change by
    ///     ``defaultRowAnimation``; the difference is the same either way.
    /// - Returns: What is different from the snapshot applied before.
    /// - Complexity: That of ``DiffableDataSourceSnapshot/difference(from:)``.
    @inlinable
    @discardableResult
    public func apply(_ snapshot: Snapshot, animatingDifferences: Bool = true) async -> Difference {
        let difference = apply(
            snapshot, animatingDifferences: animatingDifferences, completion: nil)
        await waitForTurn()
        return difference
    }

    /// Shows a snapshot as if nothing had been shown before, without looking for differences,
    /// and returns when the view has been reloaded.
    ///
    /// - Parameter snapshot: What to show.
    @inlinable
    public func applySnapshotUsingReloadData(_ snapshot: Snapshot) async {
        applySnapshotUsingReloadData(snapshot, completion: nil)
        await waitForTurn()
    }

    /// Shows an outline in a section, and returns when the view has been updated.
    ///
    /// - Parameters:
    ///   - outline: The outline.
    ///   - section: The section; it is appended if it is not there.
    ///   - animatingDifferences: Whether the view shows the change by
    ///     ``defaultRowAnimation``.
    /// - Returns: What is different from the snapshot applied before.
    @discardableResult
    public func apply(
        _ outline: SectionSnapshot, to section: SectionIdentifierType,
        animatingDifferences: Bool = true
    ) async -> Difference {
        let difference = apply(
            outline, to: section, animatingDifferences: animatingDifferences, completion: nil)
        await waitForTurn()
        return difference
    }

    /// Returns when all that waits now has been done.
    @inlinable
    func waitForTurn() async {
        guard isUpdating else { return }
        await withCheckedContinuation { continuation in waiting.append { continuation.resume() } }
    }
}
