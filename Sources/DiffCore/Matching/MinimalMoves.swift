// Chooses the ranges of items that stay, so that the smallest number of items moves.

/// Marks the ranges that must be moved to bring a section into order.
///
/// The ranges that stay are a heaviest increasing subsequence: their old indices ascend, and the sum
/// of their lengths is the greatest possible. The ranges are visited in the order of their new
/// indices. A set holds the old index of the last range of each candidate: a subsequence that later
/// ranges may extend. Candidates with a greater old index and no greater weight are removed, so that
/// weights ascend with the indices. The best candidate for a range is therefore the candidate with the
/// nearest old index below its own.
///
/// - Parameters:
///   - ranges: Ranges in the order of their new indices. Ranges that come from another section are
///     marked already.
///   - first: The index of the section's first range.
/// - Complexity: O(*k*) for *k* ranges, apart from O(*n* / 64) for a section of *n* items.
func markMinimalMoves(in ranges: inout [MatchedRange], from first: Int) {
    var (low, high, last) = (Int32.max, Int32.min, Int32.min)
    var isInOrder = true
    for range in ranges[first...] where !range.isMoved {
        isInOrder = isInOrder && range.old > last
        last = range.old
        (low, high) = (min(low, last), max(high, last))
    }
    guard !isInOrder else { return }
    let bound = Int(high - low) + 1
    let ends = OrderedIndexSet(bound: bound)
    // The last range of the candidate at each index in `ends`.
    let rangeAtEnd = Scratch<Int32>(unset: bound)
    // The weight of the heaviest subsequence that ends with each range, and the previous range in
    // it.
    let weights = Scratch<Int32>(unset: ranges.count - first)
    let previous = Scratch<Int32>(unset: ranges.count - first)
    var (heaviest, heaviestWeight) = (-1, Int32(0))
    for number in 0..<ranges.count - first where !ranges[first + number].isMoved {
        let index = Int(ranges[first + number].old &- low)
        var weight = ranges[first + number].length
        previous[number] = -1
        if let end = ends.last(before: index) {
            previous[number] = rangeAtEnd[end]
            weight &+= weights[Int(rangeAtEnd[end])]
        }
        weights[number] = weight
        if weight > heaviestWeight { (heaviest, heaviestWeight) = (number, weight) }
        while let end = ends.first(after: index), weights[Int(rangeAtEnd[end])] <= weight {
            ends.remove(end)
            // As weights ascend, all further ends are heavier.
            if weights[Int(rangeAtEnd[end])] == weight { break }
        }
        ends.insert(index)
        rangeAtEnd[index] = Int32(truncatingIfNeeded: number)
    }
    var stays = heaviest
    for number in (0..<ranges.count - first).reversed() {
        if number == stays {
            stays = Int(previous[number])
        } else {
            ranges[first + number].isMoved = true
        }
    }
}
