// Looks told changes through for what no two lists can differ by.

/// Why changes cannot be those between two lists.
struct Contradiction: Error {
    let reason: String
}

extension ToldChanges {
    /// Looks whether there can be two lists that differ by these changes.
    ///
    /// Each kind must stand in its order, no identifier may change twice, and in either list an
    /// identifier has one place, and a place one identifier.
    ///
    /// - Complexity: O(*c*) for *c* changes.
    func check() throws(Contradiction) {
        try checkOrder()
        try checkRepetition()
        var before = ToldList<Section, Item>()
        var after = ToldList<Section, Item>()
        for change in deletedSections { try before.take(change.section, at: change.index) }
        for change in insertedSections + reloadedSections {
            try after.take(change.section, at: change.index)
        }
        for move in movedSections {
            try before.take(move.section, at: move.from)
            try after.take(move.section, at: move.to)
        }
        for change in deletedItems { try before.take(change.item, at: change.position) }
        for change in insertedItems + reloadedItems + reconfiguredItems {
            try after.take(change.item, at: change.position)
        }
        for move in movedItems {
            try before.take(move.item, at: move.from)
            try after.take(move.item, at: move.to)
        }
        try before.expectNone(of: insertedSections, and: insertedItems)
        try after.expectNone(of: deletedSections, and: deletedItems)
    }

    private func checkOrder() throws(Contradiction) {
        let sections = [
            deletedSections.map(\.index), insertedSections.map(\.index), movedSections.map(\.to),
            reloadedSections.map(\.index),
        ]
        let items = [
            deletedItems.map(\.position), insertedItems.map(\.position), movedItems.map(\.to),
            reloadedItems.map(\.position), reconfiguredItems.map(\.position),
        ]
        guard sections.allSatisfy(ascends), items.allSatisfy({ ascends($0.map(\.indexPath)) })
        else { throw Contradiction(reason: "changes are not in the order of their places") }
    }

    private func checkRepetition() throws(Contradiction) {
        let sections =
            (deletedSections + insertedSections).map(\.section) + movedSections.map(\.section)
        if let section = UniqueList.firstRepeated(in: sections) {
            throw Contradiction(reason: "section \(section) changes twice")
        }
        let items = (deletedItems + insertedItems).map(\.item) + movedItems.map(\.item)
        if let item = UniqueList.firstRepeated(in: items) {
            throw Contradiction(reason: "item \(item) changes twice")
        }
    }
}

/// What changes say about one of the lists that they lie between.
private struct ToldList<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    typealias Difference = SnapshotDifference<Section, Item>

    private var numbers: [Section: Int] = [:]
    private var sections: [Int: Section] = [:]
    private var places: [Item: IndexPath] = [:]
    private var items: [IndexPath: Item] = [:]

    /// A list cannot be longer.
    private let possible = 0..<1 << 30

    /// Takes in where a section is.
    mutating func take(_ section: Section, at number: Int) throws(Contradiction) {
        guard possible.contains(number), numbers[section] ?? number == number,
            sections[number] ?? section == section
        else { throw Contradiction(reason: "section \(section) cannot be at \(number)") }
        numbers[section] = number
        sections[number] = section
    }

    /// Takes in where an item is, and with it where its section is.
    mutating func take(_ item: Item, at position: Difference.Position) throws(Contradiction) {
        let place = position.indexPath
        try take(position.section, at: place.section)
        guard possible.contains(place.item), places[item] ?? place == place,
            items[place] ?? item == item
        else { throw Contradiction(reason: "item \(item) cannot be at \(place)") }
        places[item] = place
        items[place] = item
    }

    /// Looks whether sections and items are absent, as they come later or went before.
    func expectNone(
        of sections: [Difference.SectionChange], and items: [Difference.ItemChange]
    ) throws(Contradiction) {
        for change in sections where numbers[change.section] != nil {
            throw Contradiction(reason: "section \(change.section) is and is not there")
        }
        for change in items where places[change.item] != nil {
            throw Contradiction(reason: "item \(change.item) is and is not there")
        }
    }
}

private func ascends<Place: Comparable>(_ places: [Place]) -> Bool {
    zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
}
