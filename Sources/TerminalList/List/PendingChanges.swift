// What the data source told since the rows were last laid out.

/// What the data source told since the rows were last laid out.
///
/// Rows are laid out once a frame, not once a change, so that a thousand changes between two
/// frames cost no more than one.
struct PendingChanges<Item: Hashable & Sendable> {
    /// Whether the rows no longer fit the snapshot.
    var isStale = false
    /// The items that left.
    var left: Set<Item> = []
    /// The items that stand elsewhere, or left and came back.
    var moved: Set<Item> = []
    /// The items that take the place of ones that the next difference deletes.
    var replacements: [Item: Item] = [:]

    func isUprooted(_ item: Item) -> Bool { left.contains(item) || moved.contains(item) }

    /// The rows are laid out; announced replacements still wait for their difference.
    mutating func clear() {
        isStale = false
        left = []
        moved = []
    }
}
