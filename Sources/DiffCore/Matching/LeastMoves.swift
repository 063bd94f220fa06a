// Decides which runs of items stay where they are, so that the fewest items move.

/// Appends the moves that bring runs into order, by their new places.
///
/// What stays is a heaviest increasing subsequence: as many items as can be
/// whose old places ascend.
///
/// - Parameters:
///   - runs: Runs within one section, by their new places.
///   - moves: Gets a move for each item that does not stay.
func appendLeastMoves(of runs: [Run], to moves: inout [ItemChanges.Move]) {
    forEachKnot(in: runs) { knot in
        appendLeastMoves(ofKnot: runs[knot], to: &moves)
    }
}

/// Calls a closure with each knot: the shortest stretches of runs from which no item has to leave
/// for another, as all that is in front of one in the new list is in front of it in the old one.
///
/// Runs that stand in order are knots of one run, which are passed over.
private func forEachKnot(in runs: [Run], _ body: (Range<Int>) -> Void) {
    // The lowest old place from each run on.
    let lowest = Scratch<Int32>(repeating: .max, count: runs.count + 1)
    for number in runs.indices.reversed() {
        lowest[number] = min(lowest[number + 1], runs[number].lowestOld)
    }
    var start = 0
    var highest: Int32 = -1
    for number in runs.indices {
        highest = max(highest, runs[number].highestOld)
        guard highest < lowest[number + 1] else { continue }
        if number > start || runs[number].length < 0 { body(start..<number + 1) }
        start = number + 1
    }
}

/// Appends the moves that bring the runs of one knot into order.
private func appendLeastMoves(ofKnot runs: ArraySlice<Run>, to moves: inout [ItemChanges.Move]) {
    let count = runs.reduce(0) { $0 + $1.count }
    // Of a run that descends, one item at most can stay: each is a run by itself.
    let pieces = runs.reduce(0) { $0 + ($1.length > 0 ? 1 : $1.count) }
    if pieces <= 64 || pieces * 4 <= count {
        var single: [Run] = []
        single.reserveCapacity(pieces)
        for run in runs { run.appendPieces(to: &single) }
        let stays = heaviestRise(of: single)
        for (run, stays) in zip(single, stays) where !stays { append(run, to: &moves) }
    } else {
        appendLeastMovesOfItems(of: runs, count: count, to: &moves)
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

private func append(_ run: Run, to moves: inout [ItemChanges.Move]) {
    for offset in 0..<run.length {
        moves.append(.init(from: run.old + offset, to: run.new + offset))
    }
}

/// Decides item by item: for runs that are short, or descend.
private func appendLeastMovesOfItems(
    of runs: ArraySlice<Run>, count: Int, to moves: inout [ItemChanges.Move]
) {
    let places = Scratch<Int32>(unset: count)
    var number = 0
    for run in runs {
        var place = run.old
        for _ in 0..<run.count {
            places[number] = place
            place &+= run.step
            number += 1
        }
    }
    let stays = longestRise(of: places)
    number = 0
    for run in runs {
        for offset in 0..<Int32(truncatingIfNeeded: run.count) {
            if !stays[number] { moves.append(.init(from: places[number], to: run.new + offset)) }
            number += 1
        }
    }
}
