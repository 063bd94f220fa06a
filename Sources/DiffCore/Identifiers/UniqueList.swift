// An ordered list of identifiers that are all different, with their places.

/// An array of different identifiers that knows where each of them stands.
struct UniqueList<Element: Hashable & Sendable>: Sendable {
    /// The identifiers, in order.
    private(set) var elements: [Element] = []
    /// Where they stand; `nil` while they are so few that searching them is faster.
    private(set) var table: SlotTable?
    private let kind = KeyKind(of: Element.self)

    /// The most identifiers that need no table.
    static var few: Int { 8 }

    /// An empty list.
    init() {}

    /// A list whose table has been made already.
    init(_ elements: [Element], table: SlotTable?) {
        self.elements = elements
        self.table = table
        assert(table != nil || elements.count <= UniqueList.few)
    }

    /// A list of identifiers, or `nil` if one of them comes twice.
    init?(checking elements: [Element]) {
        self.elements = elements
        guard rebuild() == nil else { return nil }
    }

    /// The first identifier that has been in the array before, or `nil` if all are different.
    static func firstRepeated(in elements: [Element]) -> Element? {
        var list = UniqueList()
        list.elements = elements
        return list.rebuild().map { elements[$0] }
    }

    /// The number of identifiers.
    var count: Int { elements.count }

    /// Whether an identifier is in the list; O(1).
    func contains(_ element: Element) -> Bool { index(of: element) != nil }

    /// Where an identifier stands, or `nil`; O(1).
    func index(of element: Element) -> Int? {
        guard let table else { return elements.firstIndex(of: element) }
        let seeds = HashSeeds.ofProcess
        let place = lend(elements) { lent in
            switch kind {
            case .word:
                table.place(
                    of: key(element, as: WordKey.self), in: KeyList(lent), seeds: seeds)
            case .twoWords:
                table.place(
                    of: key(element, as: TwoWordKey.self), in: KeyList(lent), seeds: seeds)
            case .text, .hashable:
                table.place(of: HashableKey(identifier: element), in: KeyList(lent), seeds: seeds)
            }
        }
        return place < 0 ? nil : place
    }

    /// Inserts identifiers that are not in the list yet; O(1) an identifier at the end, else O(n).
    mutating func insert(_ added: [Element], at gap: Int) {
        let end = elements.count
        elements.insert(contentsOf: added, at: gap)
        guard table?.suits(elements.count) == true else {
            _ = rebuild()
            return
        }
        if gap < end { table?.shift([.init(start: gap, offset: added.count)]) }
        let repeated = enter(gap..<gap + added.count)
        assert(repeated == nil)
    }

    /// Removes the identifiers that stand at some places; O(n), whatever their number.
    ///
    /// - Parameter doomed: The places, ascending.
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
    private mutating func rebuild() -> Int? {
        guard elements.count > UniqueList.few else {
            table = nil
            return elements.indices.first { elements[..<$0].contains(elements[$0]) }
        }
        table = SlotTable(roomFor: elements.count)
        return enter(elements.indices)
    }

    /// Enters the identifiers of a range, and says the place of one that has come before.
    private mutating func enter(_ range: Range<Int>) -> Int? {
        guard var table else { return nil }
        self.table = nil
        defer { self.table = table }
        let seeds = HashSeeds.ofProcess
        return lend(elements) { lent in
            switch kind {
            case .word:
                table.insert(range, of: KeyList<WordKey>(lent), seeds: seeds)
            case .twoWords:
                table.insert(range, of: KeyList<TwoWordKey>(lent), seeds: seeds)
            case .text:
                table.insert(range, of: KeyList<HashableKey<String>>(lent), seeds: seeds)
            case .hashable:
                table.insert(range, of: KeyList<HashableKey<Element>>(lent), seeds: seeds)
            }
        }
    }

    private mutating func leave(_ place: Int) {
        guard var table else { return }
        self.table = nil
        defer { self.table = table }
        let seeds = HashSeeds.ofProcess
        lend(elements) { lent in
            switch kind {
            case .word:
                table.remove(place, of: KeyList<WordKey>(lent), seeds: seeds)
            case .twoWords:
                table.remove(place, of: KeyList<TwoWordKey>(lent), seeds: seeds)
            case .text:
                table.remove(place, of: KeyList<HashableKey<String>>(lent), seeds: seeds)
            case .hashable:
                table.remove(place, of: KeyList<HashableKey<Element>>(lent), seeds: seeds)
            }
        }
    }
}

extension UniqueList: Equatable {
    static func == (left: UniqueList, right: UniqueList) -> Bool { left.elements == right.elements }
}
