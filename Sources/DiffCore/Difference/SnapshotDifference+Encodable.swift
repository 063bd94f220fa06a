// A difference in an encoder's hands.

extension SnapshotDifference: Encodable
where SectionIdentifierType: Encodable, ItemIdentifierType: Encodable {
    private enum CodingKeys: CodingKey {
        case deletedSections, insertedSections, movedSections, reloadedSections
        case deletedItems, insertedItems, movedItems, reloadedItems, reconfiguredItems
    }

    /// Encodes the changes, each kind under the name of its property.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(deletedSections, forKey: .deletedSections)
        try container.encode(insertedSections, forKey: .insertedSections)
        try container.encode(movedSections, forKey: .movedSections)
        try container.encode(reloadedSections, forKey: .reloadedSections)
        try container.encode(deletedItems, forKey: .deletedItems)
        try container.encode(insertedItems, forKey: .insertedItems)
        try container.encode(movedItems, forKey: .movedItems)
        try container.encode(reloadedItems, forKey: .reloadedItems)
        try container.encode(reconfiguredItems, forKey: .reconfiguredItems)
    }
}
