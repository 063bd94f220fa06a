// The state of a list at one moment: its sections and the items of each.

/// The state of a list at one moment: its sections and the items of each.
///
/// A snapshot holds identifiers only. Fill one from your data and apply it to a
/// data source, which updates the list:
///
/// ```swift
/// var snapshot = DiffableDataSourceSnapshot<Section, Mountain.ID>()
/// snapshot.appendSections([.main])
/// snapshot.appendItems(mountains.map(\.id))
/// dataSource.apply(snapshot)
/// ```
///
/// Section identifiers are unique, and so are item identifiers: appending or
/// inserting an item that is in the snapshot moves it, and replaces its value by
/// the one given, which may differ in what `==` does not compare. Other methods
/// only name items and keep their values. A section may have the same identifier
/// as an item. Violating a precondition, such as inserting before
/// an item that is not in the snapshot, stops the program.
///
/// Copies of a snapshot share its memory until one of them is changed: its first
/// change takes O(*n*) for *n* items, whatever is stated below.
///
/// Two snapshots are equal if they have the same sections with the same items in
/// the same order, and the same marks.
@preconcurrency
public struct DiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>: Sendable
where
    SectionIdentifierType: Hashable & Sendable,
    ItemIdentifierType: Hashable & Sendable
{
    @usableFromInline var sections = UniqueArray<SectionIdentifierType>()
    @usableFromInline var items = Shared(SectionedItems<ItemIdentifierType>())
    /// The marks, or `nil` if nothing has been marked.
    @usableFromInline var marks: SnapshotMarks<SectionIdentifierType, ItemIdentifierType>?

    /// Creates an empty snapshot.
    @preconcurrency
    @inlinable
    public init() {}

    /// Creates a snapshot of sections with their items.
    ///
    /// - Precondition: The sections are distinct, and the items of each; an item of two sections is in
    ///   the later one.
    /// - Complexity: O(*n* + *s*) for *n* items in *s* sections.
    @preconcurrency
    public init(_ sections: some Sequence<(SectionIdentifierType, [ItemIdentifierType])>) {
        for (section, items) in sections {
            appendSections([section])
            appendItems(items)
        }
    }
}

// MARK: Items

extension DiffableDataSourceSnapshot {
    /// Calls a closure with the items, indexed.
    @inlinable
    func withItems<Result: Sendable>(
        _ body: (inout SectionedItems<ItemIdentifierType>) -> Result
    ) -> Result {
        items.access { items in
            _ = items.indexPending()
            return body(&items)
        }
    }

    /// Calls a closure that changes the items; the closure indexes them if needed.
    @inlinable
    mutating func changeItems(_ body: (inout SectionedItems<ItemIdentifierType>) -> Void) {
        Shared.change(&items, body)
    }

    /// Returns the index of a section named by an operation.
    @inlinable
    func index(ofSection identifier: SectionIdentifierType, for call: Call) -> Int {
        guard let index = sections.index(of: identifier) else {
            misuse(call, "there is no section \(identifier)")
        }
        return index
    }

    /// Returns the index of an item named by an operation.
    @inlinable
    func index(ofItem identifier: ItemIdentifierType, for call: Call) -> Int {
        guard let index = indexOfItem(identifier) else {
            misuse(call, "there is no item \(identifier)")
        }
        return index
    }

    /// Returns the index path of an item, or `nil` if it is absent.
    @inlinable
    func indexPath(of identifier: ItemIdentifierType) -> IndexPath? {
        withItems { items in
            items.index(of: identifier).map { items.bounds.indexPath(at: $0) }
        }
    }
}

// MARK: Queries

extension DiffableDataSourceSnapshot {
    /// The number of items in all sections; O(1).
    @preconcurrency
    @inlinable public var numberOfItems: Int { withItems { $0.items.count } }

    /// The number of sections; O(1).
    @preconcurrency
    @inlinable public var numberOfSections: Int { sections.count }

    /// The section identifiers, in order; O(1).
    @preconcurrency
    @inlinable public var sectionIdentifiers: [SectionIdentifierType] { sections.elements }

    /// The item identifiers of all sections, in order; O(1).
    @preconcurrency
    @inlinable public var itemIdentifiers: [ItemIdentifierType] {
        withItems { $0.items.elements }
    }

    /// Returns the number of items in a section; O(1).
    ///
    /// - Precondition: The section is in the snapshot.
    @preconcurrency
    @inlinable
    public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int {
        let section = index(ofSection: identifier, for: "numberOfItems(inSection:)")
        return withItems { $0.bounds.range(of: section).count }
    }

    /// Returns the items of a section, in order; O(*k*) for *k* items.
    ///
    /// - Precondition: The section is in the snapshot.
    @preconcurrency
    @inlinable
    public func itemIdentifiers(
        inSection identifier: SectionIdentifierType
    ) -> [ItemIdentifierType] {
        let section = index(ofSection: identifier, for: "itemIdentifiers(inSection:)")
        return withItems { items in
            let range = items.bounds.range(of: section)
            let all = items.items.elements
            return range.count == all.count ? all : Array(all[range])
        }
    }

    /// Returns the item at an index path; O(1).
    ///
    /// - Precondition: The snapshot has an item at the index path.
    @preconcurrency
    @inlinable
    public func itemIdentifier(at indexPath: IndexPath) -> ItemIdentifierType {
        guard let item = withItems({ $0.item(at: indexPath) }) else {
            misuse("itemIdentifier(at:)", "there is no item at \(indexPath)")
        }
        return item
    }

    /// Returns the first item of a section, or `nil` if the section is empty.
    func firstItem(inSection identifier: SectionIdentifierType) -> ItemIdentifierType? {
        let section = index(ofSection: identifier, for: "firstItem(inSection:)")
        return withItems { $0.item(at: IndexPath(item: 0, section: section)) }
    }

    /// Returns the section that contains an item, or `nil` if the item is absent.
    ///
    /// - Complexity: O(log *s*) for *s* sections.
    @preconcurrency
    @inlinable
    public func sectionIdentifier(
        containingItem identifier: ItemIdentifierType
    ) -> SectionIdentifierType? {
        indexPath(of: identifier).map { sections.elements[$0.section] }
    }

    /// Returns the index of an item among the items of all sections, or `nil` if it is absent; O(1).
    @preconcurrency
    @inlinable
    public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? {
        withItems { $0.index(of: identifier) }
    }

    /// Returns the index path of the item at an index among the items of all sections.
    ///
    /// - Precondition: There is an item at the index.
    /// - Complexity: O(log *s*) for *s* sections.
    package func indexPath(at index: Int) -> IndexPath {
        withItems { $0.bounds.indexPath(at: index) }
    }

    /// Returns the index of a section, or `nil` if it is absent; O(1).
    @preconcurrency
    @inlinable
    public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
        sections.index(of: identifier)
    }
}

// MARK: Sections

extension DiffableDataSourceSnapshot {
    /// Appends empty sections.
    ///
    /// - Precondition: The identifiers are distinct, and none is in the snapshot.
    /// - Complexity: Amortised O(*k*) for *k* new sections.
    @preconcurrency
    @inlinable
    public mutating func appendSections(
        _ identifiers: [SectionIdentifierType], file: StaticString = #fileID, line: UInt = #line
    ) {
        insert(identifiers, at: sections.count, for: Call("appendSections(_:)", file, line))
    }

    /// Inserts empty sections before another section.
    ///
    /// - Precondition: `toIdentifier` is in the snapshot; the new identifiers are distinct, and none
    ///   is in the snapshot.
    /// - Complexity: O(*s* + *k*) for *k* new sections among *s*.
    @preconcurrency
    public mutating func insertSections(
        _ identifiers: [SectionIdentifierType], beforeSection toIdentifier: SectionIdentifierType,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let call = Call("insertSections(_:beforeSection:)", file, line)
        insert(identifiers, at: index(ofSection: toIdentifier, for: call), for: call)
    }

    /// Inserts empty sections after another section.
    ///
    /// - Precondition: `toIdentifier` is in the snapshot; the new identifiers are distinct, and none
    ///   is in the snapshot.
    /// - Complexity: O(*s* + *k*) for *k* new sections among *s*.
    @preconcurrency
    public mutating func insertSections(
        _ identifiers: [SectionIdentifierType], afterSection toIdentifier: SectionIdentifierType,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let call = Call("insertSections(_:afterSection:)", file, line)
        insert(identifiers, at: index(ofSection: toIdentifier, for: call) + 1, for: call)
    }

    /// Deletes sections with their items; absent sections are ignored.
    ///
    /// - Complexity: O(*n* + *s* + *k* log *k*) for *k* sections deleted of *s* with *n* items.
    @preconcurrency
    public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) {
        let removed = [Range<Int>](joining: identifiers.compactMap { sections.index(of: $0) })
        guard !removed.isEmpty else { return }
        if marks != nil {
            let items = removed.joined().flatMap {
                itemIdentifiers(inSection: sections.elements[$0])
            }
            marks?.remove(sections: identifiers, items: items)
        }
        changeItems {
            _ = $0.indexPending()
            $0.removeSections(in: removed)
        }
        sections.remove(in: removed)
    }

    /// Moves a section with its items before another section.
    ///
    /// - Precondition: Both sections are in the snapshot, and they are different.
    /// - Complexity: O(*n* + *s*) for *n* items in *s* sections.
    @preconcurrency
    public mutating func moveSection(
        _ identifier: SectionIdentifierType, beforeSection toIdentifier: SectionIdentifierType,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        move(
            identifier, to: toIdentifier, offset: 0,
            for: Call("moveSection(_:beforeSection:)", file, line))
    }

    /// Moves a section with its items after another section.
    ///
    /// - Precondition: Both sections are in the snapshot, and they are different.
    /// - Complexity: O(*n* + *s*) for *n* items in *s* sections.
    @preconcurrency
    public mutating func moveSection(
        _ identifier: SectionIdentifierType, afterSection toIdentifier: SectionIdentifierType,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        move(
            identifier, to: toIdentifier, offset: 1,
            for: Call("moveSection(_:afterSection:)", file, line))
    }

    @inlinable
    mutating func insert(
        _ identifiers: [SectionIdentifierType], at index: Int, for call: Call
    ) {
        if let repeated = UniqueArray.firstRepeated(in: identifiers) {
            misuse(call, "the call names section \(repeated) twice")
        }
        for identifier in identifiers where sections.contains(identifier) {
            misuse(call, "there is a section \(identifier) already")
        }
        let isAtEnd = index == sections.count
        changeItems {
            // Pending items refer to their sections by index.
            if !isAtEnd { _ = $0.indexPending() }
            $0.insertSections(identifiers.count, at: index)
        }
        sections.insert(identifiers, at: index)
    }

    private mutating func move(
        _ identifier: SectionIdentifierType, to anchor: SectionIdentifierType, offset: Int,
        for call: Call
    ) {
        let index = index(ofSection: identifier, for: call)
        var target = self.index(ofSection: anchor, for: call) + offset
        guard identifier != anchor else {
            misuse(call, "section \(identifier) cannot be moved relative to itself")
        }
        if target > index { target -= 1 }
        guard target != index else { return }
        changeItems {
            _ = $0.indexPending()
            $0.moveSection(at: index, to: target)
        }
        sections.move(index..<index + 1, to: target)
    }
}

// MARK: Items

extension DiffableDataSourceSnapshot {
    /// Appends items to a section, or to the last section if none is given.
    ///
    /// Items that are in the snapshot are moved.
    ///
    /// - Precondition: The section is in the snapshot, and the identifiers are distinct. If there are
    ///   32 or more, repetitions may be found only when the snapshot is queried, compared or applied.
    /// - Complexity: Amortised O(*k*) for *k* new items that are appended to the last section, or to any
    ///   section of a snapshot that has only been appended to; such a snapshot is indexed by the first
    ///   query, in O(*n*). Otherwise O(*n* + *k*) for *n* items and sections.
    @preconcurrency
    @inlinable
    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType],
        toSection sectionIdentifier: SectionIdentifierType? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        let call = Call("appendItems(_:toSection:)", file, line)
        let section: Int
        if let sectionIdentifier {
            section = index(ofSection: sectionIdentifier, for: call)
        } else {
            guard sections.count > 0 else {
                misuse(call, "there are no sections; append one first")
            }
            section = sections.count - 1
        }
        changeItems { $0.append(identifiers, toSection: section, for: call) }
    }

    /// Inserts items before another item; items that are in the snapshot are moved.
    ///
    /// - Precondition: `beforeIdentifier` is in the snapshot and not among `identifiers`, which are
    ///   distinct.
    /// - Complexity: O(*n* + *k*) for *k* items inserted among *n* items and sections.
    @preconcurrency
    @inlinable
    public mutating func insertItems(
        _ identifiers: [ItemIdentifierType], beforeItem beforeIdentifier: ItemIdentifierType,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        insert(
            identifiers, at: beforeIdentifier, offset: 0,
            for: Call("insertItems(_:beforeItem:)", file, line))
    }

    /// Inserts items after another item; items that are in the snapshot are moved.
    ///
    /// - Precondition: `afterIdentifier` is in the snapshot and not among `identifiers`, which are
    ///   distinct.
    /// - Complexity: O(*n* + *k*) for *k* items inserted among *n* items and sections.
    @preconcurrency
    @inlinable
    public mutating func insertItems(
        _ identifiers: [ItemIdentifierType], afterItem afterIdentifier: ItemIdentifierType,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        insert(
            identifiers, at: afterIdentifier, offset: 1,
            for: Call("insertItems(_:afterItem:)", file, line))
    }

    /// Replaces the items of a section by equal ones; O(*n*) for *n* items of the snapshot.
    mutating func replaceItems(
        inSection identifier: SectionIdentifierType, by items: [ItemIdentifierType]
    ) {
        let section = index(ofSection: identifier, for: "replaceItems(inSection:by:)")
        changeItems {
            _ = $0.indexPending()
            $0.items.elements.replaceSubrange($0.bounds.range(of: section), with: items)
        }
    }

    /// Deletes items; absent items are ignored. Sections stay, also when they are empty.
    ///
    /// - Complexity: O(*n* + *k* log *k*) for *k* items deleted from *n* items and sections.
    @preconcurrency
    @inlinable
    public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
        marks?.remove(items: identifiers)
        changeItems {
            _ = $0.indexPending()
            $0.remove(in: $0.ranges(of: identifiers))
        }
    }

    /// Deletes all items and all sections; O(1), apart from releasing them.
    @preconcurrency
    public mutating func deleteAllItems() { self = DiffableDataSourceSnapshot() }

    /// Moves an item before another item, which may be in another section.
    ///
    /// - Precondition: Both items are in the snapshot, and they are different.
    /// - Complexity: O(*n*) for *n* items and sections.
    @preconcurrency
    @inlinable
    public mutating func moveItem(
        _ identifier: ItemIdentifierType, beforeItem toIdentifier: ItemIdentifierType,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        move(
            identifier, to: toIdentifier, offset: 0,
            for: Call("moveItem(_:beforeItem:)", file, line))
    }

    /// Moves an item after another item, which may be in another section.
    ///
    /// - Precondition: Both items are in the snapshot, and they are different.
    /// - Complexity: O(*n*) for *n* items and sections.
    @preconcurrency
    @inlinable
    public mutating func moveItem(
        _ identifier: ItemIdentifierType, afterItem toIdentifier: ItemIdentifierType,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        move(
            identifier, to: toIdentifier, offset: 1, for: Call("moveItem(_:afterItem:)", file, line)
        )
    }

    @inlinable
    mutating func insert(
        _ identifiers: [ItemIdentifierType], at anchor: ItemIdentifierType, offset: Int,
        for call: Call
    ) {
        let index = index(ofItem: anchor, for: call)
        guard !identifiers.contains(anchor) else {
            misuse(call, "item \(anchor) is both inserted and the place to insert at")
        }
        changeItems {
            let section = $0.bounds.indexPath(at: index).section
            $0.insert(identifiers, at: index + offset, inSection: section, for: call)
        }
    }

    @inlinable
    mutating func move(
        _ identifier: ItemIdentifierType, to anchor: ItemIdentifierType, offset: Int,
        for call: Call
    ) {
        let index = index(ofItem: identifier, for: call)
        guard identifier != anchor else {
            misuse(call, "item \(identifier) cannot be moved relative to itself")
        }
        // The call names the item, and does not replace its value.
        let item = withItems { $0.items.elements[index] }
        insert([item], at: anchor, offset: offset, for: call)
    }
}

// MARK: Comparing and describing

extension DiffableDataSourceSnapshot: Equatable {
    /// Whether two snapshots have the same sections, items and marks; O(*n*) for *n* of them.
    @preconcurrency
    @inlinable
    public static func == (
        left: DiffableDataSourceSnapshot, right: DiffableDataSourceSnapshot
    ) -> Bool {
        left.hasSameItems(as: right)
            && (left.marks ?? SnapshotMarks()) == (right.marks ?? SnapshotMarks())
    }

    /// Whether two snapshots have the same sections with the same items.
    @inlinable
    func hasSameItems(as other: DiffableDataSourceSnapshot) -> Bool {
        guard sections == other.sections else { return false }
        guard items !== other.items else { return true }
        let (own, others) = (withItems { $0 }, other.withItems { $0 })
        return own.bounds == others.bounds && own.items == others.items
    }
}

extension DiffableDataSourceSnapshot: CustomStringConvertible {
    /// A line for each section, with its identifier and the identifiers of its items; O(*n*).
    @preconcurrency
    public var description: String {
        sectionIdentifiers.map { "\($0): \(itemIdentifiers(inSection: $0))" }
            .joined(separator: "\n")
    }
}
