// The outlines of a list's sections, carried over from one snapshot to the next.

/// The outlines of the sections that show one.
///
/// The visible items of an outline are the items of its section. A snapshot contains neither levels
/// nor hidden items, so they are carried over when a snapshot is applied, and every item keeps its
/// hidden descendants:
///
/// - An item that stays keeps its parent. If the parent is deleted, moved, or no longer above it, its
///   next ancestor takes the parent's place.
/// - An inserted item becomes a sibling of the item before it, also after the last child of a parent;
///   directly below an expanded parent it becomes the first child.
/// - A moved item becomes a sibling of the next item that stays, or else a root item, unless it is still
///   below its parent.
/// - A hidden item that the snapshot contains leaves its place.
///
/// The smallest possible number of items counts as moved; expanded parents are the last to.
@usableFromInline
struct SectionOutlines<Section, Item>: Sendable
where Section: Hashable & Sendable, Item: Hashable & Sendable {
    @usableFromInline typealias Snapshot = DiffableDataSourceSnapshot<Section, Item>
    @usableFromInline typealias Difference = SnapshotDifference<Section, Item>
    @usableFromInline typealias Outline = DiffableDataSourceSectionSnapshot<Item>

    @usableFromInline fileprivate(set) var outlines: [Section: Outline] = [:]
    /// The sections in which the visible items of the outline have the values of the list.
    private var current: Set<Section> = []

    /// No outlines.
    @usableFromInline
    init() {}

    /// Whether no section shows an outline, as in most lists.
    @inlinable var isEmpty: Bool { outlines.isEmpty }

    /// Returns the outline that a section of a list shows, or `nil`.
    ///
    /// - Complexity: O(*k*) for *k* items if the list may have newer values, otherwise O(1).
    mutating func shown(in section: Section, of snapshot: Snapshot) -> Outline? {
        guard outlines[section] != nil else { return nil }
        if current.insert(section).inserted, !KeyKind(of: Item.self).isBitwise {
            let items = snapshot.itemIdentifiers(inSection: section)
            outlines[section]?.change { $0.replaceVisibleItems(by: items) }
        }
        return outlines[section]
    }

    /// Returns the outline of a section; without one, the items that a snapshot has in it as root
    /// items.
    mutating func outline(of section: Section, in snapshot: Snapshot) -> Outline {
        if let outline = shown(in: section, of: snapshot) { return outline }
        var outline = Outline()
        if snapshot.indexOfSection(section) != nil {
            outline.append(snapshot.itemIdentifiers(inSection: section))
        }
        return outline
    }

    /// Returns the section in whose outline an item is, or `nil`.
    func section(containing item: Item) -> Section? {
        outlines.first { $0.value.contains(item) }?.key
    }

    /// Returns the outlines after a change of the list that shows an outline in a section.
    ///
    /// - Parameters:
    ///   - outline: The outline.
    ///   - section: The section.
    ///   - added: The items of the outline that may have been hidden in other sections.
    ///   - difference: The change of the list.
    /// - Returns: The outlines of the changed list.
    func showing(
        _ outline: Outline, in section: Section, adding added: [Item], by difference: Difference
    ) -> SectionOutlines {
        var others = self
        others.outlines[section] = nil
        for (other, present) in others.outlines {
            let taken = added.filter { present.contains($0) && !present.isVisible($0) }
            if !taken.isEmpty { others.outlines[other]?.delete(taken) }
        }
        var result = others.carried(by: difference)
        result.outlines[section] = outline
        result.current.insert(section)
        return result
    }

    /// Returns the outlines after a change to a list that was filled from elsewhere, so that all of its
    /// items may have new values.
    @usableFromInline
    func carried(toValuesOf difference: Difference) -> SectionOutlines {
        var result = carried(by: difference)
        result.current = []
        return result
    }

    /// Returns the outlines after a change of the list.
    ///
    /// - Parameters:
    ///   - difference: The change of the list that has these outlines.
    ///   - moved: The items that have moved, if that is known.
    /// - Returns: The outlines of the changed list.
    /// - Complexity: O(*c* *o*) for *c* changes and *o* outlines, if no outline changes. In a changed
    ///   section, also O(*k* (*d* + log *k*)) for *k* items on at most *d* levels, from the first to the
    ///   last changed row, plus moving the rest in memory.
    @usableFromInline
    func carried(by difference: Difference, moved: Set<Item>? = nil) -> SectionOutlines {
        let storage = difference.storage
        guard !outlines.isEmpty, !storage.items.isEmpty || !storage.sections.isEmpty else {
            return self
        }
        var result = self
        for index in storage.sections.deletes {
            let section = storage.old.sectionIdentifiers[Int(index)]
            result.outlines[section] = nil
            result.current.remove(section)
        }
        let change = OutlineChange(self, storage)
        for (section, window) in change.windows {
            let outline = change.outline(of: section, window, moved: moved)
            if outlines[section] != nil || !outline.tree.isFlat {
                result.outlines[section] = Outline(outline)
            }
        }
        return result
    }
}

/// A change of a list in which sections show an outline.
private struct OutlineChange<Section, Item>
where Section: Hashable & Sendable, Item: Hashable & Sendable {
    typealias Difference = SnapshotDifference<Section, Item>
    typealias Outline = DiffableDataSourceSectionSnapshot<Item>

    private let outlines: [Section: Outline]
    private let old: Difference.PositionedItems
    private let new: Difference.PositionedItems
    private let difference: Difference.Storage
    /// The rows that the change affects, by section of the new list.
    private(set) var windows: [Section: RowWindow] = [:]
    /// The sections in which items were hidden that the new list contains.
    private var revealed: [Item: Section] = [:]

    init(_ before: SectionOutlines<Section, Item>, _ difference: Difference.Storage) {
        outlines = before.outlines
        self.difference = difference
        old = .init(difference.old)
        new = .init(difference.new)
        let items = difference.items
        include(items.deletes, of: old)
        include(items.inserts, of: new)
        include(items.moves.map { $0.from }, of: old)
        include(items.moves.map { $0.to }, of: new)
        for index in items.inserts { includeRevealed(at: Int(index)) }
        for move in items.moves {
            let section = old.sections[old.bounds.indexPath(at: Int(move.from)).section]
            if let outline = outlines[section] { includeArrival(at: Int(move.to), from: outline) }
        }
    }

    /// Extends the windows of the sections that show an outline to changed rows of a list.
    private mutating func include(_ indices: [Int32], of list: Difference.PositionedItems) {
        var (section, range, window) = (-1, 0..<0, RowWindow())
        for index in indices {
            if !range.contains(Int(index)) {
                include(window, in: section, of: list)
                section = list.bounds.indexPath(at: Int(index)).section
                range = list.bounds.range(of: section)
                window = RowWindow()
            }
            window.include(Int(index), in: range)
        }
        include(window, in: section, of: list)
    }

    private mutating func include(
        _ window: RowWindow, in section: Int, of list: Difference.PositionedItems
    ) {
        guard section >= 0, outlines[list.sections[section]] != nil else { return }
        include(window, in: list.sections[section])
    }

    private mutating func include(_ window: RowWindow, in section: Section) {
        guard difference.new.indexOfSection(section) != nil else { return }
        windows[section, default: RowWindow()].formUnion(window)
    }

    /// Includes the row that has hidden an inserted item.
    private mutating func includeRevealed(at index: Int) {
        let item = new.elements[index]
        for (section, outline) in outlines {
            guard let hidden = outline.index(of: item) else { continue }
            revealed[item] = section
            let ordered = outline.ordered
            let ancestor = ordered.list.elements[ordered.tree.visibleAncestor(of: hidden)]
            if let row = difference.old.indexOfItem(ancestor),
                let number = difference.old.indexOfSection(section)
            {
                var window = RowWindow()
                window.include(row, in: old.bounds.range(of: number))
                include(window, in: section)
            }
            includeArrival(at: index, from: outline)
        }
    }

    /// Includes a section without an outline if an item arrives there that has hidden descendants or is
    /// expanded.
    private mutating func includeArrival(at index: Int, from outline: Outline) {
        let section = new.sections[new.bounds.indexPath(at: index).section]
        guard outlines[section] == nil, let node = outline.index(of: new.elements[index]) else {
            return
        }
        let tree = outline.ordered.tree
        guard tree[node].isExpanded || tree.hasChildren(node) else { return }
        include(.whole, in: section)
    }

    /// Returns the outline that a section has after the change.
    func outline(
        of section: Section, _ window: RowWindow, moved: Set<Item>?
    ) -> OutlineItems<Item> {
        var outline = outlines[section]?.ordered ?? OutlineItems()
        let range = difference.new.indexOfSection(section).map(new.bounds.range) ?? 0..<0
        let oldRange = difference.old.indexOfSection(section).map(old.bounds.range) ?? 0..<0
        // The node of the row at an index in the section, counted from its start in the old list.
        func node(ofRow row: Int) -> Int {
            let index = oldRange.lowerBound + row
            return index < oldRange.upperBound
                ? outline.list.index(of: old.elements[index]) ?? outline.tree.count
                : outline.tree.count
        }
        let isOutline = outlines[section] != nil
        let prefix = isOutline ? window.prefix : 0
        var carrier = OutlineCarrier(trees: [outline.tree])
        var end = isOutline ? oldRange.count - window.suffix : 0
        end += carrier.setNodes(from: node(ofRow: prefix), to: node(ofRow: end))
        let suffix = isOutline ? oldRange.count - end : 0
        let items = new.elements[range.lowerBound + prefix..<range.upperBound - suffix]
        var numbers: [Section: Int] = [section: 0]
        var sources = [outline]
        /// Returns the former place of an item in another section or among hidden items.
        func origin(of item: Item) -> OutlineCarrier.FormerPlace? {
            let former = difference.old.sectionIdentifier(containingItem: item) ?? revealed[item]
            guard let former, let source = outlines[former]?.ordered,
                let index = source.list.index(of: item)
            else { return nil }
            if numbers[former] == nil {
                numbers[former] = sources.count
                sources.append(source)
                carrier.trees.append(source.tree)
            }
            return numbers[former].map { .init(tree: $0, index: index) }
        }
        var next = carrier.nodes.lowerBound
        var rows: [OutlineCarrier.Row] = []
        rows.reserveCapacity(items.count)
        for item in items {
            // Most rows follow each other as before.
            if next < outline.list.count, outline.list.elements[next] == item {
                rows.append(.init(origin: .init(tree: 0, index: next)))
            } else {
                let origin = origin(of: item)
                let isNew = origin == nil && difference.old.indexOfItem(item) == nil
                rows.append(.init(origin: origin, isNew: isNew))
            }
            if let origin = rows.last?.origin, origin.tree == 0 {
                next = outline.tree.nextVisible(after: origin.index)
            }
        }
        carrier.markStaying(
            &rows, isMoved: moved.map { moved in { moved.contains(items[items.startIndex + $0]) } })
        for (item, former) in revealed {
            guard let number = numbers[former], let index = sources[number].list.index(of: item)
            else {
                continue
            }
            carrier.revealed[number, default: []].insert(index)
        }
        let previous = prefix > 0 ? node(ofRow: prefix - 1) : nil
        let entries = carrier.entries(of: rows, after: previous)
        let kept = carrier.keptCounts(entries)
        outline.replace(
            carrier.nodes,
            by: entries.map { entry in
                if let row = entry.row { return items[items.startIndex + row] }
                let origin = entry.origin ?? .init(tree: 0, index: 0)
                return sources[origin.tree].list.elements[origin.index]
            }, entries.map(\.node), kept: kept)
        return outline
    }
}
