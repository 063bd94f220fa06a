// Chooses the ranges of items that stay, so that the smallest number of items moves.

/// Appends the moves that bring matched ranges into order, by their new indices.
///
/// The items that stay are a heaviest increasing subsequence of the ranges, weighted by their
/// lengths: as many items as possible whose old indices ascend.
///
/// - Parameters:
///   - ranges: Ranges in one section, by their new indices.
///   - moves: Receives a move for each item that does not stay.
/// - Complexity: O(*n* + *n*² / 64³) for a section of *n* items.
func appendMinimalMoves(of ranges: [MatchedRange], to moves: inout [ListChanges.Move]) {
    guard !ranges.isInOrder else { return }
    var pieces: [MatchedRange] = []
    pieces.reserveCapacity(ranges.reduce(0) { $0 + ($1.length < 0 ? $1.count : 1) })
    for range in ranges {
        guard range.length < 0 else {
            pieces.append(range)
            continue
        }
        // At most one item of a reversed range can stay.
        for offset in 0..<Int32(range.count) {
            var piece = range
            piece.old -= offset
            piece.new += offset
            piece.length = 1
            pieces.append(piece)
        }
    }
    let stays = heaviestIncreasingSubsequence(of: pieces)
    for (number, piece) in pieces.enumerated() where !stays[number] {
        for offset in 0..<piece.length {
            moves.append(.init(from: piece.old &+ offset, to: piece.new &+ offset))
        }
    }
}

/// Returns for each range whether it is in one heaviest subsequence with ascending old indices.
///
/// For each range in turn, the heaviest subsequence that ends with it extends the one that ends
/// before it in the old list and is heaviest. Subsequences that end later and are not heavier are
/// dropped, so that the ends kept in a set ascend by weight, and this one is the nearest below.
///
/// - Parameter ranges: At least one range by new indices, none reversed.
/// - Returns: A flag for each range.
func heaviestIncreasingSubsequence(of ranges: [MatchedRange]) -> Scratch<Bool> {
    var (low, high) = (Int32.max, Int32.min)
    for range in ranges { (low, high) = (min(low, range.old), max(high, range.old)) }
    let bound = Int(high) - Int(low) + 1
    let ends = OrderedIndexSet(bound: bound)
    // The range at each index in `ends`.
    let rangeAtEnd = Scratch<Int32>(unset: bound)
    // The weight of the heaviest subsequence that ends with each range, and the range before it.
    let weights = Scratch<Int32>(unset: ranges.count)
    let previous = Scratch<Int32>(unset: ranges.count)
    var heaviest = 0
    for number in ranges.indices {
        let index = Int(ranges[number].old &- low)
        var weight = ranges[number].length
        previous[number] = -1
        if let end = ends.last(before: index) {
            previous[number] = rangeAtEnd[end]
            weight &+= weights[Int(rangeAtEnd[end])]
        }
        weights[number] = weight
        if weight > weights[heaviest] { heaviest = number }
        while let end = ends.first(after: index), weights[Int(rangeAtEnd[end])] <= weight {
            ends.remove(end)
            // As weights ascend, all further ends are heavier.
            if weights[Int(rangeAtEnd[end])] == weight { break }
        }
        ends.insert(index)
        rangeAtEnd[index] = Int32(truncatingIfNeeded: number)
    }
    let stays = Scratch(repeating: false, count: ranges.count)
    var number = Int32(truncatingIfNeeded: heaviest)
    while number >= 0 {
        stays[Int(number)] = true
        number = previous[Int(number)]
    }
    return stays
}
