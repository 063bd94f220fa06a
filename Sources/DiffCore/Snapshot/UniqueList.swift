// An ordered list of identifiers that are all different, with their places.

/// An array of unique identifiers that knows where each of them stands.
struct UniqueList<Element: Hashable & Sendable>: Sendable {
    /// The identifiers, in order.
    private(set) var elements: [Element] = []
    private var places: [Element: Int] = [:]

    /// An empty list.
    init() {}

    /// The number of identifiers.
    var count: Int { elements.count }

    /// Where an identifier stands, or `nil`; O(1).
    func index(of element: Element) -> Int? { places[element] }

    /// Whether an identifier is in the list; O(1).
    func contains(_ element: Element) -> Bool { places[element] != nil }

    /// Inserts identifiers that are not in the list yet; O(1) an identifier at the end, else O(n).
    mutating func insert(_ added: [Element], at gap: Int) {
        elements.insert(contentsOf: added, at: gap)
        renumber(from: gap)
    }

    /// Removes the identifiers that stand at some places; O(n), whatever their number.
    ///
    /// - Parameter doomed: The places, ascending.
    mutating func remove(at doomed: [Int]) {
        guard let first = doomed.first else { return }
        var kept = first
        var next = 0
        for place in first..<elements.count {
            if next < doomed.count, doomed[next] == place {
                places[elements[place]] = nil
                next += 1
            } else {
                elements[kept] = elements[place]
                kept += 1
            }
        }
        elements.removeSubrange(kept...)
        renumber(from: first)
    }

    /// Removes the identifiers of a range; O(n).
    mutating func remove(in range: Range<Int>) { remove(at: Array(range)) }

    private mutating func renumber(from start: Int) {
        places.reserveCapacity(elements.count)
        for place in start..<elements.count { places[elements[place]] = place }
    }
}

extension UniqueList: Equatable {
    static func == (left: UniqueList, right: UniqueList) -> Bool { left.elements == right.elements }
}
