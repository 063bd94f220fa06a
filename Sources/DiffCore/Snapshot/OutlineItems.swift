// The items of an outline with their levels, put in order when they are read.

/// The items of an outline with their levels.
///
/// A program that fills an outline appends children to one parent after another. If each call inserted
/// them among the others, it would move the rest. Once appending has taken much work, further items are
/// therefore kept after all others, in the order of the calls, until the order is needed. In either
/// order an item follows its parent and the siblings before it.
@usableFromInline
struct OutlineItems<Item: Hashable & Sendable>: Sendable {
    /// The items.
    @usableFromInline var list = UniqueArray<Item>()
    /// The levels of the items, and which of them are expanded, in the same order.
    @usableFromInline var tree = OutlineTree()
    /// Whether every item is followed by its descendants.
    @usableFromInline var isOrdered = true
    /// The number of items that appending has read or moved since the items were read in order.
    @usableFromInline var appendingWork = 0

    /// The amount of `appendingWork` for each item that takes as long as putting the items in order.
    @inlinable static var maximumWork: Int { 8 }

    /// No items.
    @inlinable
    init() {}

    /// Puts every item directly before its descendants; O(*n*), O(1) if nothing was appended since.
    @inlinable
    mutating func putInOrder() {
        // A program that reads after each call would put all items in order again and again.
        appendingWork = 0
        guard !isOrdered else { return }
        list.reorder(tree.putInOrder())
        isOrdered = true
    }

    /// Returns the present index of an item named by an operation.
    @inlinable
    func index(of item: Item, for call: Call) -> Int {
        guard let index = list.index(of: item) else {
            misuse(call, "there is no item \(item)")
        }
        return index
    }

    /// Stops the program unless items are distinct and absent.
    @inlinable
    func expectNew(_ items: [Item], for call: Call) {
        if let repeated = UniqueArray.firstRepeated(in: items) {
            misuse(call, "the call names item \(repeated) twice")
        }
        for item in items where list.contains(item) {
            misuse(call, "there is an item \(item) already")
        }
    }

    /// Appends children to the item at the index `parent`, or root items.
    ///
    /// - Complexity: O(*d* + *k*) for *k* items and *d* ancestors, averaged over the calls since the
    ///   items were put in order.
    @inlinable
    mutating func append(_ added: [Item], to parent: Int?) {
        if isOrdered, let parent, !tree.isLast(parent) {
            appendingWork += list.count - parent
            if appendingWork <= OutlineItems.maximumWork * list.count {
                return insert(added, at: tree.end(of: parent), parent: parent)
            }
            isOrdered = false
            list.renewTable()
        }
        list.insert(added, at: list.count)
        tree.append(added.count, to: parent)
    }
}

// MARK: Items in order

extension OutlineItems {
    /// Returns the visible items in a range.
    func visibleItems(in range: Range<Int>) -> [Item] {
        range.filter { tree[$0].isVisible }.map { list.elements[$0] }
    }

    /// Replaces the visible items by equal ones, in order.
    mutating func replaceVisibleItems(by items: [Item]) {
        var row = 0
        for index in 0..<list.count where tree[index].isVisible {
            list.elements[index] = items[row]
            row += 1
        }
    }

    /// Inserts items, or the nodes of an outline, beneath the item at the index `parent`.
    @inlinable
    mutating func insert(
        _ items: [Item], _ added: [OutlineTree.Node]? = nil, at index: Int, parent: Int?
    ) {
        guard !items.isEmpty else { return }
        list.insert(items, at: index)
        tree.insert(added ?? OutlineTree.roots(items.count), at: index, parent: parent)
    }

    /// Removes the items in ascending, disjoint ranges, each with all descendants.
    mutating func remove(in ranges: [Range<Int>]) {
        list.remove(in: ranges)
        tree.remove(in: ranges)
    }

    /// Replaces the items in a range.
    ///
    /// - Parameters:
    ///   - range: The indices of the items.
    ///   - items: The new items.
    ///   - nodes: The level of each new item, and whether it is expanded.
    ///   - kept: The numbers of new items, at the start and at the end, that are the old ones there.
    mutating func replace(
        _ range: Range<Int>, by items: [Item], _ nodes: [OutlineTree.Node],
        kept: (start: Int, end: Int)
    ) {
        let replaced = range.lowerBound + kept.start..<range.upperBound - kept.end
        if !replaced.isEmpty { list.remove(in: [replaced]) }
        if kept.start + kept.end < items.count {
            list.insert(
                Array(items[kept.start..<items.count - kept.end]), at: replaced.lowerBound)
        }
        tree.replace(range, by: nodes)
    }
}
