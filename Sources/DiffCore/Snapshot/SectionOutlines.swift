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
    @usableFromInline typealias Outline = DiffableDataSourceSectionSnapshot<Item>

    @usableFromInline private(set) var outlines: [Section: Outline] = [:]

    /// No outlines.
    @usableFromInline
    init() {}

    /// Whether no section shows an outline, as in most lists.
    @inlinable var isEmpty: Bool { outlines.isEmpty }

    /// Returns the outline of a section; without one, the items that a snapshot has in it as root
    /// items.
    func outline(of section: Section, in snapshot: Snapshot) -> Outline {
        if let outline = outlines[section] { return outline }
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
    func showing(
        _ outline: Outline, in section: Section, from old: Snapshot, to new: Snapshot
    ) -> SectionOutlines {
        var others = self
        others.outlines[section] = nil
        for (other, present) in others.outlines {
            others.outlines[other]?.delete(present.hiddenItems.filter(outline.contains))
        }
        var result = others.carried(from: old, to: new)
        result.outlines[section] = outline
        return result
    }

    /// Returns the outlines after a change of the list.
    ///
    /// - Parameters:
    ///   - old: The list that has these outlines.
    ///   - new: The changed list.
    ///   - moved: The items that have moved, if that is known.
    /// - Returns: The outlines of the changed list.
    /// - Complexity: O(*n* (*d* + log *n*)) for *n* items, in these outlines and in the sections that
    ///   changed, on at most *d* levels.
    @usableFromInline
    func carried(from old: Snapshot, to new: Snapshot, moved: Set<Item>? = nil) -> SectionOutlines {
        var result = SectionOutlines()
        var change = Change(outlines: self, old: old, new: new, moved: moved)
        var changed: Set<Section> = []
        for (section, outline) in outlines {
            let items = new.indexOfSection(section).map { _ in
                new.itemIdentifiers(inSection: section)
            }
            var isSame = items == outline.visibleItems
            for item in outline.hiddenItems where new.indexOfItem(item) != nil {
                change.revealed[item] = section
                isSame = false
            }
            if isSame {
                result.outlines[section] = outline
            } else {
                changed.formUnion(outline.items.compactMap(new.sectionIdentifier(containingItem:)))
                if items != nil { changed.insert(section) }
            }
        }
        for section in changed {
            let outline = change.outline(of: section)
            if outlines[section] != nil || !outline.isFlat { result.outlines[section] = outline }
        }
        return result
    }

    /// A change of the list, with the former and the new sections of its items.
    private struct Change {
        let outlines: SectionOutlines
        let old: Snapshot
        let new: Snapshot
        let moved: Set<Item>?
        /// The sections of the items that were hidden and that the new list contains.
        var revealed: [Item: Section] = [:]

        /// Returns the outline that an item was in.
        private func origin(of item: Item) -> Outline? {
            (old.sectionIdentifier(containingItem: item) ?? revealed[item])
                .flatMap { outlines.outlines[$0] }
        }

        private func isNew(_ item: Item) -> Bool {
            old.sectionIdentifier(containingItem: item) == nil && revealed[item] == nil
        }

        /// Returns the outline that a section has after the change.
        func outline(of section: Section) -> Outline {
            let items = new.itemIdentifiers(inSection: section)
            let parents = parents(of: items, in: section)
            var entries: [Outline.Entry] = []
            // The last item and its ancestors, from the root down.
            var open: [Outline.Entry] = []
            for (item, parent) in zip(items, parents) {
                let lowest = parent.flatMap { open.lastIndex(ofItem: $0) }.map { $0 + 1 } ?? 0
                var entry = Outline.Entry(item: item, level: lowest, isExpanded: false)
                var hidden: [Outline.Entry] = []
                if let origin = origin(of: item) {
                    hidden = origin.hiddenEntries(of: item) { new.indexOfItem($0) != nil }
                    entry.isExpanded = origin.isExpanded(item) && hidden.isEmpty
                    var ancestor = origin.parent(of: item)
                    while let next = ancestor {
                        if let index = open.lastIndex(ofItem: next), open[index].isExpanded {
                            entry.level = max(lowest, index + 1)
                            break
                        }
                        ancestor = origin.parent(of: next)
                    }
                } else if let last = open.last, isNew(item) {
                    entry.level = max(lowest, last.level)
                }
                open.removeLast(open.count - entry.level)
                open.append(entry)
                entries.append(entry)
                for var descendant in hidden {
                    descendant.level += entry.level
                    entries.append(descendant)
                }
            }
            return Outline(entries)
        }

        /// Returns a parent for each item, `nil` for root items: the nearest ancestor, among the items
        /// that stay, of the next item that stays. With it, items that stay keep their parents.
        private func parents(of items: [Item], in section: Section) -> [Item?] {
            let staying = staying(items, in: section)
            let outline = outlines.outlines[section]
            var parents = [Item?](repeating: nil, count: items.count)
            var parent: Item?
            for (index, item) in items.enumerated().reversed() {
                if staying.contains(item) {
                    parent = outline?.parent(of: item)
                    while let next = parent, !staying.contains(next) {
                        parent = outline?.parent(of: next)
                    }
                }
                parents[index] = parent
            }
            return parents
        }

        /// Returns the items of a section that were in it before and have not moved.
        private func staying(_ items: [Item], in section: Section) -> Set<Item> {
            let before = items.filter { old.sectionIdentifier(containingItem: $0) == section }
            if let moved { return Set(before).subtracting(moved) }
            let outline = outlines.outlines[section]
            var ranges = before.enumerated().map { index, item in
                // Expanded parents get a greater length, so that the minimal moves prefer to keep
                // them.
                MatchedRange(
                    old: old.indexOfItem(item) ?? 0, new: index,
                    length: outline?.isExpanded(item) == true ? 3 : 2)
            }
            markMinimalMoves(in: &ranges, from: 0)
            return Set(zip(before, ranges).filter { !$0.1.isMoved }.map(\.0))
        }
    }
}

extension Array {
    /// Returns the last index of an item among entries of an outline.
    fileprivate func lastIndex<Item>(ofItem item: Item) -> Int?
    where Element == DiffableDataSourceSectionSnapshot<Item>.Entry {
        lastIndex { $0.item == item }
    }
}
