// An array of distinct identifiers that finds the index of each in constant time.

/// An array of distinct identifiers with a hash table of their indices.
@usableFromInline
struct UniqueArray<Element: Hashable & Sendable>: Sendable {
    /// The identifiers, in order.
    @usableFromInline var elements: [Element] = []
    /// The indices of the identifiers; without a table, identifiers are searched one by one.
    @usableFromInline var table: SlotTable?

    /// The maximum number of identifiers for which searching is faster than hashing.
    @inlinable static var linearSearchLimit: Int { 8 }

    /// An empty array.
    @inlinable
    init() {}

    /// An array of the given identifiers, or `nil` if one of them is repeated.
    @inlinable
    init?(checking elements: [Element]) {
        self.elements = elements
        guard makeTable() == nil else { return nil }
    }

    /// Returns the first identifier that repeats an earlier one.
    @inlinable
    static func firstRepeated(in elements: [Element]) -> Element? {
        var array = UniqueArray()
        array.elements = elements
        return array.makeTable().map { elements[$0] }
    }

    /// The number of identifiers.
    @inlinable var count: Int { elements.count }

    /// Whether an identifier is in the array; O(1).
    @inlinable
    func contains(_ element: Element) -> Bool { index(of: element) != nil }

    /// Returns the index of an identifier, or `nil`; O(1).
    @inlinable
    func index(of element: Element) -> Int? {
        guard let table else { return elements.firstIndex(of: element) }
        let index = withBorrowedIdentifier(element) { identifier in
            withBorrowedIdentifiers(elements) { list in
                table.index(of: identifier, in: list, type: Element.self)
            }
        }
        return index < 0 ? nil : index
    }

    /// Inserts absent identifiers; O(1) for each at the end, otherwise O(*n*).
    @inlinable
    mutating func insert(_ added: [Element], at index: Int) {
        let oldCount = elements.count
        if oldCount == 0 { elements = added } else { insertElements(added, at: index) }
        if index == oldCount, let table, table.canGrow(to: elements.count, by: added.count) {
            if !isKnownUniquelyReferenced(&self.table) { self.table = table.copy }
            let repeated = addToTable(index..<elements.count)
            assert(repeated == nil)
        } else {
            let ends = [
                MatchedRange(old: 0, new: 0, length: index),
                MatchedRange(old: index, new: index + added.count, length: oldCount - index),
            ]
            replaceTable(
                kept: ends.filter { $0.length > 0 },
                added: (index..<index + added.count).map { Int32(truncatingIfNeeded: $0) })
        }
    }

    /// Grows the capacity by a sixth when it is used up, as doubling would waste memory.
    @inlinable
    mutating func insertElements(_ added: [Element], at index: Int) {
        if elements.count + added.count > elements.capacity {
            elements.reserveCapacity(elements.count + max(added.count, elements.count / 6))
        }
        elements.insert(contentsOf: added, at: index)
    }

    /// Removes the identifiers at indices; O(*n*).
    @inlinable
    mutating func remove(at indices: [Int]) {
        guard !indices.isEmpty else { return }
        let removed = RangeSet(indices, within: elements)
        var count = 0
        let kept = RangeSet(elements.indices).subtracting(removed).ranges.map { range in
            defer { count += range.count }
            return MatchedRange(old: range.lowerBound, new: count, length: range.count)
        }
        elements.removeSubranges(removed)
        replaceTable(kept: kept, added: [])
    }

    @inlinable
    mutating func replaceTable(kept: [MatchedRange], added: [Int32]) {
        table = table?.successor(kept: kept, added: added, count: elements.count)
        prepare()
    }

    /// Makes the table if it is missing and look-ups need one.
    @inlinable
    mutating func prepare() {
        guard table == nil, elements.count > UniqueArray.linearSearchLimit else { return }
        let repeated = makeTable()
        assert(repeated == nil)
    }

    /// Makes the table, and returns the index of the first identifier that repeats an earlier one.
    @inlinable
    mutating func makeTable() -> Int? {
        guard elements.count > UniqueArray.linearSearchLimit else {
            table = nil
            return elements.indices.first { elements[..<$0].contains(elements[$0]) }
        }
        table = SlotTable(capacity: elements.count, type: Element.self)
        return addToTable(elements.indices)
    }

    /// Adds a range to the table, and returns the index of the first repeated identifier.
    @inlinable
    mutating func addToTable(_ range: Range<Int>) -> Int? {
        withBorrowedIdentifiers(elements) {
            table?.insert(range, of: $0, type: Element.self) ?? nil
        }
    }
}

extension UniqueArray: Equatable {
    @inlinable
    static func == (left: UniqueArray, right: UniqueArray) -> Bool {
        left.elements == right.elements
    }
}
