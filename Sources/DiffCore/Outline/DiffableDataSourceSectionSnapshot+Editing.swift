// Adding, removing and folding the items of an outline.

extension DiffableDataSourceSectionSnapshot {
    /// Appends items beneath another, or as root items.
    ///
    /// - Precondition: `parent` is in the outline; none of `items` is, nor comes twice.
    /// - Complexity: O(*k*) for *k* items at the outline's end, otherwise O(*n* + *k*).
    public mutating func append(_ items: [ItemIdentifierType], to parent: ItemIdentifierType? = nil)
    {
        let operation = "append(_:to:)"
        let place = parent.map { self.place(of: $0, for: operation) } ?? -1
        refuseDoubles(items, for: operation)
        insert(items: items, at: place < 0 ? rows.count : end(ofItemAt: place), beneath: place)
    }

    /// Inserts items in front of another, beneath the same item as that.
    ///
    /// - Precondition: `item` is in the outline; none of `items` is, nor comes twice.
    /// - Complexity: O(*n* + *k*) for *k* items inserted among *n*.
    public mutating func insert(_ items: [ItemIdentifierType], before item: ItemIdentifierType) {
        let operation = "insert(_:before:)"
        let place = place(of: item, for: operation)
        refuseDoubles(items, for: operation)
        insert(items: items, at: place, beneath: rows[place].parent)
    }

    /// Inserts items behind another and all that is beneath it, beneath the same item as that.
    ///
    /// - Precondition: `item` is in the outline; none of `items` is, nor comes twice.
    /// - Complexity: O(*n* + *k*) for *k* items inserted among *n*.
    public mutating func insert(_ items: [ItemIdentifierType], after item: ItemIdentifierType) {
        let operation = "insert(_:after:)"
        let place = place(of: item, for: operation)
        refuseDoubles(items, for: operation)
        insert(items: items, at: end(ofItemAt: place), beneath: rows[place].parent)
    }

    /// Inserts an outline in front of an item, beneath the same item as that.
    ///
    /// - Precondition: `item` is in the outline, and nothing of `snapshot` is.
    /// - Complexity: O(*n* + *k*) for *k* items inserted among *n*.
    public mutating func insert(
        _ snapshot: DiffableDataSourceSectionSnapshot, before item: ItemIdentifierType
    ) {
        let operation = "insert(_:before:)"
        let place = place(of: item, for: operation)
        refuseDoubles(snapshot.items, for: operation)
        insert(
            items: snapshot.items, rows: snapshot.rows, at: place, beneath: rows[place].parent)
    }

    /// Inserts an outline behind an item and all that is beneath it, beneath the same item as that.
    ///
    /// - Precondition: `item` is in the outline, and nothing of `snapshot` is.
    /// - Complexity: O(*n* + *k*) for *k* items inserted among *n*.
    public mutating func insert(
        _ snapshot: DiffableDataSourceSectionSnapshot, after item: ItemIdentifierType
    ) {
        let operation = "insert(_:after:)"
        let place = place(of: item, for: operation)
        refuseDoubles(snapshot.items, for: operation)
        insert(
            items: snapshot.items, rows: snapshot.rows, at: end(ofItemAt: place),
            beneath: rows[place].parent)
    }

    /// Puts an outline in the place of all that is beneath an item.
    ///
    /// - Precondition: `parent` is in the outline, and nothing of `snapshot` is elsewhere in it.
    /// - Complexity: O(*n* + *k*) for *k* new items among *n*.
    public mutating func replace(
        childrenOf parent: ItemIdentifierType, using snapshot: DiffableDataSourceSectionSnapshot
    ) {
        let operation = "replace(childrenOf:using:)"
        let place = place(of: parent, for: operation)
        remove(places: Array(place + 1..<end(ofItemAt: place)))
        refuseDoubles(snapshot.items, for: operation)
        insert(items: snapshot.items, rows: snapshot.rows, at: place + 1, beneath: place)
    }

    /// Deletes items with all that is beneath them; those that are absent are passed over.
    ///
    /// - Complexity: O(*n* + *k* log *k*) for *k* items deleted of *n*.
    public mutating func delete(_ items: [ItemIdentifierType]) {
        var doomed: Set<Int> = []
        for place in items.compactMap({ list.index(of: $0) }).sorted()
        where !doomed.contains(place) {
            doomed.formUnion(place..<end(ofItemAt: place))
        }
        remove(places: doomed.sorted())
    }

    /// Deletes all items.
    public mutating func deleteAll() { self = DiffableDataSourceSectionSnapshot() }

    /// Shows what is beneath items; those that are absent are passed over.
    ///
    /// - Complexity: O(*n* + *k*) for *k* of *n* items.
    public mutating func expand(_ items: [ItemIdentifierType]) { fold(items, isExpanded: true) }

    /// Hides what is beneath items; those that are absent are passed over.
    ///
    /// - Complexity: O(*n* + *k*) for *k* of *n* items.
    public mutating func collapse(_ items: [ItemIdentifierType]) { fold(items, isExpanded: false) }
}

extension DiffableDataSourceSectionSnapshot {
    private func refuseDoubles(_ items: [ItemIdentifierType], for operation: String) {
        if let repeated = UniqueList.firstRepeated(in: items) {
            misuse(operation, "the call names item \(repeated) twice")
        }
        for item in items where list.contains(item) {
            misuse(operation, "there is an item \(item) already")
        }
    }

    /// Inserts items, or an outline of them, at a place beneath an item at another, or -1.
    mutating func insert(
        items: [ItemIdentifierType], rows added: [OutlineRow]? = nil, at gap: Int,
        beneath parent: Int
    ) {
        let level = parent < 0 ? 0 : rows[parent].level + 1
        var added = added ?? items.map { _ in OutlineRow(level: 0, parent: -1, isVisible: true) }
        let lowest = added.first?.level ?? 0
        for number in added.indices { added[number].level += level - lowest }
        list.insert(items, at: gap)
        rows.insert(contentsOf: added, at: gap)
        // What stands in front is as it was, and so is what it is beneath.
        refresh(from: gap)
    }

    private mutating func remove(places: [Int]) {
        guard let first = places.first else { return }
        list.remove(at: places)
        let doomed = Set(places)
        rows = rows.indices.filter { !doomed.contains($0) }.map { rows[$0] }
        refresh(from: first)
    }

    private mutating func fold(_ items: [ItemIdentifierType], isExpanded: Bool) {
        var first = rows.count
        for place in items.compactMap({ list.index(of: $0) })
        where rows[place].isExpanded != isExpanded {
            rows[place].isExpanded = isExpanded
            first = min(first, place)
        }
        refresh(from: first)
    }

    /// Finds what each item from a place on is beneath, and whether it is visible.
    private mutating func refresh(from start: Int) {
        // The items above the place in hand, from the root down.
        var above: [Int] = []
        var place = start - 1
        while place >= 0 {
            above.append(place)
            place = rows[place].parent
        }
        above.reverse()
        for place in start..<rows.count {
            above.removeLast(above.count - rows[place].level)
            let parent = above.last ?? -1
            rows[place].parent = parent
            rows[place].isVisible = parent < 0 || rows[parent].isVisible && rows[parent].isExpanded
            above.append(place)
        }
    }
}
