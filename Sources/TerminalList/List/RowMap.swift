// Which row shows what: the snapshot's items, and between them headers and what has just left.
import DiffCore

/// Which row shows what.
///
/// Only the rows that are no items of the snapshot are kept, with the number of items before each;
/// so a map costs what headers and departed rows cost, however long the list is.
struct RowMap<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    typealias Row = ListRow<Section, Item>

    /// A header or a departed item.
    struct Extra {
        let row: Row
        /// How many of the snapshot's items stand above it.
        let itemsBefore: Int
    }

    let snapshot: DiffableDataSourceSnapshot<Section, Item>
    /// The sections in the order in which they are shown, lost ones among them.
    let sections: [Section]
    /// From top to bottom.
    let extras: [Extra]
    private let items: [Item]
    /// Where each section of the snapshot begins among the items, and where the last one ends.
    private let bounds: [Int]
    /// The places of the departed items among `extras`.
    private let departed: [Item: Int]

    /// A map of these rows; `extras` must stand in the order of `sections`.
    init(
        _ snapshot: DiffableDataSourceSnapshot<Section, Item>, sections: [Section],
        extras: [Extra]
    ) {
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

    /// No rows at all.
    init() { self.init(DiffableDataSourceSnapshot(), sections: [], extras: []) }

    /// How many rows there are.
    var count: Int { items.count + extras.count }

    var isEmpty: Bool { count == 0 }

    var indices: Range<Int> { 0..<count }

    /// The row at a place, from zero; O(log(extras)).
    subscript(place: Int) -> Row {
        let above = extrasUpTo(place: place)
        if above > 0, self.place(ofExtra: above - 1) == place { return extras[above - 1].row }
        let number = place - above
        let section = sectionNumber(ofItem: number)
        return .item(
            items[number], section: snapshot.sectionIdentifiers[section],
            path: IndexPath(item: number - bounds[section], section: section))
    }

    /// The row of an item, present or departed; O(log(extras)).
    func place(of item: Item) -> Int? {
        if let number = snapshot.indexOfItem(item) { return place(ofItem: number) }
        return departed[item].map(place(ofExtra:))
    }

    /// Whether an item is shown as departed.
    func showsDeparted(_ item: Item) -> Bool { departed[item] != nil }

    /// How many of the snapshot's items stand above a row.
    func itemsAbove(_ place: Int) -> Int {
        let above = extrasUpTo(place: place)
        let isExtra = above > 0 && self.place(ofExtra: above - 1) == place
        return place - above + (isExtra ? 1 : 0)
    }

    /// The row of the first item of the snapshot, and of the last one.
    var firstItem: Int? { items.isEmpty ? nil : place(ofItem: 0) }
    var lastItem: Int? { items.isEmpty ? nil : place(ofItem: items.count - 1) }

    /// The rows of the extras, from top to bottom.
    func place(ofExtra number: Int) -> Int { extras[number].itemsBefore + number }

    private func place(ofItem number: Int) -> Int {
        number + firstIndex(of: extras.count) { extras[$0].itemsBefore > number }
    }

    /// How many extras stand at a row or above it.
    private func extrasUpTo(place: Int) -> Int {
        firstIndex(of: extras.count) { self.place(ofExtra: $0) > place }
    }

    private func sectionNumber(ofItem number: Int) -> Int {
        firstIndex(of: bounds.count) { bounds[$0] > number } - 1
    }

    /// The first of `count` numbers that `isAfter` is true for, as it is for all after that one.
    private func firstIndex(of count: Int, where isAfter: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isAfter(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
