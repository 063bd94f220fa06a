// A difference read the other way round.

extension SnapshotDifference {
    /// The changes that lead back: what came goes, what went comes, what moved moves back.
    ///
    /// ```swift
    /// after.applying(difference.inverse) == before
    /// ```
    ///
    /// Marks say what to show anew, not what changed: the inverse has none.
    ///
    /// - Complexity: O(*c* log *c*) for *c* changes.
    public var inverse: SnapshotDifference {
        SnapshotDifference(changes.inverse)
    }
}

extension ItemChanges {
    /// The changes that lead back.
    var inverse: ItemChanges {
        var inverse = ItemChanges()
        inverse.deletes = inserts
        inverse.inserts = deletes
        inverse.moves = moves.map { Move(from: $0.to, to: $0.from) }.sorted { $0.to < $1.to }
        return inverse
    }
}
