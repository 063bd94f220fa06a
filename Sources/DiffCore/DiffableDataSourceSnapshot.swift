// The state of a list at a moment: sections, and the items of each.

/// The state of a list at a moment.
public struct DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>: Sendable
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    /// The sections, in order.
    public private(set) var sectionIdentifiers: [SectionIdentifierType] = []
    private var items: [SectionIdentifierType: [ItemIdentifierType]] = [:]
    /// The items that are marked as reconfigured.
    public private(set) var reconfiguredItemIdentifiers: [ItemIdentifierType] = []

    /// An empty snapshot.
    public init() {}

    /// The items of all sections, in order.
    public var itemIdentifiers: [ItemIdentifierType] {
        sectionIdentifiers.flatMap { items[$0] ?? [] }
    }

    /// The items of a section, in order.
    public func itemIdentifiers(inSection section: SectionIdentifierType) -> [ItemIdentifierType] {
        items[section] ?? []
    }

    /// Appends sections.
    public mutating func appendSections(_ sections: [SectionIdentifierType]) {
        sectionIdentifiers += sections
    }

    /// Appends items to a section, or to the last one.
    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType], toSection section: SectionIdentifierType? = nil
    ) {
        guard let section = section ?? sectionIdentifiers.last else {
            preconditionFailure("appendItems: there is no section")
        }
        items[section, default: []] += identifiers
    }

    /// Marks items that are to be shown anew.
    public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
        reconfiguredItemIdentifiers += identifiers
    }
}
