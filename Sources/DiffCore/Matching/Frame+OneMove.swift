// The most frequent difference besides an arrival and a departure: one item moved in its section.

extension Frame {
    /// The changes if all there is to find is that one item moved past others in its section.
    ///
    /// This asks for no look-up: what lies between has only moved up or down by one.
    ///
    /// - Returns: The move, and the two stretches that are in both lists between the ends.
    @inline(__always)
    func oneMove<K: Key & ~Copyable>(
        from old: KeyList<K>, to new: KeyList<K>
    ) -> (changes: ItemChanges, runs: [Run])? {
        guard oldRest == newRest, let section = sectionOfAllRest else { return nil }
        let (from, to) = (oldRest(ofSection: section), newRest(ofSection: section))
        guard from.count == to.count else { return nil }
        let others = from.count - 1
        if old.isSame(at: from.lowerBound, as: new, at: to.upperBound - 1),
            old.commonRun(at: from.lowerBound + 1, with: new, at: to.lowerBound, limit: others)
                == others
        {
            return move(
                Run(old: from.lowerBound, new: to.upperBound - 1, length: 1),
                past: Run(old: from.lowerBound + 1, new: to.lowerBound, length: others))
        }
        if old.isSame(at: from.upperBound - 1, as: new, at: to.lowerBound),
            old.commonRun(at: from.lowerBound, with: new, at: to.lowerBound + 1, limit: others)
                == others
        {
            return move(
                Run(old: from.upperBound - 1, new: to.lowerBound, length: 1),
                past: Run(old: from.lowerBound, new: to.lowerBound + 1, length: others))
        }
        return nil
    }

    /// The new number of the one section that is not the same in both lists, if it is one alone.
    private var sectionOfAllRest: Int? {
        for section in 0..<sectionCount where !newRest(ofSection: section).isEmpty {
            return newRest(ofSection: section).count == newRest ? section : nil
        }
        return nil
    }

    private func move(_ item: Run, past others: Run) -> (changes: ItemChanges, runs: [Run]) {
        var changes = ItemChanges()
        changes.moves = [.init(from: item.old, to: item.new)]
        return (changes, [item, others])
    }
}
