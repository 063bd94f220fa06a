// The runs that can stay when whole runs are moved: a heaviest increasing subsequence.

/// Says of each run whether it is in one heaviest sequence of runs whose old places ascend.
///
/// A Fenwick tree over the runs in their old order keeps, for every prefix,
/// the heaviest sequence that ends in it.
///
/// - Parameter runs: Runs by their new places, none of which descends.
/// - Returns: A flag for each run.
/// - Complexity: O(*r* log *r*) for *r* runs.
func heaviestRise(of runs: [Run]) -> [Bool] {
    let ranks = ranks(of: runs)
    let none = Rise(weight: 0, run: -1)
    let tree = Scratch(repeating: none, count: runs.count + 1)
    let previous = Scratch<Int32>(repeating: -1, count: runs.count)
    var heaviest = none
    for (number, run) in runs.enumerated() {
        var before = none
        var node = ranks[number] - 1
        while node > 0 {
            if tree[node].weight > before.weight { before = tree[node] }
            node &= node - 1
        }
        previous[number] = before.run
        let here = Rise(
            weight: before.weight + run.length, run: Int32(truncatingIfNeeded: number))
        if here.weight > heaviest.weight { heaviest = here }
        node = ranks[number]
        while node <= runs.count {
            if tree[node].weight < here.weight { tree[node] = here }
            node += node & -node
        }
    }
    var stays = [Bool](repeating: false, count: runs.count)
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
private func ranks(of runs: [Run]) -> [Int] {
    // Place and number in one word: plain integers are sorted much faster than by a closure.
    let order = runs.indices.map { UInt64(runs[$0].old) << 32 | UInt64($0) }.sorted()
    var ranks = [Int](repeating: 0, count: runs.count)
    for (rank, run) in order.enumerated() { ranks[Int(run & 0xffff_ffff)] = rank + 1 }
    return ranks
}
