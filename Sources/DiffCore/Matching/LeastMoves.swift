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
    guard !areInOrder(runs) else { return }
    let count = runs.reduce(0) { $0 + $1.count }
    // Of a run that descends, one item at most can stay: each is a run by itself.
    let pieces = runs.reduce(0) { $0 + ($1.length > 0 ? 1 : $1.count) }
    if pieces <= 64 || pieces * 4 <= count {
        var runs = runs
        if pieces > runs.count {
            let whole = runs
            runs = []
            runs.reserveCapacity(pieces)
            for run in whole { run.appendPieces(to: &runs) }
        }
        let stays = heaviestRise(of: runs)
        for (run, stays) in zip(runs, stays) where !stays { append(run, to: &moves) }
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
    of runs: [Run], count: Int, to moves: inout [ItemChanges.Move]
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
