// A snapshot in words.

extension DiffableDataSourceSnapshot: CustomStringConvertible {
    /// A line for each section: its identifier, and those of its items.
    public var description: String {
        sectionIdentifiers.map { "\($0): \(itemIdentifiers(inSection: $0))" }
            .joined(separator: "\n")
    }
}
