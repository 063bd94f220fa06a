// By what the rows of a section are ordered.

/// By what the rows of a section are ordered; ties are ordered by identifier.
public enum SortOrder: String, Sendable, Hashable, CaseIterable {
    /// By name.
    case name
    /// By the first address.
    case address
    /// By when they were first seen.
    case seen
}
