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
        // Few are compared faster than a table is made.
        if elements.count <= 2 * linearSearchLimit {
            return elements.indices.first { elements[..<$0].contains(elements[$0]) }
                .map { elements[$0] }
        }
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

    /// Returns the index of each of several identifiers, or -1 for absent ones.
    @inlinable
    func indices(of identifiers: [Element]) -> [Int] {
        guard let table else { return identifiers.map { elements.firstIndex(of: $0) ?? -1 } }
        return withBorrowedIdentifiers(identifiers) { identifiers in
            withBorrowedIdentifiers(elements) { list in
                table.indices(of: identifiers, in: list, type: Element.self)
            }
        }
    }

    /// Returns the ranges of the identifiers that are present, ascending and joined.
    @inlinable
    func ranges(of identifiers: [Element]) -> [Range<Int>] {
        [Range<Int>](joining: indices(of: identifiers).filter { $0 >= 0 })
    }

    /// Inserts absent identifiers; O(1) for each at the end, otherwise O(*n*).
    @inlinable
    mutating func insert(_ added: [Element], at index: Int) {
        let oldCount = elements.count
        elements.insert(sparingly: added, at: index)
        // A constant for the table would be a second reference, which forces a copy.
        if index == oldCount, table?.isCurrent == true {
            addToTable(from: index)
        } else {
            updateTable { $0.followInsertion(at: index..<index + added.count) }
        }
    }

    /// Removes the identifiers in ascending, disjoint ranges; O(*n*).
    @inlinable
    mutating func remove(in ranges: [Range<Int>]) {
        guard !ranges.isEmpty else { return }
        elements.remove(in: ranges)
        // Updating a table for many removals takes longer than making a new one.
        if ranges.count > SlotTable.maximumShiftCount || ranges.count > count / 16 { table = nil }
        updateTable { table in
            for range in ranges.reversed() { table.followRemoval(of: range) }
        }
    }

    /// Moves the identifiers in a range to an index among the others; O(*n*).
    @inlinable
    mutating func move(_ range: Range<Int>, to index: Int) {
        guard !range.isEmpty, index != range.lowerBound else { return }
        let moved = Array(elements[range])
        elements.removeSubrange(range)
        elements.insert(contentsOf: moved, at: index)
        updateTable { table in
            if index < range.lowerBound {
                table.followExchange(of: index..<range.lowerBound, with: range)
            } else {
                table.followExchange(of: range, with: range.upperBound..<index + range.count)
            }
        }
    }

    /// Replaces the identifiers by the same ones in another order, given the former index of each; O(*n*).
    @inlinable
    mutating func reorder(_ formerIndices: [Int32]) {
        elements = formerIndices.map { elements[Int($0)] }
        table = nil
        prepare()
    }

    /// Makes a new table if appending to the present one is slow; O(*n*).
    @inlinable
    mutating func renewTable() {
        guard table?.isCurrent == false else { return }
        table = nil
        prepare()
    }

    /// Updates the table after a change of the elements, or makes a new one after too many changes.
    @inlinable
    mutating func updateTable(_ change: (SlotTable) -> Void) {
        if !isKnownUniquelyReferenced(&table) { table = table?.copy }
        if let table {
            change(table)
            if table.hasManyStrays {
                withBorrowedIdentifiers(elements) {
                    table.insertStrays(of: $0, type: Element.self)
                }
            }
            if !table.isUsable(for: count) { self.table = nil }
        }
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
        let table = SlotTable(capacity: elements.count, type: Element.self)
        self.table = table
        return withBorrowedIdentifiers(elements) {
            table.insert(elements.indices, of: $0, type: Element.self)
        }
    }

    /// Adds the identifiers from an index on to the table, or makes a larger one.
    @inlinable
    mutating func addToTable(from index: Int) {
        guard table?.hasRoom(for: count - index) == true else {
            table = nil
            return prepare()
        }
        if !isKnownUniquelyReferenced(&table) { table = table?.copy }
        withBorrowedIdentifiers(elements) {
            let repeated = table?.insert(index..<count, of: $0, type: Element.self) ?? nil
            assert(repeated == nil)
        }
    }
}

extension UniqueArray: Equatable {
    @inlinable
    static func == (left: UniqueArray, right: UniqueArray) -> Bool {
        left.elements == right.elements
    }
}

extension UniqueArray {
    /// Returns how many identifiers, at most `limit`, are the same at the start or at the end of another
    /// array.
    func commonCount(with other: UniqueArray, limit: Int, backwards: Bool = false) -> Int {
        withBorrowedIdentifiers(elements) { own in
            withBorrowedIdentifiers(other.elements) { others in
                func count<K: Key & ~Copyable>(_: K.Type) -> Int {
                    KeyBuffer<K>(own).commonCount(
                        backwards ? own.count : 0, with: KeyBuffer<K>(others),
                        backwards ? others.count : 0, limit: limit, backwards: backwards)
                }
                return switch KeyKind(of: Element.self) {
                case .word: count(WordKey.self)
                case .twoWords: count(TwoWordKey.self)
                case .text: count(HashableKey<String>.self)
                case .hashable: count(HashableKey<Element>.self)
                }
            }
        }
    }
}

extension UniqueArray {
    /// Whether as many identifiers at the start and at the end have the same bytes as in another array.
    func hasSameBytes(as other: UniqueArray, start: Int, end: Int) -> Bool {
        withBorrowedIdentifiers(elements) { own in
            withBorrowedIdentifiers(other.elements) { others in
                own.hasSameBytes(0..<start, as: others, at: 0)
                    && own.hasSameBytes(count - end..<count, as: others, at: other.count - end)
            }
        }
    }
}

// MARK: Arrays

extension Array {
    /// Inserts elements, growing the capacity by a sixth when it is used up, as doubling would waste
    /// memory.
    @inlinable
    mutating func insert(sparingly added: [Element], at index: Int) {
        guard !isEmpty else { return self = added }
        if count + added.count > capacity {
            reserveCapacity(count + Swift.max(added.count, count / 6))
        }
        insert(contentsOf: added, at: index)
    }

    /// Removes the elements in ascending, disjoint ranges; O(*n*).
    @inlinable
    mutating func remove(in ranges: [Range<Int>]) {
        // Closing up to four gaps in place is faster than copying the rest.
        if ranges.count <= 4 {
            for range in ranges.reversed() { removeSubrange(range) }
            return
        }
        var kept: [Element] = []
        kept.reserveCapacity(count - ranges.reduce(0) { $0 + $1.count })
        var start = 0
        for range in ranges {
            kept += self[start..<range.lowerBound]
            start = range.upperBound
        }
        kept += self[start...]
        self = kept
    }
}

extension [Range<Int>] {
    /// The ranges of indices in any order, ascending and joined.
    @usableFromInline
    init(joining indices: [Int]) {
        self = []
        for index in indices.sorted() {
            if let last, index <= last.upperBound {
                self[count - 1] = last.lowerBound..<Swift.max(index + 1, last.upperBound)
            } else {
                append(index..<index + 1)
            }
        }
    }
}
