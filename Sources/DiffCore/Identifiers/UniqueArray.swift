// An array of distinct identifiers that finds the index of each in constant time.

/// An array of distinct identifiers with a hash table of their indices.
@usableFromInline
struct UniqueArray<Element: Hashable & Sendable>: Sendable {
    /// The identifiers, in order.
    @usableFromInline var elements: [Element] = []
    /// The indices of the identifiers; `nil` for up to `linearSearchLimit` identifiers.
    @usableFromInline var table: SlotTable?
    @usableFromInline let kind = KeyKind(of: Element.self)

    /// The maximum number of identifiers for which searching is faster than hashing.
    @inlinable static var linearSearchLimit: Int { 8 }

    /// An empty array.
    @inlinable
    init() {}

    /// An array with its table.
    @inlinable
    init(_ elements: [Element], table: SlotTable?) {
        self.elements = elements
        self.table = table
        assert(table != nil || elements.count <= UniqueArray.linearSearchLimit)
    }

    /// An array of the given identifiers, or `nil` if one of them is repeated.
    @inlinable
    init?(checking elements: [Element]) {
        self.elements = elements
        guard rebuildTable() == nil else { return nil }
    }

    /// Returns the first identifier that repeats an earlier one.
    @inlinable
    static func firstRepeated(in elements: [Element]) -> Element? {
        var array = UniqueArray()
        array.elements = elements
        return array.rebuildTable().map { elements[$0] }
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
                table.index(of: identifier, in: list, kind: kind, type: Element.self)
            }
        }
        return index < 0 ? nil : index
    }

    /// Inserts absent identifiers; O(1) for each at the end, otherwise O(*n*).
    @inlinable
    mutating func insert(_ added: [Element], at index: Int) {
        let oldCount = elements.count
        guard oldCount > 0 else {
            elements = added
            _ = rebuildTable()
            return
        }
        reserveCapacity(forAppending: added.count)
        elements.insert(contentsOf: added, at: index)
        if index == oldCount, table?.canGrow(to: elements.count, by: added.count) == true {
            let repeated = addToTable(index..<elements.count)
            assert(repeated == nil)
        } else {
            let ends = [
                MatchedRange(old: 0, new: 0, length: index),
                MatchedRange(old: index, new: index + added.count, length: oldCount - index),
            ]
            updateTable(
                kept: ends.filter { $0.length > 0 }, added: index..<index + added.count,
                oldCount: oldCount)
        }
    }

    /// Grows the capacity by a sixth when it is used up, as doubling would waste memory.
    @inlinable
    mutating func reserveCapacity(forAppending count: Int) {
        guard elements.count + count > elements.capacity else { return }
        elements.reserveCapacity(elements.count + max(count, elements.count / 6))
    }

    /// Removes the identifiers at ascending indices; O(*n*).
    @inlinable
    mutating func remove(at removedIndices: [Int]) {
        guard let first = removedIndices.first, let last = removedIndices.last else { return }
        let oldCount = elements.count
        if last - first == removedIndices.count - 1 {
            elements.removeSubrange(first...last)
        } else {
            var remaining = removedIndices.makeIterator()
            var nextRemoved = remaining.next()
            var end = first
            for index in first..<elements.count {
                if index == nextRemoved {
                    nextRemoved = remaining.next()
                } else {
                    elements[end] = elements[index]
                    end += 1
                }
            }
            elements.removeSubrange(end...)
        }
        var kept: [MatchedRange] = []
        var start = 0
        for (number, end) in (removedIndices + [oldCount]).enumerated() {
            if end > start {
                kept.append(MatchedRange(old: start, new: start - number, length: end - start))
            }
            start = end + 1
        }
        updateTable(kept: kept, added: 0..<0, oldCount: oldCount)
    }

    @inlinable
    mutating func updateTable(kept: [MatchedRange], added: Range<Int>, oldCount: Int) {
        guard let oldTable = table, elements.count > UniqueArray.linearSearchLimit else {
            _ = rebuildTable()
            return
        }
        let kind = kind
        table = withBorrowedIdentifiers(elements) {
            oldTable.updated(
                kept: kept, added: added.map { Int32(truncatingIfNeeded: $0) }, in: $0,
                oldCount: oldCount, kind: kind, type: Element.self)
        }
        assert(table != nil)
    }

    /// Makes the table, and returns the index of the first identifier that repeats an earlier one.
    @inlinable
    mutating func rebuildTable() -> Int? {
        guard elements.count > UniqueArray.linearSearchLimit else {
            table = nil
            return elements.indices.first { elements[..<$0].contains(elements[$0]) }
        }
        table = SlotTable(capacity: elements.count)
        return addToTable(elements.indices)
    }

    /// Adds a range to the table, and returns the index of the first repeated identifier.
    @inlinable
    mutating func addToTable(_ range: Range<Int>) -> Int? {
        let kind = kind
        return withBorrowedIdentifiers(elements) {
            table?.insert(range, of: $0, kind: kind, type: Element.self) ?? nil
        }
    }
}

extension UniqueArray: Equatable {
    @usableFromInline
    static func == (left: UniqueArray, right: UniqueArray) -> Bool {
        left.elements == right.elements
    }
}
