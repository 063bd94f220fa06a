// The items of a snapshot in one array, with the bounds of each section.

/// The items of all sections in order, and the index at which each section begins.
///
/// A program whose list follows events fills a new snapshot at every event and compares it with the
/// previous one. The comparison also finds repeated items, so that indexing the snapshot before would be
/// wasted work. Items appended to an empty list are therefore pending until the list is compared or
/// queried. That also makes appending to any section fast.
@usableFromInline
struct SectionedItems<Item: Hashable & Sendable>: Sendable {
    /// Items that were appended to a section.
    @usableFromInline
    struct Appended: Sendable {
        @usableFromInline let section: Int
        @usableFromInline var items: [Item]
        /// The call, if its items have yet to be checked for repetitions.
        @usableFromInline let call: Call?

        @inlinable
        init(section: Int, items: [Item], call: Call?) {
            self.section = section
            self.items = items
            self.call = call
        }
    }

    /// The items of all sections, section after section; none while some are pending.
    @usableFromInline var items = UniqueArray<Item>()
    /// The bounds of the sections; while items are pending, `ends` holds the number of each
    /// section's items.
    @usableFromInline var bounds = SectionBounds()
    /// The pending items, in the order of the calls.
    @usableFromInline var pending: [Appended] = []

    /// The calls that marked items while many were pending, so that their items have yet to be found.
    @usableFromInline var uncheckedMarks: [(items: [Item], call: Call)] = []

    /// The minimum number of items whose check, for repetitions or absent ones, is worth deferring.
    @inlinable static var minimumUncheckedCount: Int { 32 }

    /// No sections.
    @inlinable
    init() {}

    /// Returns the item at an index path, or `nil` if there is none.
    @inlinable
    func item(at indexPath: IndexPath) -> Item? {
        guard indexPath.section >= 0, indexPath.section < bounds.count else { return nil }
        let range = bounds.range(of: indexPath.section)
        guard indexPath.item >= 0, indexPath.item < range.count else { return nil }
        return items.elements[range.lowerBound + indexPath.item]
    }

    /// Returns the index of an item, or `nil` if it is absent.
    @inlinable
    mutating func index(of item: Item) -> Int? {
        items.prepare()
        return items.index(of: item)
    }

    /// Returns the ranges of the given items that are present, ascending and joined.
    @inlinable
    mutating func ranges(of identifiers: [Item]) -> [Range<Int>] {
        items.prepare()
        return items.ranges(of: identifiers)
    }
}

// MARK: Pending items

extension SectionedItems {
    /// All items in order, repetitions included, and the bounds of their sections.
    @inlinable var content: (items: [Item], bounds: SectionBounds) {
        if pending.isEmpty { return (items.elements, bounds) }
        var bounds = bounds
        bounds.addUp()
        if pending.count == 1 { return (pending[0].items, bounds) }
        var items: [Item] = []
        items.reserveCapacity(bounds.ends.last ?? 0)
        if (1..<pending.count).allSatisfy({ pending[$0 - 1].section <= pending[$0].section }) {
            for number in pending.indices { items += pending[number].items }
        } else {
            var calls = [[Int]](repeating: [], count: bounds.count)
            for number in pending.indices { calls[pending[number].section].append(number) }
            for number in calls.joined() { items += pending[number].items }
        }
        return (items, bounds)
    }

    /// Whether there are so few pending items that indexing them costs little.
    @inlinable var hasFewPending: Bool {
        pending.count < SectionedItems.minimumUncheckedCount
            && pending.reduce(0) { $0 + $1.items.count } < SectionedItems.minimumUncheckedCount
    }

    /// Stops the program unless all items that a call marks are present: at once if that costs little,
    /// otherwise when the pending items are indexed.
    @inlinable
    mutating func expect(_ identifiers: [Item], for call: Call) {
        if hasFewPending { _ = indexPending() }
        guard pending.isEmpty else { return uncheckedMarks.append((identifiers, call)) }
        items.prepare()
        if let absent = items.indices(of: identifiers).firstIndex(of: -1) {
            misuse(call, "there is no item \(identifiers[absent])")
        }
    }

    /// Replaces the pending items by the same items in order, without repetitions.
    @inlinable
    mutating func setContent(_ items: [Item], _ bounds: SectionBounds, table: SlotTable?) {
        self.items.elements = items
        self.items.table = table
        self.bounds = bounds
        pending = []
        let marks = uncheckedMarks
        uncheckedMarks = []
        for mark in marks { expect(mark.items, for: mark.call) }
    }

    /// Indexes pending items; an item that two calls appended is kept at the later position.
    ///
    /// - Precondition: No call names an item twice.
    /// - Returns: Whether items were pending.
    @inlinable
    mutating func indexPending() -> Bool {
        guard !pending.isEmpty else { return false }
        var (elements, bounds) = content
        if let items = UniqueArray(checking: elements) {
            setContent(elements, bounds, table: items.table)
        } else {
            removeAppendedAgain()
            (elements, bounds) = content
            setContent(elements, bounds, table: nil)
        }
        return true
    }

    /// Removes the pending items that a later call appends again.
    ///
    /// - Precondition: No call names an item twice.
    @usableFromInline
    mutating func removeAppendedAgain() {
        for appended in pending {
            if let call = appended.call { expectDistinct(appended.items, for: call) }
        }
        var later: Set<Item> = []
        for number in pending.indices.reversed() {
            let items = pending[number].items
            let kept = items.reversed().filter { later.insert($0).inserted }
            pending[number].items = kept.reversed()
            bounds.ends[pending[number].section] -= items.count - kept.count
        }
    }

    /// Stops the program if a call names an item twice.
    @inlinable
    func expectDistinct(_ identifiers: [Item], for call: Call) {
        if identifiers.count > 1, let repeated = UniqueArray.firstRepeated(in: identifiers) {
            misuse(call, "the call names item \(repeated) twice")
        }
    }
}

// MARK: Changing items

extension SectionedItems {
    /// Appends items to a section, and moves those already present.
    @inlinable
    mutating func append(_ identifiers: [Item], toSection section: Int, for call: Call) {
        guard items.count == 0 else {
            return insert(identifiers, at: bounds.ends[section], inSection: section, for: call)
        }
        bounds.ends[section] += identifiers.count
        if identifiers.count >= SectionedItems.minimumUncheckedCount {
            return pending.append(Appended(section: section, items: identifiers, call: call))
        }
        expectDistinct(identifiers, for: call)
        let last = pending.count - 1
        if last >= 0, pending[last].section == section, pending[last].call == nil {
            pending[last].items.insert(sparingly: identifiers, at: pending[last].items.count)
        } else {
            pending.append(Appended(section: section, items: identifiers, call: nil))
        }
    }

    /// Inserts items at an index within or at the end of a section, and moves those already present.
    @inlinable
    mutating func insert(
        _ identifiers: [Item], at index: Int, inSection section: Int, for call: Call
    ) {
        expectDistinct(identifiers, for: call)
        if identifiers.count == 1, let origin = self.index(of: identifiers[0]) {
            bounds.grow(bounds.indexPath(at: origin).section, by: -1)
            let target = origin < index ? index - 1 : index
            items.move(origin..<origin + 1, to: target)
            items.elements[target] = identifiers[0]
        } else {
            let present = identifiers.count == 1 ? [] : ranges(of: identifiers)
            remove(in: present)
            let before = present.reduce(0) { $0 + $1.clamped(to: 0..<index).count }
            items.insert(identifiers, at: index - before)
        }
        bounds.grow(section, by: identifiers.count)
    }

    /// Removes the items in ascending, disjoint ranges.
    @inlinable
    mutating func remove(in ranges: [Range<Int>]) {
        guard !ranges.isEmpty else { return }
        items.remove(in: ranges)
        bounds.remove(ranges)
    }
}

// MARK: Changing sections

extension SectionedItems {
    /// Inserts empty sections before a section.
    @inlinable
    mutating func insertSections(_ count: Int, at section: Int) {
        let start = pending.isEmpty ? bounds.start(of: section) : 0
        bounds.ends.insert(contentsOf: repeatElement(start, count: count), at: section)
    }

    /// Removes the sections in ascending, disjoint ranges with their items.
    mutating func removeSections(in ranges: [Range<Int>]) {
        remove(
            in: ranges.map { bounds.start(of: $0.lowerBound)..<bounds.ends[$0.upperBound - 1] }
                .filter { !$0.isEmpty })
        bounds.ends.remove(in: ranges)
    }

    /// Moves a section with its items to an index among the other sections.
    mutating func moveSection(at section: Int, to target: Int) {
        let range = bounds.range(of: section)
        bounds.grow(section, by: -range.count)
        bounds.ends.remove(at: section)
        insertSections(1, at: target)
        items.move(range, to: bounds.start(of: target))
        bounds.grow(target, by: range.count)
    }
}
