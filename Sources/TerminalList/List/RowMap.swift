// Maps row indices to the snapshot's items, section headers and departed items.
import DiffCore

/// A row of a list.
enum ListRow<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    case header(Section, title: String)
    case item(Item, section: Section, path: IndexPath)
    /// An item that was deleted and is still shown.
    case departed(Item, section: Section)

    var item: Item? {
        switch self {
        case .header: nil
        case .item(let item, _, _), .departed(let item, _): item
        }
    }

    var section: Section {
        switch self {
        case .header(let section, _), .item(_, let section, _), .departed(_, let section): section
        }
    }

    var isPresent: Bool { if case .item = self { true } else { false } }
}

/// The rows of a list.
///
/// Only the rows that are not items of the snapshot are stored, with the number of items before
/// each; the cost of a map depends on the number of headers and departed rows, not on the length of
/// the list.
struct RowMap<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    typealias Row = ListRow<Section, Item>
    typealias Snapshot = DiffableDataSourceSnapshot<Section, Item>

    /// A header or a departed item.
    private struct Extra {
        let row: Row
        /// The number of the snapshot's items above the row.
        let itemsBefore: Int
    }

    private let snapshot: Snapshot
    /// The sections in the order of their rows, including deleted ones with departed rows.
    private let sections: [Section]
    /// The rows that are not items, from top to bottom.
    private let extras: [Extra]
    private let items: [Item]
    /// The item counts up to each section of the snapshot, and up to its end.
    private let bounds: [Int]
    /// The indices of the departed items in `extras`.
    private let departed: [Item: Int]

    private init(_ snapshot: Snapshot, sections: [Section], extras: [Extra]) {
        self.snapshot = snapshot
        self.sections = sections
        self.extras = extras
        items = snapshot.itemIdentifiers
        var bounds = [0]
        var departed: [Item: Int] = [:]
        for section in snapshot.sectionIdentifiers {
            bounds.append(bounds[bounds.count - 1] + snapshot.numberOfItems(inSection: section))
        }
        for (number, extra) in extras.enumerated() {
            if case .departed(let item, _) = extra.row { departed[item] = number }
        }
        self.bounds = bounds
        self.departed = departed
    }

    /// Creates a map without rows.
    init() { self.init(Snapshot(), sections: [], extras: []) }

    /// The number of rows.
    var count: Int { items.count + extras.count }

    var isEmpty: Bool { count == 0 }

    var indices: Range<Int> { 0..<count }

    /// Returns the row at an index; O(log(extras)).
    subscript(index: Int) -> Row {
        let above = extras(upTo: index)
        if above > 0, self.index(ofExtra: above - 1) == index { return extras[above - 1].row }
        let number = index - above
        let section = Self.partition(bounds.count) { bounds[$0] > number } - 1
        return .item(
            items[number], section: snapshot.sectionIdentifiers[section],
            path: IndexPath(item: number - bounds[section], section: section))
    }

    /// Returns the row index of a present or departed item; O(log(extras)).
    func index(of item: Item) -> Int? {
        if let number = snapshot.indexOfItem(item) { return index(ofItem: number) }
        return departed[item].map(index(ofExtra:))
    }

    /// Returns the number of the snapshot's items above a row.
    func itemsAbove(_ index: Int) -> Int {
        let above = extras(upTo: index)
        let isExtra = above > 0 && self.index(ofExtra: above - 1) == index
        return index - above + (isExtra ? 1 : 0)
    }

    /// The number of the snapshot's items.
    var itemCount: Int { items.count }

    /// The rows of the first and the last item of the snapshot.
    var firstItem: Int? { items.isEmpty ? nil : index(ofItem: 0) }
    var lastItem: Int? { items.isEmpty ? nil : index(ofItem: items.count - 1) }

    private func index(ofExtra number: Int) -> Int { extras[number].itemsBefore + number }

    private func index(ofItem number: Int) -> Int {
        number + Self.partition(extras.count) { extras[$0].itemsBefore > number }
    }

    /// Returns the number of extras at a row or above it.
    private func extras(upTo index: Int) -> Int {
        Self.partition(extras.count) { self.index(ofExtra: $0) > index }
    }

    /// Returns the first number below `count` that satisfies a predicate that holds for all after it
    /// (binary search).
    private static func partition(_ count: Int, where isAfter: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension RowMap {
    /// A departed item and the item above it in its section, if any.
    private typealias Leftover = (anchor: Item?, item: Item)

    /// Returns the rows of a new snapshot, with departed items among them.
    ///
    /// A departed item stays below the item that it was below, or at the top of its section. A
    /// deleted section keeps its header while it has departed rows.
    ///
    /// - Parameters:
    ///   - snapshot: The new snapshot.
    ///   - changes: The changes since this map.
    ///   - titles: The titles of the snapshot's sections; `nil` for a section without header.
    /// - Returns: The rows.
    /// - Complexity: O(sections + departed rows + deleted items).
    func updated(
        to snapshot: Snapshot, _ changes: RowChanges<Item>, titles: [String?]
    ) -> RowMap {
        let leftovers = leftovers(changes)
        let sections = sections(of: snapshot, leftovers: leftovers)
        var extras: [Extra] = []
        var start = 0
        for section in sections {
            let index = snapshot.indexOfSection(section)
            if let title = index.map({ titles[$0] }) ?? title(of: section) {
                extras.append(Extra(row: .header(section, title: title), itemsBefore: start))
            }
            // Items that did not move kept their order, so the numbers ascend.
            for leftover in leftovers[section] ?? [] {
                let anchor = leftover.anchor.flatMap { snapshot.indexOfItem($0) }
                extras.append(
                    Extra(
                        row: .departed(leftover.item, section: section),
                        itemsBefore: anchor.map { $0 + 1 } ?? start))
            }
            if index != nil { start += snapshot.numberOfItems(inSection: section) }
        }
        return RowMap(snapshot, sections: sections, extras: extras)
    }

    private func title(of section: Section) -> String? {
        for extra in extras {
            if case .header(section, let title) = extra.row { return title }
        }
        return nil
    }

    /// Returns the departed items of each section, in the order of their rows.
    private func leftovers(_ changes: RowChanges<Item>) -> [Section: [Leftover]] {
        var rows: [(index: Int, item: Item)] = []
        for (item, number) in departed where changes.isDeparted(item) {
            rows.append((index(ofExtra: number), item))
        }
        for item in changes.deleted where changes.isDeparted(item) && departed[item] == nil {
            if let index = index(of: item) { rows.append((index, item)) }
        }
        rows.sort { $0.index < $1.index }
        var leftovers: [Section: [Leftover]] = [:]
        var last: (index: Int, anchor: Item?) = (-1, nil)
        for (index, item) in rows {
            let section = self[index].section
            last = (index, anchor(above: index, in: section, changes, knowing: last))
            leftovers[section, default: []].append((last.anchor, item))
        }
        return leftovers
    }

    /// Returns the nearest item above a row, in its section, that is still at its position.
    private func anchor(
        above index: Int, in section: Section, _ changes: RowChanges<Item>,
        knowing last: (index: Int, anchor: Item?)
    ) -> Item? {
        for above in (0..<index).reversed() {
            let row = self[above]
            guard row.section == section, let item = row.item else { return nil }
            if above == last.index { return last.anchor }
            if row.isPresent, !changes.deleted.contains(item), !changes.moved.contains(item) {
                return item
            }
        }
        return nil
    }

    /// Returns the snapshot's sections and, each after its predecessor, the deleted sections with
    /// departed rows.
    private func sections(
        of snapshot: Snapshot, leftovers: [Section: [Leftover]]
    ) -> [Section] {
        let present = snapshot.sectionIdentifiers
        if leftovers.keys.allSatisfy({ snapshot.indexOfSection($0) != nil }) { return present }
        var lost: [Section?: [Section]] = [:]
        var anchor: Section?
        for section in sections {
            if snapshot.indexOfSection(section) != nil {
                anchor = section
            } else if leftovers[section] != nil {
                lost[anchor, default: []].append(section)
            }
        }
        return (lost[nil] ?? []) + present.flatMap { [$0] + (lost[$0] ?? []) }
    }
}
