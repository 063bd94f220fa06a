// Compares the sections of two lists from both ends, which settles most changes of one item.

/// The bounds of the sections of two lists, and their correspondence.
@usableFromInline
struct SectionBounds: ~Copyable {
    /// The index of each section's first item in the old list, followed by the number of items.
    let old: [Int]
    /// The same of the new list.
    let new: [Int]
    /// The old index of each new section, or -1; `nil` if the sections are the same.
    let origins: [Int]?

    @usableFromInline
    init(old: [Int], new: [Int], origins: [Int]?) {
        self.old = old
        self.new = new
        self.origins = origins
    }

    /// The number of sections in the new list.
    var sectionCount: Int { new.count - 1 }

    /// Returns the old index of a new section, or -1.
    func origin(of section: Int) -> Int { origins?[section] ?? section }

    /// The new index of each old section, or -1; `nil` if the sections are the same.
    var newIndices: [Int]? {
        guard let origins else { return nil }
        var indices = [Int](repeating: -1, count: old.count - 1)
        for (section, origin) in origins.enumerated() where origin >= 0 {
            indices[origin] = section
        }
        return indices
    }
}

/// The common prefix and suffix of each new section and its old version.
///
/// It is not copyable so that the reference counts of its arrays need not be changed.
struct CommonEnds: ~Copyable {
    let bounds: SectionBounds
    /// The lengths of the first section's common prefix and suffix; apart from the others, as most
    /// lists have one section and need no array.
    private var first = (prefix: 0, suffix: 0)
    private var others: [(prefix: Int, suffix: Int)] = []
    /// The number of items of the old list outside of all common prefixes and suffixes.
    private(set) var oldRestCount: Int
    /// The number of items of the new list outside of all common prefixes and suffixes.
    private(set) var newRestCount: Int

    @inline(__always)
    init<K: Key & ~Copyable>(
        old: KeyBuffer<K>, new: KeyBuffer<K>, bounds: consuming SectionBounds
    ) {
        oldRestCount = old.count
        newRestCount = new.count
        if bounds.sectionCount > 1 { others.reserveCapacity(bounds.sectionCount - 1) }
        for section in 0..<bounds.sectionCount {
            let origin = bounds.origin(of: section)
            var ends = (prefix: 0, suffix: 0)
            if origin >= 0 {
                let (from, to) = (bounds.old[origin], bounds.new[section])
                let limit = min(bounds.old[origin + 1] - from, bounds.new[section + 1] - to)
                ends.prefix = old.commonPrefix(from: from, with: new, from: to, limit: limit)
                ends.suffix = old.commonSuffix(
                    before: bounds.old[origin + 1], with: new, before: bounds.new[section + 1],
                    limit: limit - ends.prefix)
            }
            if section == 0 { first = ends } else { others.append(ends) }
            oldRestCount -= ends.prefix + ends.suffix
            newRestCount -= ends.prefix + ends.suffix
        }
        self.bounds = bounds
    }

    /// The number of sections in the new list.
    var sectionCount: Int { bounds.sectionCount }

    /// Returns the indices of a new section's items that are in no common end.
    func newRest(ofSection section: Int) -> Range<Int> {
        let ends = ends(ofSection: section)
        return bounds.new[section] + ends.prefix..<bounds.new[section + 1] - ends.suffix
    }

    /// Returns the old indices of the items of a new section's old version that are in no common end.
    func oldRest(ofSection section: Int) -> Range<Int> {
        let origin = bounds.origin(of: section)
        guard origin >= 0 else { return 0..<0 }
        let ends = ends(ofSection: section)
        return bounds.old[origin] + ends.prefix..<bounds.old[origin + 1] - ends.suffix
    }

    private func ends(ofSection section: Int) -> (prefix: Int, suffix: Int) {
        section == 0 ? first : others[section - 1]
    }

    /// The common prefixes and suffixes, by their new indices.
    var ranges: [MatchedRange] {
        var ranges: [MatchedRange] = []
        for section in 0..<sectionCount where bounds.origin(of: section) >= 0 {
            let origin = bounds.origin(of: section)
            let (prefix, suffix) = ends(ofSection: section)
            if prefix > 0 {
                ranges.append(
                    .init(old: bounds.old[origin], new: bounds.new[section], length: prefix))
            }
            if suffix > 0 {
                ranges.append(
                    .init(
                        old: bounds.old[origin + 1] - suffix,
                        new: bounds.new[section + 1] - suffix, length: suffix))
            }
        }
        return ranges
    }
}

// MARK: Changes that need no look-up

extension CommonEnds {
    /// The changes if the rest of one list is empty, so that all of the other rest was inserted or
    /// deleted.
    var onlyInsertsOrDeletes: ListChanges? {
        var changes = ListChanges()
        if oldRestCount == 0 {
            changes.inserts.reserveCapacity(newRestCount)
            for section in 0..<sectionCount {
                for index in newRest(ofSection: section) {
                    changes.inserts.append(Int32(truncatingIfNeeded: index))
                }
            }
        } else if newRestCount == 0 {
            changes.deletes.reserveCapacity(oldRestCount)
            let newIndices = bounds.newIndices
            for origin in bounds.old.indices.dropLast() {
                let section = newIndices?[origin] ?? origin
                let rest =
                    section < 0
                    ? bounds.old[origin]..<bounds.old[origin + 1] : oldRest(ofSection: section)
                for index in rest { changes.deletes.append(Int32(truncatingIfNeeded: index)) }
            }
        } else {
            return nil
        }
        return changes
    }

    /// Returns the ranges that the rests consist of if a single item was moved past others in its
    /// section.
    ///
    /// The items that it passed have all moved by one, so that no look-up is needed.
    @inline(__always)
    func singleMove<K: Key & ~Copyable>(
        from old: KeyBuffer<K>, to new: KeyBuffer<K>
    ) -> (item: MatchedRange, others: MatchedRange)? {
        guard oldRestCount == newRestCount else { return nil }
        var section = 0
        while newRest(ofSection: section).isEmpty { section += 1 }
        let (from, to) = (oldRest(ofSection: section), newRest(ofSection: section))
        guard to.count == newRestCount, from.count == to.count else { return nil }
        let (first, last) = (from.lowerBound, from.upperBound - 1)
        let (newFirst, newLast) = (to.lowerBound, to.upperBound - 1)
        let others = from.count - 1
        if old.isSame(at: first, as: new, at: newLast),
            old.commonPrefix(from: first + 1, with: new, from: newFirst, limit: others) == others
        {
            return (
                .init(old: first, new: newLast, length: 1),
                .init(old: first + 1, new: newFirst, length: others)
            )
        }
        if old.isSame(at: last, as: new, at: newFirst),
            old.commonPrefix(from: first, with: new, from: newFirst + 1, limit: others) == others
        {
            return (
                .init(old: last, new: newFirst, length: 1),
                .init(old: first, new: newFirst + 1, length: others)
            )
        }
        return nil
    }
}
