// The runs that can stay when whole runs are moved: a heaviest increasing subsequence.

/// Says of each run whether it is in one heaviest sequence of runs whose old places ascend.
///
/// A Fenwick tree over the runs in their old order keeps, for every prefix,
/// the heaviest sequence that ends in it.
///
/// - Parameter runs: Runs by their new places, none of which descends.
/// - Returns: A flag for each run.
/// - Complexity: O(*r* log *r*) for *r* runs.
func heaviestRise(of runs: borrowing GrowingRow<Run>) -> Scratch<Bool> {
    let ranks = ranks(of: runs)
    let none = Rise(weight: 0, run: -1)
    let tree = Scratch(repeating: none, count: runs.count + 1)
    let previous = Scratch<Int32>(repeating: -1, count: runs.count)
    var heaviest = none
    for number in 0..<runs.count {
        let run = runs[number]
        var before = none
        var node = Int(ranks[number]) - 1
        while node > 0 {
            if tree[node].weight > before.weight { before = tree[node] }
            node &= node - 1
        }
        previous[number] = before.run
        let here = Rise(
            weight: before.weight + run.length, run: Int32(truncatingIfNeeded: number))
        if here.weight > heaviest.weight { heaviest = here }
        node = Int(ranks[number])
        while node <= runs.count {
            if tree[node].weight < here.weight { tree[node] = here }
            node += node & -node
        }
    }
    let stays = Scratch(repeating: false, count: runs.count)
    var number = heaviest.run
    while number >= 0 {
        stays[Int(number)] = true
        number = previous[Int(number)]
    }
    return stays
}

/// A sequence of runs whose old places ascend: how many items it has, and its last run.
private struct Rise: BitwiseCopyable {
    var weight: Int32
    var run: Int32
}

/// The place of each run among the runs in their old order, from 1.
///
/// A bit for each old place at which a run begins, counted: there are at most as many words as
/// sixty-fourths of the list, which is less than sorting takes.
private func ranks(of runs: borrowing GrowingRow<Run>) -> Scratch<Int32> {
    var (low, high) = (Int32.max, Int32.min)
    for number in 0..<runs.count {
        (low, high) = (min(low, runs[number].old), max(high, runs[number].old))
    }
    let starts = Scratch<UInt64>(repeating: 0, count: Int(high - low) >> 6 + 1)
    for number in 0..<runs.count {
        let place = Int(runs[number].old &- low)
        starts[place >> 6] |= 1 &<< UInt64(place & 63)
    }
    let startsBefore = Scratch<Int32>(unset: starts.count)
    var count: Int32 = 0
    for word in 0..<starts.count {
        startsBefore[word] = count
        count &+= Int32(truncatingIfNeeded: starts[word].nonzeroBitCount)
    }
    let ranks = Scratch<Int32>(unset: runs.count)
    for number in 0..<runs.count {
        let place = Int(runs[number].old &- low)
        let upToPlace = starts[place >> 6] & ((2 &<< UInt64(place & 63)) &- 1)
        ranks[number] =
            startsBefore[place >> 6] &+ Int32(truncatingIfNeeded: upToPlace.nonzeroBitCount)
    }
    return ranks
}
