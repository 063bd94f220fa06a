// The items of a snapshot in one array, with the bounds of each section.

/// The items of all sections in order, and the index at which each section begins.
@usableFromInline
struct SectionedItems<Item: Hashable & Sendable>: Sendable, Equatable {
    /// The items of all sections, section after section.
    @usableFromInline var items: UniqueArray<Item>
    /// The index of each section's first item, followed by the number of items.
    @usableFromInline var bounds: [Int]

    /// Empty sections.
    @inlinable
    init(sectionCount: Int) {
        self.init(items: UniqueArray(), bounds: [Int](repeating: 0, count: sectionCount + 1))
    }

    /// Items in sections with the given bounds.
    @inlinable
    init(items: UniqueArray<Item>, bounds: [Int]) {
        self.items = items
        self.bounds = bounds
    }

    /// The number of sections.
    @inlinable var sectionCount: Int { bounds.count - 1 }

    /// The indices of a section's items.
    @inlinable
    func range(ofSection section: Int) -> Range<Int> { bounds[section]..<bounds[section + 1] }

    /// Returns the section that contains the item at an index; O(log *s*) for *s* sections.
    @inlinable
    func section(at index: Int) -> Int {
        var low = 0
        var high = sectionCount - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if bounds[middle] <= index { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// Returns the index path of the item at an index; O(log *s*) for *s* sections.
    @inlinable
    func indexPath(at index: Int) -> IndexPath {
        let section = section(at: index)
        return IndexPath(item: index - bounds[section], section: section)
    }

    /// Returns the item at an index path, or `nil` if there is none.
    @inlinable
    func item(at indexPath: IndexPath) -> Item? {
        guard indexPath.section >= 0, indexPath.section < sectionCount else { return nil }
        let range = range(ofSection: indexPath.section)
        guard indexPath.item >= 0, indexPath.item < range.count else { return nil }
        return items.elements[range.lowerBound + indexPath.item]
    }

    /// Returns the indices of the given items that are present, ascending and without repetition.
    @inlinable
    func indices(of identifiers: [Item]) -> [Int] {
        guard items.count > 0 else { return [] }
        var indices = identifiers.compactMap { items.index(of: $0) }
        indices.sort()
        var last = -1
        indices.removeAll { index in
            defer { last = index }
            return index == last
        }
        return indices
    }
}

// MARK: Changing items

extension SectionedItems {
    /// Inserts items at an index within or at the end of a section, and moves those already present.
    @inlinable
    mutating func insert(
        _ identifiers: [Item], at index: Int, inSection section: Int, for operation: String
    ) {
        if items.count == 0, let all = UniqueArray(checking: identifiers) {
            items = all
            for next in section + 1..<bounds.count { bounds[next] = identifiers.count }
            return
        }
        if let repeated = UniqueArray.firstRepeated(in: identifiers) {
            misuse(operation, "the call names item \(repeated) twice")
        }
        let moved = indices(of: identifiers)
        remove(at: moved)
        items.insert(identifiers, at: index - moved.count { $0 < index })
        for next in section + 1..<bounds.count { bounds[next] += identifiers.count }
    }

    /// Removes the items at ascending indices.
    @inlinable
    mutating func remove(at indices: [Int]) {
        guard !indices.isEmpty else { return }
        items.remove(at: indices)
        var removed = 0
        for section in bounds.indices {
            while removed < indices.count, indices[removed] < bounds[section] { removed += 1 }
            bounds[section] -= removed
        }
    }
}

// MARK: Changing sections

extension SectionedItems {
    /// Inserts empty sections before a section.
    @inlinable
    mutating func insertSections(_ count: Int, at section: Int) {
        bounds.insert(contentsOf: repeatElement(bounds[section], count: count), at: section)
    }

    /// Removes the sections at ascending indices with their items.
    mutating func removeSections(at sections: [Int]) {
        remove(at: sections.flatMap { range(ofSection: $0) })
        for section in sections.reversed() { bounds.remove(at: section) }
    }

    /// Moves a section with its items to an index among the other sections.
    mutating func moveSection(at section: Int, to target: Int) {
        let moved = Array(items.elements[range(ofSection: section)])
        removeSections(at: [section])
        insertSections(1, at: target)
        items.insert(moved, at: bounds[target])
        for next in target + 1..<bounds.count { bounds[next] += moved.count }
    }
}
