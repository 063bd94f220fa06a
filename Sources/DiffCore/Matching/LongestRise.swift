// The items that can stay when items are moved one by one: a longest increasing subsequence.

/// Says of each place whether it is in one longest increasing subsequence.
///
/// The lowest ends of rising sequences of every length are kept as a set of places: a new place
/// takes the spot of the next end above it, and with it that one's rank, which is how many
/// places are in front of it in the sequence. The set is a bit for each place in three levels, so
/// that the next end is found in a few steps. Afterwards a longest sequence is read backwards: in
/// front of each place stands the nearest one of the next lower rank, which was an end when
/// the place came, and below it.
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
    let rankOfEnd = Scratch<Int32>(unset: bound)
    let ranks = Scratch<Int32>(unset: places.count)
    var length: Int32 = 0
    var last = -1
    for number in 0..<places.count {
        let place = Int(places[number] &- low)
        var rank = length
        if place > last {
            length &+= 1
            last = place
        } else {
            let next = ends.first(after: place)
            rank = rankOfEnd[next]
            ends.remove(next)
            if next == last { last = place }
        }
        ends.insert(place)
        rankOfEnd[place] = rank
        ranks[number] = rank
    }
    let stays = Scratch<Bool>(unset: places.count)
    for number in (0..<places.count).reversed() {
        let isNext = ranks[number] == length &- 1
        stays[number] = isNext
        if isNext { length &-= 1 }
    }
    return stays
}
