// An ordered list of identifiers that are all different, with their places.

/// An array of different identifiers that knows where each of them stands.
@usableFromInline
struct UniqueList<Element: Hashable & Sendable>: Sendable {
    /// The identifiers, in order.
    @usableFromInline var elements: [Element] = []
    /// Where they stand; `nil` while they are so few that searching them is faster.
    @usableFromInline var table: SlotTable?
    @usableFromInline let kind = KeyKind(of: Element.self)

    /// The most identifiers that need no table.
    @inlinable static var few: Int { 8 }

    /// An empty list.
    @inlinable
    init() {}

    /// A list whose table has been made already.
    @inlinable
    init(_ elements: [Element], table: SlotTable?) {
        self.elements = elements
        self.table = table
        assert(table != nil || elements.count <= UniqueList.few)
    }

    /// A list of identifiers, or `nil` if one of them comes twice.
    @inlinable
    init?(checking elements: [Element]) {
        self.elements = elements
        guard rebuild() == nil else { return nil }
    }

    /// The first identifier that has been in the array before, or `nil` if all are different.
    @inlinable
    static func firstRepeated(in elements: [Element]) -> Element? {
        var list = UniqueList()
        list.elements = elements
        return list.rebuild().map { elements[$0] }
    }

    /// The number of identifiers.
    @inlinable var count: Int { elements.count }

    /// Whether an identifier is in the list; O(1).
    @inlinable
    func contains(_ element: Element) -> Bool { index(of: element) != nil }

    /// Where an identifier stands, or `nil`; O(1).
    @inlinable
    func index(of element: Element) -> Int? {
        guard let table else { return elements.firstIndex(of: element) }
        let place = lend(one: element) { lent in
            lend(elements) { list in
                table.place(of: lent, in: list, kind: kind, type: Element.self)
            }
        }
        return place < 0 ? nil : place
    }

    /// Inserts identifiers that are not in the list yet; O(1) an identifier at the end, else O(n).
    @inlinable
    mutating func insert(_ added: [Element], at gap: Int) {
        let end = elements.count
        makeRoom(for: added.count)
        elements.insert(contentsOf: added, at: gap)
        guard table?.suits(elements.count) == true else {
            _ = rebuild()
            return
        }
        if gap < end { table?.shift([.init(start: gap, offset: added.count)]) }
        let repeated = enter(gap..<gap + added.count)
        assert(repeated == nil)
    }

    /// Makes room for more identifiers, and for a sixth more than there are when it is used up: an
    /// array that doubled itself would often take more than what it holds.
    @inlinable
    mutating func makeRoom(for count: Int) {
        guard elements.count + count > elements.capacity else { return }
        elements.reserveCapacity(elements.count + max(count, elements.count / 6))
    }

    /// Removes the identifiers that stand at some places; O(n), whatever their number.
    ///
    /// - Parameter doomed: The places, ascending.
    @inlinable
    mutating func remove(at doomed: [Int]) {
        guard let first = doomed.first, let last = doomed.last else { return }
        let keepsTable =
            doomed.count <= SlotTable.mostSteps
            && table?.suits(elements.count - doomed.count) == true
        if keepsTable {
            for place in doomed { leave(place) }
            table?.shift(doomed.map { .init(start: $0, offset: -1) })
        }
        if last - first == doomed.count - 1 {
            elements.removeSubrange(first...last)
        } else {
            var next = doomed.makeIterator()
            var nextDoomed = next.next()
            var kept = first
            for place in first..<elements.count {
                if place == nextDoomed {
                    nextDoomed = next.next()
                } else {
                    elements[kept] = elements[place]
                    kept += 1
                }
            }
            elements.removeSubrange(kept...)
        }
        if !keepsTable { _ = rebuild() }
    }

    /// Makes the table anew.
    ///
    /// - Returns: The place of an identifier that has come before, at which it stopped, or `nil`.
    @inlinable
    mutating func rebuild() -> Int? {
        guard elements.count > UniqueList.few else {
            table = nil
            return elements.indices.first { elements[..<$0].contains(elements[$0]) }
        }
        table = SlotTable(roomFor: elements.count)
        return enter(elements.indices)
    }

    /// Enters the identifiers of a range, and says the place of one that has come before.
    @inlinable
    mutating func enter(_ range: Range<Int>) -> Int? {
        let kind = kind
        return lend(elements) {
            table?.insert(range, of: $0, kind: kind, type: Element.self) ?? nil
        }
    }

    @inlinable
    mutating func leave(_ place: Int) {
        let kind = kind
        lend(elements) { table?.remove(place, of: $0, kind: kind, type: Element.self) }
    }
}

extension UniqueList: Equatable {
    @usableFromInline
    static func == (left: UniqueList, right: UniqueList) -> Bool { left.elements == right.elements }
}
