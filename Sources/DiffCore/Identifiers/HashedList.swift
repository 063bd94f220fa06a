// What a table of places has to know of a list.

/// A list of identifiers that can be hashed and compared where they lie.
protocol HashedList {
    /// The number of identifiers.
    var count: Int { get }

    /// The hash of the identifier at a place.
    func hash(at place: Int, seeds: HashSeeds) -> Int

    /// Whether an identifier is the same as one of another list.
    func isSame(at place: Int, as other: Self, at otherPlace: Int) -> Bool
}
