// Where an item stands: the number of its section, and its number in it.

/// Where an item stands in a list of sections.
public struct IndexPath: Hashable, Comparable, Sendable, Codable {
    /// The section's number, from zero.
    public var section: Int

    /// The item's number in its section, from zero.
    public var item: Int

    /// The place of an item in a section.
    @inlinable
    public init(item: Int, section: Int) {
        self.section = section
        self.item = item
    }

    /// Whether a place comes before another: by section, then by item.
    @inlinable
    public static func < (left: IndexPath, right: IndexPath) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}
