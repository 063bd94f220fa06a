// The changes of whole sections, by their numbers.

/// The sections that come, go and move, by number.
///
/// - Parameters:
///   - homes: The old number of each new section, or -1; `nil` if the sections are the same.
///   - oldCount: How many sections there were.
/// - Returns: Their changes, as if sections were items.
@usableFromInline
func sectionChanges(homes: [Int]?, oldCount: Int) -> ItemChanges {
    var changes = ItemChanges()
    guard let homes else { return changes }
    let stayed = PlaceSet(below: oldCount)
    var runs = GrowingRow<Run>()
    var moves = GrowingRow<ItemChanges.Move>()
    for (number, home) in homes.enumerated() {
        if home >= 0 {
            _ = stayed.insert(home)
            runs.append(Run(old: home, new: number, length: 1))
        } else {
            changes.inserts.append(Int32(truncatingIfNeeded: number))
        }
    }
    changes.deletes = stayed.missing(count: oldCount - runs.count)
    appendLeastMoves(of: runs, to: &moves)
    changes.moves = moves.array
    return changes
}
