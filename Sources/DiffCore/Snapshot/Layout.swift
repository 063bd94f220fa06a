// The items of a snapshot, laid out: one section behind the other.

/// The items of all sections, and where each section begins among them.
@usableFromInline
struct Layout<Item: Hashable & Sendable>: Sendable, Equatable {
    /// The items of all sections, one section behind the other.
    @usableFromInline var items: UniqueList<Item>
    /// Where each section's items begin among all items, and where the last one's end.
    @usableFromInline var bounds: [Int]
    /// Knows which section a place is in, if there are many; another one for other bounds.
    @usableFromInline var finder: SectionFinder?

    /// No items in some sections.
    @inlinable
    init(sectionCount: Int) {
        self.init(items: UniqueList(), bounds: [Int](repeating: 0, count: sectionCount + 1))
    }

    /// Items in sections that begin where `bounds` says.
    @inlinable
    init(items: UniqueList<Item>, bounds: [Int]) {
        self.items = items
        self.bounds = bounds
        finder = .forSections(bounds.count - 1)
    }

    /// Whether two layouts have the same items in the same sections.
    @inlinable
    static func == (left: Layout, right: Layout) -> Bool {
        left.bounds == right.bounds && left.items == right.items
    }

    /// The number of sections.
    @inlinable
    var sectionCount: Int { bounds.count - 1 }

    /// How many items each section has.
    var counts: [Int] { (0..<sectionCount).map { bounds[$0 + 1] - bounds[$0] } }

    /// Where a section's items stand among all items.
    @inlinable
    func range(ofSection number: Int) -> Range<Int> { bounds[number]..<bounds[number + 1] }

    /// The number of the section that holds the item at a place; O(1).
    @inlinable
    func section(at place: Int) -> Int {
        DiffCore.section(at: place, in: bounds, finder: finder)
    }

    /// The section of the item at a place, and the item's number in it; O(1).
    @inlinable
    func indexPath(at place: Int) -> IndexPath {
        DiffCore.indexPath(at: place, in: bounds, finder: finder)
    }

    /// Lays the bounds of the sections out anew.
    @inlinable
    mutating func setCounts(_ counts: [Int]) {
        bounds = [0]
        bounds.reserveCapacity(counts.count + 1)
        var end = 0
        for count in counts {
            end += count
            bounds.append(end)
        }
        finder = .forSections(sectionCount)
    }

    /// Makes room for empty sections in front of a section.
    @inlinable
    mutating func insertSections(_ count: Int, at number: Int) {
        bounds.insert(contentsOf: repeatElement(bounds[number], count: count), at: number)
        finder = .forSections(sectionCount)
    }

    /// Puts items at a gap between the items, which belongs to one section; present ones move.
    @inlinable
    mutating func put(
        _ identifiers: [Item], at gap: Int, inSection section: Int, for operation: String
    ) {
        if items.count == 0, let all = UniqueList(checking: identifiers) {
            items = all
            for number in section + 1..<bounds.count { bounds[number] = identifiers.count }
            finder = .forSections(sectionCount)
            return
        }
        if let repeated = UniqueList.firstRepeated(in: identifiers) {
            misuse(operation, "the call names item \(repeated) twice")
        }
        let moved = places(of: identifiers)
        remove(at: moved)
        items.insert(identifiers, at: gap - moved.count { $0 < gap })
        for number in section + 1..<bounds.count { bounds[number] += identifiers.count }
        finder = .forSections(sectionCount)
    }

    /// The places of those items that are there, each once, ascending.
    @inlinable
    func places(of identifiers: [Item]) -> [Int] {
        guard items.count > 0 else { return [] }
        var places = identifiers.compactMap { items.index(of: $0) }
        places.sort()
        var last = -1
        places.removeAll { place in
            defer { last = place }
            return place == last
        }
        return places
    }

    /// Removes the items at some places, which ascend, and draws the sections' bounds in.
    @inlinable
    mutating func remove(at places: [Int]) {
        guard !places.isEmpty else { return }
        items.remove(at: places)
        var gone = 0
        for number in bounds.indices {
            while gone < places.count, places[gone] < bounds[number] { gone += 1 }
            bounds[number] -= gone
        }
        finder = .forSections(sectionCount)
    }
}

/// A layout behind one reference: what does not change is read without counting references.
@usableFromInline
final class LaidOut<Item: Hashable & Sendable>: Sendable {
    @usableFromInline let layout: Layout<Item>

    /// Keeps a layout.
    @inlinable
    init(_ layout: Layout<Item>) { self.layout = layout }
}
