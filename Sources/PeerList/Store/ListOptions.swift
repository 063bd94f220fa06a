// The options of the list: the rows, their order and the listed service types.

/// The kinds of rows.
public enum Grouping: String, Sendable, Hashable, CaseIterable {
    /// A row is a device; a section is a domain.
    case device
    /// A row is a service; a section is a service type.
    case type
}

/// The property by which the rows of a section are ordered; ties are ordered by identifier.
public enum SortOrder: String, Sendable, Hashable, CaseIterable {
    /// By name.
    case name
    /// By the first address.
    case address
    /// By the time at which they were first seen.
    case seen
}

/// The options of the list.
public struct ListOptions: Sendable, Hashable {
    /// The kind of rows.
    public var grouping: Grouping
    /// The order of the rows of a section.
    public var order: SortOrder
    /// The only types that are listed, such as `_ssh._tcp` or `_printer._sub._http._tcp`; empty: all.
    public var types: [String]

    /// Creates options.
    public init(grouping: Grouping = .device, order: SortOrder = .name, types: [String] = []) {
        self.grouping = grouping
        self.order = order
        self.types = types
    }

    func includes(_ service: ServiceState) -> Bool {
        let type = service.key.type
        return types.isEmpty
            || types.contains { wanted in
                wanted == type || service.subtypes.contains { "\($0)._sub.\(type)" == wanted }
            }
    }
}
