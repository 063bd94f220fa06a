// Encodes snapshots and outlines, and decodes them with all their preconditions checked.

private enum SnapshotKey: String, CodingKey { case sections, marks }

/// A section with its items, as it is encoded.
private struct SectionContent<Section, Item> {
    let section: Section
    let items: [Item]
}

extension SectionContent: Encodable where Section: Encodable, Item: Encodable {}
extension SectionContent: Decodable where Section: Decodable, Item: Decodable {}

extension DiffableDataSourceSnapshot: Encodable
where SectionIdentifierType: Encodable, ItemIdentifierType: Encodable {
    /// Encodes the sections with their items, and the marks if there are any; O(*n*) for *n* of them.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: SnapshotKey.self)
        let sections = sectionIdentifiers.map {
            SectionContent(section: $0, items: itemIdentifiers(inSection: $0))
        }
        try container.encode(sections, forKey: .sections)
        try container.encodeIfPresent(marks, forKey: .marks)
    }
}

extension DiffableDataSourceSnapshot: Decodable
where SectionIdentifierType: Decodable, ItemIdentifierType: Decodable {
    /// Decodes a snapshot; a repeated section or item, or the mark of an absent one, is an error;
    /// O(*n*) for *n* of them.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: SnapshotKey.self)
        func expect(_ isValid: Bool, _ key: SnapshotKey, _ fault: String) throws {
            guard !isValid else { return }
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container, debugDescription: fault)
        }
        let contents = try container.decode(
            [SectionContent<SectionIdentifierType, ItemIdentifierType>].self, forKey: .sections)
        try expect(
            UniqueArray.firstRepeated(in: contents.map(\.section)) == nil
                && UniqueArray.firstRepeated(in: contents.flatMap(\.items)) == nil, .sections,
            "a section or item is repeated")
        self.init(contents.map { ($0.section, $0.items) })
        let marks = try container.decodeIfPresent(
            SnapshotMarks<SectionIdentifierType, ItemIdentifierType>.self, forKey: .marks)
        guard let marks else { return }
        let items = marks.reloadedItems.elements + marks.reconfiguredItems.elements
        try expect(
            marks.reloadedSections.elements.allSatisfy { indexOfSection($0) != nil }
                && items.allSatisfy { indexOfItem($0) != nil }, .marks,
            "a marked section or item is absent")
        self.marks = marks
    }
}

extension UniqueArray: Encodable where Element: Encodable {
    @usableFromInline
    func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

extension UniqueArray: Decodable where Element: Decodable {
    /// Decodes the elements, each once.
    @usableFromInline
    init(from decoder: any Decoder) throws {
        self.init()
        add(try [Element](from: decoder))
    }
}

// MARK: Outlines

private enum OutlineKey: String, CodingKey { case items }

extension DiffableDataSourceSectionSnapshot: Encodable where ItemIdentifierType: Encodable {
    /// Encodes all items in order, each with its level and whether it is expanded; O(*n*).
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: OutlineKey.self)
        try container.encode(entries, forKey: .items)
    }
}

extension DiffableDataSourceSectionSnapshot: Decodable where ItemIdentifierType: Decodable {
    /// Decodes an outline; a repeated item, or an item without a parent on the level above, is an
    /// error; O(*n*).
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: OutlineKey.self)
        let entries = try container.decode([Entry].self, forKey: .items)
        var lowest = 0
        for entry in entries {
            guard (0...lowest).contains(entry.level) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .items, in: container, debugDescription: "an item has no parent")
            }
            lowest = entry.level + 1
        }
        guard UniqueArray.firstRepeated(in: entries.map(\.item)) == nil else {
            throw DecodingError.dataCorruptedError(
                forKey: .items, in: container, debugDescription: "an item is repeated")
        }
        self.init(entries)
    }
}
