// The position of an item in a list: the index of its section and its index in the section.

/// The position of an item in a list of sections.
public struct IndexPath: Hashable, Comparable, Sendable, Codable {
    /// The index of the section.
    public var section: Int

    /// The index of the item in its section.
    public var item: Int

    /// Creates the index path of an item in a section.
    @inlinable
    public init(item: Int, section: Int) {
        self.section = section
        self.item = item
    }

    /// Creates the index path of a row in a section.
    @inlinable
    public init(row: Int, section: Int) { self.init(item: row, section: section) }

    /// The index of the item in its section, under the name that table views have for it.
    @inlinable public var row: Int {
        get { item }
        set { item = newValue }
    }

    /// Whether one index path precedes another: by section, then by item; O(1).
    @inlinable
    public static func < (left: IndexPath, right: IndexPath) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}

extension IndexPath: CustomStringConvertible {
    /// The indices of the section and the item, as `section.item`.
    public var description: String { "\(section).\(item)" }
}
