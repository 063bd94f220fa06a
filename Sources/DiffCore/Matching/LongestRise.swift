// The items that can stay when items are moved one by one: a longest increasing subsequence.

/// Says of each place whether it is in one longest increasing subsequence.
///
/// The smallest ends of rising sequences of every length are kept as a set of
/// places: a new place takes the spot of the next end above it, and follows
/// upon the next end below it. The set is a bit for each place in three levels,
/// so that both neighbours are found in a few steps.
///
/// - Parameter places: Different numbers from zero on, in any order, at least one.
/// - Returns: A flag for each place.
/// - Complexity: O(*n* + *m*) for *n* places below *m*, up to 64³ of them; a factor
///   of *m* / 64³ more beyond.
func longestRise(of places: borrowing Scratch<Int32>) -> Scratch<Bool> {
    var low = Int32.max
    var high: Int32 = 0
    for number in 0..<places.count {
        low = min(low, places[number])
        high = max(high, places[number])
    }
    let bound = Int(high) - Int(low) + 1
    let ends = OrderedPlaces(below: bound)
    // The number in `places` of each place that is an end.
    let numbers = Scratch<Int32>(unset: bound)
    let previous = Scratch<Int32>(repeating: -1, count: places.count)
    var first = Int.max
    var last = -1
    for number in 0..<places.count {
        let place = Int(places[number] &- low)
        if place > last {
            if last >= 0 { previous[number] = numbers[last] }
            if first == Int.max { first = place }
            last = place
        } else if place < first {
            ends.remove(first)
            if last == first { last = place }
            first = place
        } else {
            previous[number] = numbers[ends.last(before: place)]
            let next = ends.first(after: place)
            ends.remove(next)
            if next == last { last = place }
        }
        ends.insert(place)
        numbers[place] = Int32(truncatingIfNeeded: number)
    }
    let stays = Scratch(repeating: false, count: places.count)
    var number = last < 0 ? -1 : numbers[last]
    while number >= 0 {
        stays[Int(number)] = true
        number = previous[Int(number)]
    }
    return stays
}
