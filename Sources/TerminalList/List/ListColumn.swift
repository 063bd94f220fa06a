// A column: its title, how wide it wants to be, and when it goes.

/// A column of a list.
public struct ListColumn: Hashable, Sendable {
    /// What stands above it.
    public var title: String
    /// With less room than this the column is left out, or another one is.
    public var minimum: Int
    /// The width that suffices for most of its texts.
    public var ideal: Int
    /// More than this is of no use; `nil` when it always is.
    public var maximum: Int?
    /// Its share of the room beyond every column's ideal; 0 for none.
    public var weight: Int
    /// The column with the lowest rank is left out first when there is no room for all.
    public var rank: Int
    /// On which side its texts stand.
    public var alignment: TextAlignment

    /// A column.
    public init(
        _ title: String, minimum: Int, ideal: Int, maximum: Int? = nil, weight: Int = 0,
        rank: Int = 0, alignment: TextAlignment = .leading
    ) {
        self.title = title
        self.minimum = minimum
        self.ideal = ideal
        self.maximum = maximum
        self.weight = weight
        self.rank = rank
        self.alignment = alignment
    }
}
