// A difference in an encoder's and a decoder's hands.

private enum ChangeKind: CodingKey {
    case deletedSections, insertedSections, movedSections, reloadedSections
    case deletedItems, insertedItems, movedItems, reloadedItems, reconfiguredItems
}

extension SnapshotDifference: Encodable
where SectionIdentifierType: Encodable, ItemIdentifierType: Encodable {
    /// Encodes the changes, each kind under the name of its property.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ChangeKind.self)
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

extension SnapshotDifference: Decodable
where SectionIdentifierType: Decodable, ItemIdentifierType: Decodable {
    /// Decodes changes that were encoded.
    ///
    /// A decoded difference equals the one that was encoded, and can do all that it could. Whether
    /// it fits a snapshot is found out where it is applied.
    ///
    /// - Throws: `DecodingError`, also where no two lists can differ by the changes: where a place
    ///   is below zero or taken twice, an identifier changes twice, or changes are not in order.
    /// - Complexity: O(*c*) for *c* changes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ChangeKind.self)
        let told = ToldChanges<SectionIdentifierType, ItemIdentifierType>(
            deletedSections: try container.decode([SectionChange].self, forKey: .deletedSections),
            insertedSections: try container.decode([SectionChange].self, forKey: .insertedSections),
            movedSections: try container.decode([SectionMove].self, forKey: .movedSections),
            reloadedSections: try container.decode([SectionChange].self, forKey: .reloadedSections),
            deletedItems: try container.decode([ItemChange].self, forKey: .deletedItems),
            insertedItems: try container.decode([ItemChange].self, forKey: .insertedItems),
            movedItems: try container.decode([ItemMove].self, forKey: .movedItems),
            reloadedItems: try container.decode([ItemChange].self, forKey: .reloadedItems),
            reconfiguredItems: try container.decode([ItemChange].self, forKey: .reconfiguredItems))
        do throws(Contradiction) {
            try told.check()
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.reason))
        }
        self.init(Changes(told: told))
    }
}
