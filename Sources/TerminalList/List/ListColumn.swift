// A column: its title, how wide it wants to be, and when it goes.

/// A column of a list.
public struct ListColumn: Hashable, Sendable {
    /// What stands above it.
    public var title: String
    /// The width below which a column is left out: this one or one of lower rank.
    public var minimum: Int
    /// The width that suffices before the column itself is left out, once all columns are left out
    /// that have none; `nil` where ``minimum`` holds.
    public var least: Int?
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
        _ title: String, least: Int? = nil, minimum: Int, ideal: Int, maximum: Int? = nil,
        weight: Int = 0,
        rank: Int = 0, alignment: TextAlignment = .leading
    ) {
        self.title = title
        self.least = least
        self.minimum = minimum
        self.ideal = ideal
        self.maximum = maximum
        self.weight = weight
        self.rank = rank
        self.alignment = alignment
    }
}
