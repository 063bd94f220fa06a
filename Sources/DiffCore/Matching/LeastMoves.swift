// Decides which runs of items stay where they are, so that the fewest items move.

/// Appends the moves that bring runs into order, by their new places.
///
/// What stays is a heaviest increasing subsequence: as many items as can be
/// whose old places ascend.
///
/// - Parameters:
///   - runs: Runs within one section, by their new places.
///   - moves: Gets a move for each item that does not stay.
func appendLeastMoves(
    of runs: borrowing GrowingRow<Run>, to moves: inout GrowingRow<ItemChanges.Move>
) {
    // The lowest old place from each run on.
    let lowest = Scratch<Int32>(unset: runs.count + 1)
    lowest[runs.count] = .max
    for number in (0..<runs.count).reversed() {
        lowest[number] = min(lowest[number + 1], runs[number].lowestOld)
    }
    // A knot is one of the shortest stretches of runs from which no item has to leave for another,
    // as all that is in front of it in the new list is in front of it in the old one.
    var start = 0
    var highest: Int32 = -1
    for number in 0..<runs.count {
        highest = max(highest, runs[number].highestOld)
        guard highest < lowest[number + 1] else { continue }
        // A run that stands in order is a knot by itself, out of which nothing moves.
        if number > start || runs[number].length < 0 {
            appendLeastMoves(of: runs, inKnot: start..<number + 1, to: &moves)
        }
        start = number + 1
    }
}

/// Appends the moves that bring the runs of one knot into order.
private func appendLeastMoves(
    of runs: borrowing GrowingRow<Run>, inKnot knot: Range<Int>,
    to moves: inout GrowingRow<ItemChanges.Move>
) {
    var count = 0
    // Of a run that descends, one item at most can stay: each is a run by itself.
    var pieceCount = 0
    for number in knot {
        count += runs[number].count
        pieceCount += runs[number].length > 0 ? 1 : runs[number].count
    }
    if pieceCount <= 64 || pieceCount * 4 <= count {
        var pieces = GrowingRow<Run>()
        for number in knot { runs[number].appendPieces(to: &pieces) }
        let stays = heaviestRise(of: pieces)
        for number in 0..<pieces.count where !stays[number] { append(pieces[number], to: &moves) }
    } else {
        appendLeastMovesOfItems(of: runs, inKnot: knot, count: count, to: &moves)
    }
}

/// Whether the old places of all items ascend.
func areInOrder(_ runs: [Run]) -> Bool {
    var last: Int32 = -1
    for run in runs {
        guard run.length > 0, run.old > last else { return false }
        last = run.old
    }
    return true
}

private func append(_ run: Run, to moves: inout GrowingRow<ItemChanges.Move>) {
    for offset in 0..<run.length {
        moves.append(.init(from: run.old + offset, to: run.new + offset))
    }
}

/// Decides item by item: for runs that are short, or descend.
private func appendLeastMovesOfItems(
    of runs: borrowing GrowingRow<Run>, inKnot knot: Range<Int>, count: Int,
    to moves: inout GrowingRow<ItemChanges.Move>
) {
    let places = Scratch<Int32>(unset: count)
    var item = 0
    for number in knot {
        let run = runs[number]
        places[item] = run.old
        item &+= 1
        guard run.length != 1 else { continue }
        for offset in 1..<Int32(truncatingIfNeeded: run.count) {
            places[item] = run.old &+ offset &* run.step
            item &+= 1
        }
    }
    let stays = longestRise(of: places)
    item = 0
    for number in knot {
        var place = runs[number].new
        let end = place &+ Int32(truncatingIfNeeded: runs[number].count)
        while place < end {
            if !stays[item] { moves.append(.init(from: places[item], to: place)) }
            item &+= 1
            place &+= 1
        }
    }
}
