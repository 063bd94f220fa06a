// The laws that a difference keeps, checked for one pair of snapshots.
//
// Closures stand where key paths could, because a key path of generic types takes microseconds to make in each place.
import DiffCore
import Testing

/// Returns the law that a difference breaks, or `nil`.
///
/// `leastMoves` returns the smallest number of moves that sort distinct numbers.
func brokenLaw<Section: Hashable & Sendable, Item: Hashable & Sendable>(
    from before: DiffableDataSourceSnapshot<Section, Item>,
    to after: DiffableDataSourceSnapshot<Section, Item>,
    leastMoves: ([Int]) -> Int
) -> String? {
    let difference = after.difference(from: before)
    if before.replaying(difference) != after { return "the changes give another list" }
    if before.applying(difference) != after { return "applying gives another list" }
    if difference.isEmpty != (before == after) { return "isEmpty does not match equality" }

    let old = Set(before.itemIdentifiers)
    let new = Set(after.itemIdentifiers)
    if Set(difference.deletedItems.map { $0.item }) != old.subtracting(new) {
        return "wrong deletes"
    }
    if Set(difference.insertedItems.map { $0.item }) != new.subtracting(old) {
        return "wrong inserts"
    }
    if difference.deletedItems.count != old.subtracting(new).count { return "a delete twice" }
    if difference.insertedItems.count != new.subtracting(old).count { return "an insert twice" }

    let moved = Set(difference.movedItems.map { $0.item })
    if moved.count != difference.movedItems.count { return "a move twice" }
    for section in after.sectionIdentifiers {
        let stayed = after.itemIdentifiers(inSection: section).filter {
            before.sectionIdentifier(containingItem: $0) == section
        }
        let places = stayed.compactMap { before.indexOfItem($0) }
        let kept = stayed.filter { !moved.contains($0) }.compactMap { before.indexOfItem($0) }
        if kept != kept.sorted() { return "what was not moved is not in order" }
        if places.count - kept.count != leastMoves(places) { return "too many moves" }
    }
    let crossing = after.itemIdentifiers.filter {
        old.contains($0)
            && before.sectionIdentifier(containingItem: $0)
                != after.sectionIdentifier(containingItem: $0)
    }
    if !moved.isSuperset(of: crossing) { return "an item changes its section without a move" }
    if !moved.isSubset(of: old.intersection(new)) { return "a move of what is not in both" }
    return brokenSectionLaw(difference, from: before, to: after, leastMoves: leastMoves)
}

extension DiffableDataSourceSnapshot {
    /// The snapshot after the changes of a difference, which are made one by one.
    func replaying(
        _ difference: SnapshotDifference<SectionIdentifierType, ItemIdentifierType>
    ) -> DiffableDataSourceSnapshot {
        let removedSections = Set(
            difference.deletedSections.map { $0.section }
                + difference.movedSections.map { $0.section })
        let removedItems = Set(
            difference.deletedItems.map { $0.item } + difference.movedItems.map { $0.item })
        let added = Dictionary(
            grouping: difference.insertedItems.map { ($0.item, $0.position.indexPath) }
                + difference.movedItems.map { ($0.item, $0.to.indexPath) }
        ) { $0.1.section }
        var result = DiffableDataSourceSnapshot()
        result.appendSections(
            merge(
                difference.insertedSections.map { ($0.section, $0.index) }
                    + difference.movedSections.map { ($0.section, $0.to) },
                into: sectionIdentifiers.filter { !removedSections.contains($0) }))
        for (index, section) in result.sectionIdentifiers.enumerated() {
            let old = indexOfSection(section).map { _ in itemIdentifiers(inSection: section) } ?? []
            result.appendItems(
                merge(
                    (added[index] ?? []).map { ($0.0, $0.1.item) },
                    into: old.filter { !removedItems.contains($0) }),
                toSection: section)
        }
        result.reloadSections(difference.reloadedSections.map { $0.section })
        result.reloadItems(difference.reloadedItems.map { $0.item })
        result.reconfigureItems(difference.reconfiguredItems.map { $0.item })
        return result
    }
}

/// Inserts elements at their final indices into the remaining elements.
private func merge<Element>(
    _ added: [(element: Element, index: Int)], into remaining: [Element]
) -> [Element] {
    var result: [Element] = []
    var rest = remaining[...]
    for (element, index) in added.sorted(by: { $0.index < $1.index }) {
        let gap = index - result.count
        result += rest.prefix(gap)
        rest = rest.dropFirst(gap)
        result.append(element)
    }
    return result + rest
}

private func brokenSectionLaw<Section: Hashable & Sendable, Item: Hashable & Sendable>(
    _ difference: SnapshotDifference<Section, Item>,
    from before: DiffableDataSourceSnapshot<Section, Item>,
    to after: DiffableDataSourceSnapshot<Section, Item>,
    leastMoves: ([Int]) -> Int
) -> String? {
    let old = before.sectionIdentifiers
    let new = after.sectionIdentifiers
    let deleted = difference.deletedSections.map { $0.section }
    if deleted != old.filter({ !new.contains($0) }) { return "wrong section deletes" }
    let inserted = difference.insertedSections.map { $0.section }
    if inserted != new.filter({ !old.contains($0) }) { return "wrong section inserts" }
    let places = new.compactMap { before.indexOfSection($0) }
    return difference.movedSections.count == leastMoves(places) ? nil : "too many section moves"
}

/// The smallest number of moves, by trying every set of numbers that could stay.
func leastMovesByTrying(_ numbers: [Int]) -> Int {
    var most = 0
    for chosen in 0..<(1 << numbers.count) {
        let kept = numbers.indices.filter { chosen >> $0 & 1 == 1 }.map { numbers[$0] }
        if kept == kept.sorted() { most = max(most, kept.count) }
    }
    return numbers.count - most
}

/// The smallest number of moves, by the longest increasing subsequence up to each number; O(n²).
func leastMovesByTable(_ numbers: [Int]) -> Int {
    var longest: [Int] = []
    longest.reserveCapacity(numbers.count)
    for (place, number) in numbers.enumerated() {
        var best = 0
        for earlier in 0..<place where numbers[earlier] < number {
            if longest[earlier] > best { best = longest[earlier] }
        }
        longest.append(best + 1)
    }
    return numbers.count - (longest.max() ?? 0)
}
