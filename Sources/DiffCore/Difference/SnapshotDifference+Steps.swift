// The changes between two snapshots as single steps, each valid when it is performed in its turn.

/// A single change of a list of sections and items, by the indices that are valid when it is performed.
///
/// ``SnapshotDifference/steps`` has the steps of a difference.
public enum ListStep: Hashable, Sendable {
    /// Deletes an item.
    case deleteItem(at: IndexPath)
    /// Inserts a section without items.
    case insertSection(at: Int)
    /// Takes a section out, and puts it back at an index of the list without it.
    case moveSection(from: Int, to: Int)
    /// Inserts an item; `final` is its index path after the last step, for the cell provider.
    case insertItem(at: IndexPath, final: IndexPath)
    /// Takes an item out, and puts it back at an index path of the list without it.
    case moveItem(from: IndexPath, to: IndexPath)
    /// Deletes a section, which has no items any more.
    case deleteSection(at: Int)
    /// Replaces all cells of a section, and its header, by new ones.
    case reloadSection(at: Int)
    /// Replaces the cell of an item by a new one.
    case reloadItem(at: IndexPath)
    /// Configures the cell of an item again.
    case reconfigureItem(at: IndexPath)
}

extension SnapshotDifference {
    /// The changes as steps, for a view that performs one change after the other.
    ///
    /// Insertions and moves are merged by their position in the new list. Sections are inserted before items
    /// are put into them, and deleted after items have been moved out of them, so that each step is valid at
    /// its turn and every cell that moves is kept.
    ///
    /// - Complexity: O(*s* + *c* log *c*) for *c* changes and *s* sections.
    public var steps: [ListStep] {
        var steps: [ListStep] = []
        let old = storage.old.withItems { $0.bounds }
        let new = storage.new.withItems { $0.bounds }
        for index in storage.items.deletes.reversed() {
            steps.append(.deleteItem(at: old.indexPath(at: Int(index))))
        }
        let sections = SectionSteps(self)
        steps += sections.steps
        addItemSteps(to: &steps, sections, old, new)
        for index in sections.deleted.reversed() { steps.append(.deleteSection(at: index)) }
        steps += reloadedSections.map { .reloadSection(at: $0.index) }
        let reloaded = Set(reloadedSections.map(\.index))
        let others = { (change: ItemChange) in
            !reloaded.contains(change.position.indexPath.section)
        }
        steps += reloadedItems.filter(others).map { .reloadItem(at: $0.position.indexPath) }
        steps += reconfiguredItems.filter(others).map {
            .reconfigureItem(at: $0.position.indexPath)
        }
        return steps
    }

    /// Appends the insertions and moves of items, in the order of the new list.
    private func addItemSteps(
        to steps: inout [ListStep], _ sections: SectionSteps, _ old: SectionBounds,
        _ new: SectionBounds
    ) {
        let changes = storage.items
        guard !changes.inserts.isEmpty || !changes.moves.isEmpty else { return }
        let elements = storage.new.withItems { $0.items.elements }
        var departures = Departures(changes.moves.map(\.from), deletes: changes.deletes)
        // The gaps of the old list, flat, at which each section has got items, ascending.
        var arrivals: [Int: [Int]] = [:]
        var previous = (index: -1, gap: 0)
        var (insert, move) = (0, 0)
        while insert < changes.inserts.count || move < changes.moves.count {
            let isMove =
                insert == changes.inserts.count
                || move < changes.moves.count && changes.moves[move].to < changes.inserts[insert]
            let index = Int(isMove ? changes.moves[move].to : changes.inserts[insert])
            let path = new.indexPath(at: index)
            let oldSection = sections.old(of: path.section)
            let start = oldSection.map(old.start(of:)) ?? 0
            // An arrival follows the previous item of its section: another arrival, or an item that stays.
            let gap: Int
            if path.item == 0 {
                gap = start
            } else if previous.index == index - 1 {
                gap = previous.gap
            } else {
                gap = (storage.old.indexOfItem(elements[index - 1]) ?? 0) + 1
            }
            previous = (index, gap)
            let target = sections.current(of: path.section)
            var source: IndexPath?
            if isMove {
                let from = Int(changes.moves[move].from)
                let place = old.indexPath(at: from)
                let current = sections.current(ofOld: place.section)
                let before = arrivals[current, default: []].upperBound(of: from)
                source = IndexPath(
                    item: place.item - departures.count(in: from - place.item..<from) + before,
                    section: current)
                departures.depart(from)
                move += 1
            } else {
                insert += 1
            }
            let staying = gap - start - departures.count(in: start..<gap)
            let placed = arrivals[target, default: []].count
            arrivals[target, default: []].append(gap)
            let at = IndexPath(item: staying + placed, section: target)
            steps.append(
                source.map { .moveItem(from: $0, to: at) } ?? .insertItem(at: at, final: path))
        }
    }
}

/// The steps of the sections, which leave deleted sections in place until their items have moved.
private struct SectionSteps {
    var steps: [ListStep] = []
    /// The indices of the deleted sections after these steps, ascending.
    var deleted: [Int] = []
    /// The old index of each section of the new list, or -1; empty if no section changes.
    private var oldIndices: [Int] = []
    /// The index of each section of the new list after these steps.
    private var indices: [Int] = []
    /// The index of each section of the old list after these steps.
    private var indicesOfOld: [Int] = []

    init<S, I>(_ difference: SnapshotDifference<S, I>) {
        let changes = difference.storage.sections
        guard !changes.isEmpty else { return }
        let (old, new) = (difference.storage.old, difference.storage.new)
        var moved = Departures(changes.moves.map(\.from), deletes: [])
        var gaps: [Int] = []
        let sources = Dictionary(
            uniqueKeysWithValues: changes.moves.map { (Int($0.to), Int($0.from)) })
        var gap = 0
        for (index, section) in new.sectionIdentifiers.enumerated() {
            let oldIndex = old.indexOfSection(section) ?? -1
            oldIndices.append(oldIndex)
            if oldIndex >= 0, sources[index] == nil {
                gap = oldIndex + 1
                continue
            }
            if let source = sources[index] {
                let from = source - moved.count(in: 0..<source) + gaps.upperBound(of: source)
                moved.depart(source)
                let to = gap - moved.count(in: 0..<gap) + gaps.count
                steps.append(.moveSection(from: from, to: to))
            } else {
                steps.append(.insertSection(at: gap - moved.count(in: 0..<gap) + gaps.count))
            }
            gaps.append(gap)
        }
        deleted = changes.deletes.map {
            let index = Int($0)
            return index - moved.count(in: 0..<index) + gaps.upperBound(of: index)
        }
        indicesOfOld = Array(repeating: 0, count: old.numberOfSections)
        var passed = 0
        for index in oldIndices.indices {
            while passed < deleted.count, deleted[passed] <= index + passed { passed += 1 }
            indices.append(index + passed)
            if oldIndices[index] >= 0 { indicesOfOld[oldIndices[index]] = index + passed }
        }
        for (number, index) in changes.deletes.enumerated() {
            indicesOfOld[Int(index)] = deleted[number]
        }
    }

    /// Returns the old index of a section of the new list, or `nil` if the section is inserted.
    func old(of section: Int) -> Int? {
        if oldIndices.isEmpty { return section }
        return oldIndices[section] < 0 ? nil : oldIndices[section]
    }

    func current(of section: Int) -> Int { indices.isEmpty ? section : indices[section] }

    func current(ofOld section: Int) -> Int {
        indicesOfOld.isEmpty ? section : indicesOfOld[section]
    }
}

/// Counts the elements of a list that have left it: the deleted ones, and the moved ones so far.
private struct Departures {
    private let moved: [Int]
    private let deleted: [Int]
    /// The departed elements among `moved`, as a binary indexed tree.
    private var tree: [Int]

    init(_ moved: [Int32], deletes: [Int32]) {
        self.moved = moved.map { Int($0) }.sorted()
        deleted = deletes.map { Int($0) }
        tree = Array(repeating: 0, count: moved.count + 1)
    }

    mutating func depart(_ element: Int) {
        var node = moved.upperBound(of: element)
        while node < tree.count {
            tree[node] += 1
            node += node & -node
        }
    }

    func count(in range: Range<Int>) -> Int {
        count(below: range.upperBound) - count(below: range.lowerBound)
    }

    private func count(below element: Int) -> Int {
        var node = moved.upperBound(of: element - 1)
        var count = deleted.upperBound(of: element - 1)
        while node > 0 {
            count += tree[node]
            node -= node & -node
        }
        return count
    }
}

extension [Int] {
    /// Returns the number of elements of an ascending array that are at most a value.
    fileprivate func upperBound(of value: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
