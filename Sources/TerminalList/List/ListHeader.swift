// What stands above the list: what it is, how it is doing, and what is wrong.

/// What stands above the list.
public struct ListHeader: Hashable, Sendable {
    /// What the list is, at the left.
    public var title: String
    /// A short note after the title; cut or left out where there is no room.
    public var badge: ListCell.Field?
    /// Counts and state, at the right; it keeps its room when the title is too long.
    public var status: String
    /// What is wrong, in a line of its own; `nil` when all is well.
    public var warning: String?

    /// A title, a state and perhaps a warning.
    public init(
        _ title: String, badge: ListCell.Field? = nil, status: String = "", warning: String? = nil
    ) {
        self.badge = badge
        self.title = title
        self.status = status
        self.warning = warning
    }
}
