// How often each of some values is there, so that the last one's leaving is noticed.

/// A multiset that knows which values it holds at least once.
///
/// A host's presence, interfaces and addresses are what its services say; with
/// a tally of each, one service's change costs the same however many there are.
struct Tally<Element: Hashable> {
    private var counts: [Element: Int] = [:]

    /// The values that are there, each once, in no order.
    var elements: Dictionary<Element, Int>.Keys { counts.keys }

    func contains(_ element: Element) -> Bool { counts[element] != nil }

    mutating func add(_ element: Element) { counts[element, default: 0] += 1 }

    /// Takes one of a value away; one that is not there is left alone.
    mutating func remove(_ element: Element) {
        guard let count = counts[element] else { return }
        counts[element] = count > 1 ? count - 1 : nil
    }
}
