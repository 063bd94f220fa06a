// What a mouse did at the terminal.

/// What a mouse did at the terminal, and where.
public struct MouseEvent: Hashable, Sendable {
    /// What a mouse can do.
    public enum Kind: Hashable, Sendable {
        /// The first button was pressed.
        case press
        /// The wheel was turned by a notch, as if to see what is above, or below.
        case wheelUp, wheelDown
    }

    /// What it did.
    public var kind: Kind
    /// The line and the column, from zero.
    public var row, column: Int

    /// Something done in a place.
    public init(_ kind: Kind, row: Int, column: Int) {
        self.kind = kind
        self.row = row
        self.column = column
    }
}
