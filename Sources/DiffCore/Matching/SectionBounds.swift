// The bounds of the sections of a list.

/// The bounds of the sections in a list of items, section after section.
@usableFromInline
struct SectionBounds: Sendable, Equatable {
    /// The index after each section's last item.
    @usableFromInline var ends: [Int] = []

    /// No sections.
    @inlinable
    init() {}

    /// A single section.
    @inlinable
    init(itemCount: Int) { ends = [itemCount] }

    /// The number of sections.
    @inlinable var count: Int { ends.count }

    /// Returns the indices of a section's items.
    @inlinable
    func range(of section: Int) -> Range<Int> { start(of: section)..<ends[section] }

    /// Returns the index of a section's first item.
    @inlinable
    func start(of section: Int) -> Int { section == 0 ? 0 : ends[section - 1] }

    /// Returns the index path of the item at an index; O(log *s*) for *s* sections.
    @inlinable
    func indexPath(at index: Int) -> IndexPath {
        var low = 0
        var high = count - 1
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > index { high = middle } else { low = middle + 1 }
        }
        return IndexPath(item: index - start(of: low), section: low)
    }

    /// Adds a number of items to a section.
    @inlinable
    mutating func grow(_ section: Int, by count: Int) {
        for next in section..<ends.count { ends[next] += count }
    }

    /// Replaces the number of each section's items, which `ends` holds while items are pending, by
    /// the section's end.
    @inlinable
    mutating func addUp() {
        for section in ends.indices.dropFirst() { ends[section] += ends[section - 1] }
    }

    /// Removes the items in ascending, disjoint ranges.
    @usableFromInline
    mutating func remove(_ ranges: [Range<Int>]) {
        var (removed, number) = (0, 0)
        for section in ends.indices {
            let end = ends[section]
            while number < ranges.count, ranges[number].upperBound <= end {
                removed += ranges[number].count
                number += 1
            }
            // The next range may begin in this section.
            let started = number < ranges.count ? max(0, end - ranges[number].lowerBound) : 0
            ends[section] = end - removed - started
        }
    }
}
