// The items of a snapshot in one array, with the bounds of each section.
public import Synchronization

/// The items of a snapshot, which its copies share.
@usableFromInline
final class SharedItems<Item: Hashable & Sendable>: Sendable {
    /// Locked, as a query indexes pending items, and several tasks may query a snapshot.
    @usableFromInline let content: Mutex<SectionedItems<Item>>

    @inlinable
    init(_ items: SectionedItems<Item>) { content = Mutex(items) }

    /// Calls a closure with the items; only the closure of their single owner may change the list.
    @inlinable
    func access<Result: Sendable>(_ body: (inout SectionedItems<Item>) -> Result) -> Result {
        content.withLock { body(&$0) }
    }
}

/// The items of all sections in order, and the index at which each section begins.
///
/// A list that follows events fills a new snapshot at every event. Comparing it with the snapshot
/// that is shown also finds repeated items, so that indexing it first would be wasted work: long arrays that
/// are appended to an empty list are therefore pending until it is compared or queried.
@usableFromInline
struct SectionedItems<Item: Hashable & Sendable>: Sendable {
    /// The items of all sections, section after section; none while some are pending.
    @usableFromInline var items = UniqueArray<Item>()
    /// The bounds of the sections, with all pending items.
    @usableFromInline var bounds = SectionBounds()
    /// The pending array of each `appendItems` call, with the index of its section.
    @usableFromInline var pending: [(section: Int, items: [Item], call: Call)] = []

    /// The minimum number of items in a first call that is worth deferring.
    @inlinable static var minimumPendingCount: Int { 32 }

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

    /// Returns the indices of the given items that are present, ascending and without repetition.
    @inlinable
    mutating func indices(of identifiers: [Item]) -> [Int] {
        items.prepare()
        let indices = identifiers.compactMap { items.index(of: $0) }
        return indices.count > 1 ? Set(indices).sorted() : indices
    }
}

// MARK: Pending items

extension SectionedItems {
    /// All items in order, repetitions included.
    @inlinable var concatenated: [Item] {
        if pending.isEmpty { return items.elements }
        if pending.count == 1 { return pending[0].items }
        var items: [Item] = []
        items.reserveCapacity(bounds.ends.last ?? 0)
        let isInOrder = zip(pending, pending.dropFirst()).allSatisfy { $0.section <= $1.section }
        // Sorting is stable: what was appended to a section first stays first.
        for append in isInOrder ? pending : pending.sorted(by: { $0.section < $1.section }) {
            items += append.items
        }
        return items
    }

    /// Replaces pending items by the same ones in order, of which none is repeated.
    @inlinable
    mutating func setItems(_ items: [Item], table: SlotTable?) {
        self.items.elements = items
        self.items.table = table
        pending = []
    }

    /// Indexes pending items, moving those that two calls appended to the later position.
    ///
    /// - Precondition: No call names an item twice.
    /// - Returns: Whether there were any.
    @inlinable
    mutating func indexPending() -> Bool {
        guard !pending.isEmpty else { return false }
        if let items = UniqueArray(checking: concatenated) {
            setItems(items.elements, table: items.table)
        } else {
            let calls = pending
            pending = []
            bounds.ends = bounds.ends.map { _ in 0 }
            for (section, items, call) in calls {
                insert(items, at: bounds.ends[section], inSection: section, for: call)
            }
        }
        return true
    }
}

// MARK: Changing items

extension SectionedItems {
    /// Appends items to a section, and moves those already present.
    @inlinable
    mutating func append(_ identifiers: [Item], toSection section: Int, for call: Call) {
        let isLong = identifiers.count >= SectionedItems.minimumPendingCount
        if items.count == 0, isLong || !pending.isEmpty {
            pending.append((section, identifiers, call))
            bounds.grow(section, by: identifiers.count)
        } else {
            insert(
                identifiers, at: bounds.ends[section], inSection: section, for: call)
        }
    }

    /// Inserts items at an index within or at the end of a section, and moves those already present.
    @inlinable
    mutating func insert(
        _ identifiers: [Item], at index: Int, inSection section: Int, for call: Call
    ) {
        if let repeated = UniqueArray.firstRepeated(in: identifiers) {
            misuse(call, "the call names item \(repeated) twice")
        }
        let moved = indices(of: identifiers)
        remove(at: moved)
        items.insert(identifiers, at: index - moved.count { $0 < index })
        bounds.grow(section, by: identifiers.count)
    }

    /// Removes the items at ascending indices.
    @inlinable
    mutating func remove(at indices: [Int]) {
        guard !indices.isEmpty else { return }
        items.remove(at: indices)
        var removed = 0
        for section in bounds.ends.indices {
            while removed < indices.count, indices[removed] < bounds.ends[section] { removed += 1 }
            bounds.ends[section] -= removed
        }
    }
}

// MARK: Changing sections

extension SectionedItems {
    /// Inserts empty sections before a section.
    @inlinable
    mutating func insertSections(_ count: Int, at section: Int) {
        let start = bounds.start(of: section)
        bounds.ends.insert(contentsOf: repeatElement(start, count: count), at: section)
    }

    /// Removes the sections at ascending indices with their items.
    mutating func removeSections(at sections: [Int]) {
        remove(at: sections.flatMap { bounds.range(of: $0) })
        for section in sections.reversed() { bounds.ends.remove(at: section) }
    }

    /// Moves a section with its items to an index among the other sections.
    mutating func moveSection(at section: Int, to target: Int) {
        let moved = Array(items.elements[bounds.range(of: section)])
        removeSections(at: [section])
        insertSections(1, at: target)
        items.insert(moved, at: bounds.start(of: target))
        bounds.grow(target, by: moved.count)
    }
}
