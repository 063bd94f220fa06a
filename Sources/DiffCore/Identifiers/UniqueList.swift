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
        guard end > 0 else {
            elements = added
            _ = rebuild()
            return
        }
        makeRoom(for: added.count)
        elements.insert(contentsOf: added, at: gap)
        if gap == end, table?.canGrow(to: elements.count, by: added.count) == true {
            let repeated = enter(gap..<elements.count)
            assert(repeated == nil)
        } else {
            let ends = [
                Run(old: 0, new: 0, length: gap),
                Run(old: gap, new: gap + added.count, length: end - gap),
            ]
            follow(ends.filter { $0.length > 0 }, added: gap..<gap + added.count, oldCount: end)
        }
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
        let oldCount = elements.count
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
        var kept: [Run] = []
        var start = 0
        for (number, end) in (doomed + [oldCount]).enumerated() {
            if end > start {
                kept.append(Run(old: start, new: start - number, length: end - start))
            }
            start = end + 1
        }
        follow(kept, added: 0..<0, oldCount: oldCount)
    }

    /// Makes the table of what the list has become.
    @inlinable
    mutating func follow(_ kept: [Run], added: Range<Int>, oldCount: Int) {
        guard let oldTable = table, elements.count > UniqueList.few else {
            _ = rebuild()
            return
        }
        let kind = kind
        table = lend(elements) {
            oldTable.following(
                kept, added: added.map { Int32(truncatingIfNeeded: $0) }, in: $0,
                oldCount: oldCount, kind: kind, type: Element.self)
        }
        assert(table != nil)
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
}

extension UniqueList: Equatable {
    @usableFromInline
    static func == (left: UniqueList, right: UniqueList) -> Bool { left.elements == right.elements }
}
