// The shape of an outline: levels, parents, and what is expanded, by index.

/// The levels of an outline's items, each before its descendants, without the items.
///
/// It is not generic, so that it is compiled once. A node holds the distance from its parent, not the
/// parent's index: an insertion or a deletion changes the nodes up to the next root item only.
@usableFromInline
struct OutlineTree: Sendable, Equatable {
    /// The state of an item.
    @usableFromInline
    struct Node: Sendable, Equatable, BitwiseCopyable {
        /// From the lowest bit: the distance from the parent's index (32 bits, 0 for a root item),
        /// visible, expanded, and the number of ancestors.
        private var bits: UInt64

        @usableFromInline
        static func == (left: Node, right: Node) -> Bool { left.bits == right.bits }

        /// A node whose parent is unknown.
        init(level: Int, isExpanded: Bool = false) {
            bits = UInt64(level) << 34 | (isExpanded ? 3 : 1) << 32
        }

        /// The number of ancestors.
        var level: Int {
            get { Int(bits >> 34) }
            set { bits = UInt64(newValue) << 34 | bits & (1 << 34 - 1) }
        }

        var isExpanded: Bool {
            get { bits >> 33 & 1 != 0 }
            set { bits = bits & ~(1 << 33) | (newValue ? 1 << 33 : 0) }
        }

        /// Whether all ancestors are expanded.
        fileprivate(set) var isVisible: Bool {
            get { bits >> 32 & 1 != 0 }
            set { bits = bits & ~(1 << 32) | (newValue ? 1 << 32 : 0) }
        }

        /// The distance from the parent's index, 0 for a root item.
        fileprivate var distance: Int {
            get { Int(UInt32(truncatingIfNeeded: bits)) }
            set { bits = (bits >> 32) << 32 | UInt64(UInt32(newValue)) }
        }
    }

    private(set) var nodes: [Node] = []

    /// A tree without items.
    @usableFromInline
    init() {}

    /// Returns nodes of collapsed root items.
    @usableFromInline
    static func roots(_ count: Int) -> [Node] {
        [Node](repeating: Node(level: 0), count: count)
    }

    @usableFromInline
    static func == (left: OutlineTree, right: OutlineTree) -> Bool { left.nodes == right.nodes }

    /// The number of items.
    var count: Int { nodes.count }

    subscript(index: Int) -> Node { nodes[index] }

    /// Returns the index of an item's parent, or `nil` for a root item; O(1).
    func parent(of index: Int) -> Int? {
        let distance = nodes[index].distance
        return distance == 0 ? nil : index - distance
    }

    /// Returns the index after an item and its descendants.
    ///
    /// - Complexity: O(*k*) for *k* descendants; O(*d*) for *d* levels at the end of the outline.
    @usableFromInline
    func end(of index: Int) -> Int {
        // Without a search.
        if isLast(index) { return nodes.count }
        let level = nodes[index].level
        var end = index + 1
        while nodes[end].level > level { end += 1 }
        return end
    }

    /// Whether the outline ends with an item and its descendants; O(*d*) for *d* levels.
    @usableFromInline
    func isLast(_ index: Int) -> Bool {
        var last = nodes.count - 1
        while last > index { last = parent(of: last) ?? -1 }
        return last == index
    }

    /// Whether an item has children; O(1).
    func hasChildren(_ index: Int) -> Bool {
        index + 1 < nodes.count && nodes[index + 1].level > nodes[index].level
    }

    /// The indices of the root items.
    var rootIndices: [Int] { nodes.indices.filter { nodes[$0].level == 0 } }

    /// Whether all items are root items, and none is expanded.
    var isFlat: Bool { nodes.allSatisfy { $0.level == 0 && !$0.isExpanded } }

    /// Returns the index after an item and its hidden descendants.
    func nextVisible(after index: Int) -> Int {
        nodes[index].isExpanded && nodes[index].isVisible || !hasChildren(index)
            ? index + 1 : end(of: index)
    }

    /// Returns the nearest visible ancestor of an item, or the item itself if it is visible.
    func visibleAncestor(of index: Int) -> Int {
        var index = index
        while !nodes[index].isVisible, let parent = parent(of: index) { index = parent }
        return index
    }

    /// Returns how many nodes, at most `limit`, are the same at the start or at the end of another tree.
    func commonCount(with other: OutlineTree, limit: Int, backwards: Bool = false) -> Int {
        withBorrowedIdentifiers(nodes) { nodes in
            withBorrowedIdentifiers(other.nodes) { others in
                // A node is a word.
                let (own, others) = (KeyBuffer<WordKey>(nodes), KeyBuffer<WordKey>(others))
                return own.commonCount(
                    backwards ? own.count : 0, with: others, backwards ? others.count : 0,
                    limit: limit, backwards: backwards)
            }
        }
    }
}

// MARK: Appending

extension OutlineTree {
    /// Appends children of the item at the index `parent`, or root items, after all nodes.
    @usableFromInline
    mutating func append(_ count: Int, to parent: Int?) {
        var node = Node(level: 0)
        if let parent {
            node.level = nodes[parent].level + 1
            node.isVisible = nodes[parent].isVisible && nodes[parent].isExpanded
        }
        for index in nodes.count..<nodes.count + count {
            if let parent { node.distance = index - parent }
            nodes.append(node)
        }
    }

    /// Moves every item directly before its descendants.
    ///
    /// - Returns: The former index of each item.
    @usableFromInline
    mutating func putInOrder() -> [Int32] {
        // The number of an item's descendants and itself; later the index of its next child.
        var next = [Int32](repeating: 1, count: count)
        for index in nodes.indices.reversed() {
            if let parent = parent(of: index) { next[parent] += next[index] }
        }
        var nextRoot: Int32 = 0
        var indices = next
        for index in nodes.indices {
            let size = next[index]
            if let parent = parent(of: index) {
                indices[index] = next[parent]
                next[parent] += size
            } else {
                indices[index] = nextRoot
                nextRoot += size
            }
            next[index] = indices[index] + 1
        }
        var (ordered, former) = (nodes, next)
        for (index, place) in indices.enumerated() {
            var node = nodes[index]
            if let parent = parent(of: index) { node.distance = Int(place - indices[parent]) }
            ordered[Int(place)] = node
            former[Int(place)] = Int32(index)
        }
        nodes = ordered
        return former
    }
}

// MARK: Changes

extension OutlineTree {
    /// Inserts nodes as children of the item at the index `parent`, or as root items.
    @usableFromInline
    mutating func insert(_ added: [Node], at index: Int, parent: Int?) {
        let lowest = added.first?.level ?? 0
        let rise = parent.map { nodes[$0].level + 1 } ?? 0
        var added = added
        for number in added.indices { added[number].level += rise - lowest }
        replace(index..<index, by: added)
    }

    /// Replaces nodes by others, none of which is more than one level below the node before it.
    mutating func replace(_ range: Range<Int>, by added: [Node]) {
        nodes.replaceSubrange(range, with: added)
        update(range.lowerBound..<range.lowerBound + added.count)
    }

    /// Removes the items in ascending, disjoint ranges, each with all descendants.
    mutating func remove(in ranges: [Range<Int>]) {
        guard let first = ranges.first, let last = ranges.last else { return }
        let removed = ranges.reduce(0) { $0 + $1.count }
        nodes.remove(in: ranges)
        update(first.lowerBound..<last.upperBound - removed)
    }

    /// Expands or collapses items.
    @usableFromInline
    mutating func setExpanded(_ isExpanded: Bool, at indices: [Int]) {
        var (first, end) = (nodes.count, 0)
        for index in indices where nodes[index].isExpanded != isExpanded {
            nodes[index].isExpanded = isExpanded
            (first, end) = (min(first, index), max(end, index + 1))
        }
        if first < end { update(first..<end) }
    }

    /// Updates the parents and the visibility of nodes in a range and after it, up to the next root item.
    private mutating func update(_ range: Range<Int>) {
        guard range.lowerBound < nodes.count else { return }
        // The indices of the ancestors of the current item, from the root down.
        var ancestors: [Int] = []
        var ancestor = range.lowerBound > 0 ? range.lowerBound - 1 : nil
        while let index = ancestor {
            ancestors.append(index)
            ancestor = parent(of: index)
        }
        ancestors.reverse()
        var index = range.lowerBound
        while index < nodes.count, index < range.upperBound || nodes[index].level > 0 {
            let level = nodes[index].level
            ancestors.removeLast(ancestors.count - level)
            if let parent = ancestors.last {
                nodes[index].distance = index - parent
                nodes[index].isVisible = nodes[parent].isVisible && nodes[parent].isExpanded
            } else {
                nodes[index].distance = 0
                nodes[index].isVisible = true
            }
            ancestors.append(index)
            index += 1
        }
    }
}
