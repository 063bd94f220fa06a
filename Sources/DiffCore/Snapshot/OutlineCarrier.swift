// Carries the outline of a section over to the section's new rows.

/// The part of a section's rows from the first affected row to the last.
struct RowWindow {
    /// The number of unaffected rows before it.
    var prefix = Int.max
    /// The number of unaffected rows after it.
    var suffix = Int.max

    /// All rows.
    static var whole: RowWindow { RowWindow(prefix: 0, suffix: 0) }

    /// Extends the window to the row at an index of a list, given the section's range there.
    mutating func include(_ index: Int, in range: Range<Int>) {
        prefix = min(prefix, index - range.lowerBound)
        suffix = min(suffix, range.upperBound - 1 - index)
    }

    mutating func formUnion(_ other: RowWindow) {
        prefix = min(prefix, other.prefix)
        suffix = min(suffix, other.suffix)
    }
}

/// Determines the levels of a section's rows in a window, and the places of their hidden descendants.
///
/// It handles indices only, and is compiled once for all types of items.
struct OutlineCarrier {
    /// An item by its former place: an index of one of the trees.
    struct FormerPlace: Equatable {
        var tree: Int
        var index: Int
    }

    /// A row of the window.
    struct Row {
        /// The former place of the item, or `nil` if it was in no outline.
        var origin: FormerPlace?
        /// Whether the item was not in the list.
        var isNew = false
        /// Whether the row was in the section before and has not moved.
        var stays = false
    }

    /// An item of the resulting outline.
    struct Entry {
        /// The row, or `nil` for a hidden item.
        var row: Int?
        var origin: FormerPlace?
        var node: OutlineTree.Node
    }

    /// A visible item, during the calculation.
    fileprivate struct Open {
        var origin: FormerPlace?
        var isExpanded: Bool

        init(_ origin: FormerPlace?, isExpanded: Bool) {
            self.origin = origin
            self.isExpanded = isExpanded
        }
    }

    /// The former trees; the first is the section's.
    var trees: [OutlineTree]
    /// The former places of the hidden items that the new list contains.
    var revealed: [Int: Set<Int>] = [:]
    /// The nodes of the section's tree that the rows replace.
    private(set) var nodes = 0..<0

    init(trees: [OutlineTree]) { self.trees = trees }

    /// Sets the nodes that the window replaces.
    ///
    /// The window ends after all descendants of its items, as their levels depend on it.
    ///
    /// - Parameters:
    ///   - start: The first node.
    ///   - end: The node of the first row after the window.
    /// - Returns: The number of rows that the window is extended by.
    mutating func setNodes(from start: Int, to end: Int) -> Int {
        nodes = start..<end
        guard end < trees[0].count else { return 0 }
        var top: Int?
        var ancestor = trees[0].parent(of: end)
        while let index = ancestor, index >= start {
            top = index
            ancestor = trees[0].parent(of: index)
        }
        guard let top else { return 0 }
        nodes = start..<trees[0].end(of: top)
        return (end..<nodes.upperBound).count { trees[0][$0].isVisible }
    }

    /// Marks the rows of the section that stay: all apart from the smallest number that must move.
    ///
    /// Expanded parents have a greater weight, so that they are the last to move.
    func markStaying(_ rows: inout [Row], isMoved: ((Int) -> Bool)?) {
        let former = rows.indices.filter { number in
            rows[number].origin.map { $0.tree == 0 && trees[0][$0.index].isVisible } ?? false
        }
        var ranges = former.enumerated().map { index, number in
            let origin = rows[number].origin?.index ?? 0
            return MatchedRange(
                old: origin, new: index, length: trees[0][origin].isExpanded ? 3 : 2)
        }
        if isMoved == nil {
            // The row after the window stays, and decides between equal numbers of moves.
            if nodes.upperBound < trees[0].count {
                ranges.append(.init(old: nodes.upperBound, new: former.count, length: 2))
            }
            markMinimalMoves(in: &ranges, from: 0)
        }
        for (number, range) in zip(former, ranges) {
            rows[number].stays = !(isMoved?(number) ?? range.isMoved)
        }
    }

    /// Returns the items of the window: its rows and their hidden descendants. `previous` is the node of
    /// the last row before the window.
    func entries(of rows: [Row], after previous: Int?) -> [Entry] {
        let parents = parents(of: rows)
        // The last visible item and its ancestors, from the root down.
        var open: [Open] = []
        var ancestor = previous
        while let index = ancestor {
            open.append(
                Open(.init(tree: 0, index: index), isExpanded: trees[0][index].isExpanded))
            ancestor = trees[0].parent(of: index)
        }
        open.reverse()
        var entries: [Entry] = []
        entries.reserveCapacity(max(rows.count, nodes.count))
        for (number, row) in rows.enumerated() {
            let parent = parents[number].map { FormerPlace(tree: 0, index: $0) }
            let lowest = parent.flatMap { open.lastIndex(of: $0) }.map { $0 + 1 } ?? 0
            let place = entries.count
            entries.append(Entry(row: number, origin: row.origin, node: .init(level: lowest)))
            if let origin = row.origin {
                let tree = trees[origin.tree]
                appendHidden(of: origin, to: &entries)
                entries[place].node.isExpanded =
                    tree[origin.index].isExpanded && entries.count == place + 1
                if let level = open.level(beneath: origin, in: tree) {
                    entries[place].node.level = max(lowest, level)
                }
            } else if row.isNew {
                // The level of the item before it.
                entries[place].node.level = max(lowest, open.count - 1)
            }
            let level = entries[place].node.level
            for hidden in place + 1..<entries.count { entries[hidden].node.level += level }
            open.removeLast(open.count - level)
            open.append(Open(row.origin, isExpanded: entries[place].node.isExpanded))
        }
        return entries
    }

    /// Returns how many entries at the start and at the end are the items that the nodes there have.
    func keptCounts(_ entries: [Entry]) -> (start: Int, end: Int) {
        let limit = min(entries.count, nodes.count)
        func isKept(_ entry: Int, at node: Int) -> Bool {
            entries[entry].origin == FormerPlace(tree: 0, index: node)
        }
        var start = 0
        while start < limit, isKept(start, at: nodes.lowerBound + start) { start += 1 }
        var end = 0
        while end < limit - start, isKept(entries.count - 1 - end, at: nodes.upperBound - 1 - end) {
            end += 1
        }
        return (start, end)
    }

    /// Returns a parent for each row, `nil` for root items: the nearest ancestor, among the items that
    /// stay, of the next item that stays. With it, items that stay keep their parents.
    private func parents(of rows: [Row]) -> [Int?] {
        var staying = [Bool](repeating: false, count: nodes.count)
        for row in rows where row.stays {
            if let origin = row.origin { staying[origin.index - nodes.lowerBound] = true }
        }
        var parents = [Int?](repeating: nil, count: rows.count)
        // No ancestor of the row after the window is in the window.
        var parent =
            nodes.upperBound < trees[0].count ? trees[0].parent(of: nodes.upperBound) : nil
        for number in rows.indices.reversed() {
            if rows[number].stays, let origin = rows[number].origin {
                parent = trees[0].parent(of: origin.index)
                while let next = parent, next >= nodes.lowerBound,
                    !staying[next - nodes.lowerBound]
                {
                    parent = trees[0].parent(of: next)
                }
            }
            parents[number] = parent
        }
        return parents
    }

    /// Appends the descendants that an item hides, by levels relative to its own, without the items
    /// that the new list contains and their descendants.
    private func appendHidden(of origin: FormerPlace, to entries: inout [Entry]) {
        let tree = trees[origin.tree]
        let item = tree[origin.index]
        guard !(item.isVisible && item.isExpanded), tree.hasChildren(origin.index) else { return }
        let elsewhere = revealed[origin.tree] ?? []
        var index = origin.index + 1
        while index < tree.count, tree[index].level > item.level {
            if elsewhere.contains(index) {
                index = tree.end(of: index)
                continue
            }
            let node = OutlineTree.Node(
                level: tree[index].level - item.level, isExpanded: tree[index].isExpanded)
            entries.append(
                Entry(row: nil, origin: .init(tree: origin.tree, index: index), node: node))
            index += 1
        }
    }
}

extension [OutlineCarrier.Open] {
    fileprivate func lastIndex(of origin: OutlineCarrier.FormerPlace) -> Int? {
        lastIndex { $0.origin == origin }
    }

    /// Returns the level of an item beneath its nearest ancestor that is open and expanded.
    fileprivate func level(beneath origin: OutlineCarrier.FormerPlace, in tree: OutlineTree) -> Int?
    {
        var ancestor = tree.parent(of: origin.index)
        while let index = ancestor {
            let place = lastIndex(of: .init(tree: origin.tree, index: index))
            if let place, self[place].isExpanded { return place + 1 }
            ancestor = tree.parent(of: index)
        }
        return nil
    }
}
