// Which elements of a sequence can stay where they are while the others move.

/// Says of each number whether it is in one longest increasing subsequence.
///
/// - Parameter numbers: Different numbers, in any order.
/// - Returns: A flag for each number.
/// - Complexity: O(*n* log *n*), and O(*n*) if they ascend already.
func longestIncreasingSubsequence(of numbers: [Int]) -> [Bool] {
    // ends[l]: the place of the smallest number that ends an increasing run of l + 1 so far.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: numbers.count)
    for (place, number) in numbers.enumerated() {
        var low = 0
        var high = ends.count
        if let last = ends.last, numbers[last] < number { low = high }
        while low < high {
            let middle = (low + high) / 2
            if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
        }
        if low > 0 { previous[place] = ends[low - 1] }
        if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var kept = [Bool](repeating: false, count: numbers.count)
    var place = ends.last ?? -1
    while place >= 0 {
        kept[place] = true
        place = previous[place]
    }
    return kept
}
