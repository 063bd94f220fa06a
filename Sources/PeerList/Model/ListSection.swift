// A section of the list with its rows, whole: what a `begin` line and a table are made from.

/// A section of the list with all that its rows stand for.
public struct ListSection: Sendable, Hashable, Identifiable {
    /// The domain, or the service type.
    public var id: String

    /// The rows, in order.
    public var items: [ListItem]

    /// A section with its rows.
    public init(id: String, items: [ListItem]) {
        self.id = id
        self.items = items
    }
}
