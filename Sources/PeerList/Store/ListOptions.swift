// What is listed, how it is grouped, and in which order.

/// What is listed, how it is grouped, and in which order.
public struct ListOptions: Sendable, Hashable {
    /// What a row stands for.
    public var grouping: Grouping
    /// What rows are ordered by.
    public var order: SortOrder
    /// The only types that are listed, such as `_ssh._tcp` or `_printer._sub._http._tcp`; empty: all.
    public var types: [String]

    /// What is listed, how, and in which order.
    public init(grouping: Grouping = .device, order: SortOrder = .name, types: [String] = []) {
        self.grouping = grouping
        self.order = order
        self.types = types
    }

    /// Whether a service is one of those that are listed.
    func lists(type: String, subtypes: [String]) -> Bool {
        types.isEmpty
            || types.contains { wanted in
                wanted == type || subtypes.contains { "\($0)._sub.\(type)" == wanted }
            }
    }
}
