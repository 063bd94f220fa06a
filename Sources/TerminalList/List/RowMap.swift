// Maps row indices to the snapshot's items, section headers and departed items.
import DiffCore

/// A row of a list: a section header, an item, or an item that was deleted and is still shown.
struct ListRow<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    let section: Section
    /// The title of a section header.
    var title: String?
    /// The item, present or departed.
    var item: Item?
    /// The position of a present item.
    var path: IndexPath?

    var isPresent: Bool { path != nil }
}

/// The rows of a list. Only headers and departed rows are stored, not the items of the snapshot:
/// the cost of a map does not depend on the length of the list.
struct RowMap<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    typealias Row = ListRow<Section, Item>
    typealias Snapshot = DiffableDataSourceSnapshot<Section, Item>

    private var snapshot = Snapshot()
    /// The sections in the order of their rows, including deleted ones with departed rows.
    private var sections: [Section] = []
    /// The headers and departed items, with the number of the snapshot's items above each.
    private var extras: [(row: Row, itemsBefore: Int)] = []
    /// The indices of the departed items in `extras`.
    private var departed: [Item: Int] = [:]

    var count: Int { itemCount + extras.count }

    var indices: Range<Int> { 0..<count }

    /// Returns the row at an index; O(log(extras) + log(sections)).
    subscript(index: Int) -> Row {
        let above = extras(upTo: index)
        if above > 0, self.index(ofExtra: above - 1) == index { return extras[above - 1].row }
        let number = index - above
        let path = snapshot.indexPath(at: number)
        return Row(
            section: snapshot.sectionIdentifiers[path.section],
            item: snapshot.itemIdentifiers[number], path: path)
    }

    /// Returns the row index of a present or departed item; O(log(extras)).
    func index(of item: Item) -> Int? {
        if let number = snapshot.indexOfItem(item) { return index(ofItem: number) }
        return departed[item].map(index(ofExtra:))
    }

    /// Returns the number of the snapshot's items above a row.
    func itemsAbove(_ index: Int) -> Int { index - extras(upTo: index - 1) }

    var itemCount: Int { snapshot.numberOfItems }

    private func index(ofExtra number: Int) -> Int { extras[number].itemsBefore + number }

    private func index(ofItem number: Int) -> Int {
        number + Self.partition(extras.count) { extras[$0].itemsBefore > number }
    }

    /// Returns the number of extras at a row or above it.
    private func extras(upTo index: Int) -> Int {
        Self.partition(extras.count) { self.index(ofExtra: $0) > index }
    }

    /// Returns the first number that satisfies a predicate; the predicate must hold for all larger
    /// numbers too (binary search).
    private static func partition(_ count: Int, where isAfter: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The departed items of each section, in the order of their rows, each with the present item
    /// above it in the section, if any.
    private typealias Leftovers = [Section: [(anchor: Item?, item: Item)]]

    /// Returns the rows of a new snapshot after some changes, with the titles of its sections, if
    /// they have headers, and departed items among them; in O(sections + departed rows).
    ///
    /// A departed item stays below its former upper neighbour, or at the top of its section. A
    /// deleted section keeps its header while it has departed rows.
    func updated(
        to snapshot: Snapshot, _ changes: RowChanges<Item>, titles: [String?]
    ) -> RowMap {
        let leftovers = leftovers(in: snapshot, changes)
        var new = RowMap()
        new.snapshot = snapshot
        new.sections = sections(of: snapshot, leftovers)
        var start = 0
        for section in new.sections {
            let index = snapshot.indexOfSection(section)
            if let title = index.map({ titles[$0] }) ?? title(of: section) {
                new.extras.append((Row(section: section, title: title), start))
            }
            // Items that did not move kept their order, so the numbers ascend.
            for (anchor, item) in leftovers[section] ?? [] {
                let number = anchor.flatMap { snapshot.indexOfItem($0) }
                new.departed[item] = new.extras.count
                new.extras.append(
                    (Row(section: section, item: item), number.map { $0 + 1 } ?? start))
            }
            if index != nil { start += snapshot.numberOfItems(inSection: section) }
        }
        return new
    }

    private func title(of section: Section) -> String? {
        extras.first { $0.row.section == section && $0.row.title != nil }?.row.title
    }

    private func leftovers(in snapshot: Snapshot, _ changes: RowChanges<Item>) -> Leftovers {
        var leftovers: Leftovers = [:]
        var (last, section, anchor): (Int, Section?, Item?) = (-1, nil, nil)
        func isInPlace(_ row: Row) -> Bool {
            guard row.isPresent, let item = row.item else { return false }
            return snapshot.indexOfItem(item) != nil && !changes.moved.contains(item)
        }
        for index in changes.departedItems.compactMap(index(of:)).sorted() {
            let row = self[index]
            guard let item = row.item else { continue }
            if row.section != section { anchor = nil }
            let above = (last + 1..<index).reversed().lazy.map { self[$0] }
                .prefix { $0.section == row.section }
            anchor = above.first(where: isInPlace)?.item ?? anchor
            leftovers[row.section, default: []].append((anchor, item))
            (last, section) = (index, row.section)
        }
        return leftovers
    }

    /// Returns the snapshot's sections and the deleted sections with departed rows, each of these
    /// after its former predecessor.
    private func sections(of snapshot: Snapshot, _ leftovers: Leftovers) -> [Section] {
        var result = snapshot.sectionIdentifiers
        if leftovers.keys.allSatisfy({ snapshot.indexOfSection($0) != nil }) { return result }
        var end = 0
        for section in sections {
            if let index = result.firstIndex(of: section) {
                end = index + 1
            } else if leftovers[section] != nil {
                result.insert(section, at: end)
                end += 1
            }
        }
        return result
    }
}
