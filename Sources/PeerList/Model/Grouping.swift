// What the rows of the list are: devices, or services under their type.

/// What the rows of the list are.
public enum Grouping: String, Sendable, Hashable, CaseIterable {
    /// A row is a device; a section is a domain.
    case device
    /// A row is a service; a section is a service type.
    case type
}
