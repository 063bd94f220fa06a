// The state of a section whose items form an outline.

/// The state of a section at one moment: its items as an outline, parts of which are expanded.
///
/// ```swift
/// var outline = DiffableDataSourceSectionSnapshot<String>()
/// outline.append(["printer", "laptop"])
/// outline.append(["_ipp._tcp", "_http._tcp"], to: "printer")
/// outline.expand(["printer"])
/// dataSource.apply(outline, to: "devices")
/// ```
///
/// An item is visible if all of its ancestors are expanded. An item may be
/// expanded while it has no children or is not visible itself.
///
/// Filling an outline takes linear time, in whatever order of the parents: items
/// that are appended among others are put in order by the first query or edit
/// that depends on it, which then takes O(*n*) for *n* items.
///
/// Unlike in a ``DiffableDataSourceSnapshot``, adding an item that is in the
/// outline violates a precondition, as its children would have no defined
/// place; like all such violations it stops the program.
@preconcurrency
public struct DiffableDataSourceSectionSnapshot<ItemIdentifierType>: Sendable
where ItemIdentifierType: Hashable & Sendable {
    /// The items with their levels, in order or to be put in order by a query.
    @usableFromInline var content: Shared<OutlineItems<ItemIdentifierType>>

    /// Creates an empty outline.
    @preconcurrency
    public init() { self.init(OutlineItems()) }

    init(_ items: OutlineItems<ItemIdentifierType>) { content = Shared(items) }

    /// The items with their levels, in order.
    @inlinable var ordered: OutlineItems<ItemIdentifierType> { read { $0 } }

    /// Calls a closure with the items in order.
    @inlinable
    func read<Result: Sendable>(
        _ body: (OutlineItems<ItemIdentifierType>) -> Result
    ) -> Result {
        content.access { content in
            content.putInOrder()
            return body(content)
        }
    }

    /// Calls a closure that changes the items, which are in order.
    @inlinable
    mutating func change(_ body: (inout OutlineItems<ItemIdentifierType>) -> Void) {
        Shared.change(&content) { content in
            content.putInOrder()
            body(&content)
        }
    }
}

extension DiffableDataSourceSectionSnapshot: Equatable {
    /// Whether two outlines have the same items with the same parents, and the same of them expanded;
    /// O(*n*) for *n* items.
    @preconcurrency
    public static func == (
        left: DiffableDataSourceSectionSnapshot, right: DiffableDataSourceSectionSnapshot
    ) -> Bool {
        let (left, right) = (left.ordered, right.ordered)
        return left.tree == right.tree && left.list == right.list
    }
}

// MARK: Queries

extension DiffableDataSourceSectionSnapshot {
    /// All items, each before its descendants; O(1).
    @preconcurrency
    @inlinable
    public var items: [ItemIdentifierType] { read { $0.list.elements } }

    /// The items without a parent, in order; O(*n*).
    @preconcurrency
    public var rootItems: [ItemIdentifierType] {
        // They are in order among themselves.
        content.access { content in
            content.tree.rootIndices.map { content.list.elements[$0] }
        }
    }

    /// The items whose ancestors are all expanded, in order; O(*n*).
    @preconcurrency
    public var visibleItems: [ItemIdentifierType] {
        read { $0.visibleItems(in: 0..<$0.list.count) }
    }

    /// Whether an item is in the outline; O(1).
    @preconcurrency
    public func contains(_ item: ItemIdentifierType) -> Bool {
        content.access { $0.list.contains(item) }
    }

    /// Returns the index of an item among all items, or `nil` if it is absent; O(1).
    @preconcurrency
    @inlinable
    public func index(of item: ItemIdentifierType) -> Int? {
        read { $0.list.index(of: item) }
    }

    /// Whether an item is expanded, with or without children; O(1).
    ///
    /// - Precondition: The item is in the outline.
    @preconcurrency
    public func isExpanded(_ item: ItemIdentifierType) -> Bool {
        node(of: item, for: "isExpanded(_:)").isExpanded
    }

    /// Whether all ancestors of an item are expanded; O(1).
    ///
    /// - Precondition: The item is in the outline.
    @preconcurrency
    public func isVisible(_ item: ItemIdentifierType) -> Bool {
        node(of: item, for: "isVisible(_:)").isVisible
    }

    /// Returns the number of an item's ancestors, 0 for a root item; O(1).
    ///
    /// - Precondition: The item is in the outline.
    @preconcurrency
    public func level(of item: ItemIdentifierType) -> Int {
        node(of: item, for: "level(of:)").level
    }

    /// Returns the parent of an item, or `nil` for a root item; O(1).
    ///
    /// - Precondition: The item is in the outline.
    @preconcurrency
    public func parent(of child: ItemIdentifierType) -> ItemIdentifierType? {
        content.access { content in
            content.tree.parent(of: content.index(of: child, for: "parent(of:)"))
                .map { content.list.elements[$0] }
        }
    }

    /// Returns the descendants of an item as an outline whose levels begin at 0.
    ///
    /// - Precondition: The item is in the outline.
    /// - Complexity: O(*k*) for *k* descendants.
    @preconcurrency
    public func snapshot(
        of parent: ItemIdentifierType, includingParent: Bool = false
    ) -> DiffableDataSourceSectionSnapshot {
        let ordered = ordered
        let index = ordered.index(of: parent, for: "snapshot(of:includingParent:)")
        let range = (includingParent ? index : index + 1)..<ordered.tree.end(of: index)
        var result = OutlineItems<ItemIdentifierType>()
        result.insert(
            Array(ordered.list.elements[range]), Array(ordered.tree.nodes[range]), at: 0,
            parent: nil)
        return DiffableDataSourceSectionSnapshot(result)
    }

    /// Returns the outline as text for debugging: a line for each item, indented by its level.
    ///
    /// A visible item is preceded by `*`, an expanded one by `+`, and a collapsed one with children
    /// by `-`.
    ///
    /// - Complexity: O(*n*) for *n* items.
    @preconcurrency
    public func visualDescription() -> String {
        let (items, tree) = (ordered.list.elements, ordered.tree)
        return items.indices.map { index in
            let node = tree[index]
            let hasChildren = tree.hasChildren(index)
            let disclosure = node.isExpanded ? "+" : hasChildren ? "-" : " "
            let indent = String(repeating: "  ", count: node.level)
            return "\(node.isVisible ? "*" : " ")\(disclosure) \(indent)\(items[index])"
        }.joined(separator: "\n")
    }

    /// Returns the node of an item named by an operation.
    private func node(of item: ItemIdentifierType, for call: Call) -> OutlineTree.Node {
        content.access { $0.tree[$0.index(of: item, for: call)] }
    }
}

extension DiffableDataSourceSectionSnapshot: CustomStringConvertible {
    /// The same as ``visualDescription()``; O(*n*).
    @preconcurrency
    public var description: String { visualDescription() }
}

// MARK: Entries

extension DiffableDataSourceSectionSnapshot {
    /// An item of an outline with its level, which determines its parent.
    struct Entry: Sendable {
        var item: ItemIdentifierType
        var level: Int
        var isExpanded: Bool
    }

    /// Creates an outline of distinct items, none of which is more than one level below the previous one.
    init(_ entries: [Entry]) {
        let nodes = entries.map { OutlineTree.Node(level: $0.level, isExpanded: $0.isExpanded) }
        self.init()
        change { $0.insert(entries.map(\.item), nodes, at: 0, parent: nil) }
    }

    /// All items with their levels, in order.
    var entries: [Entry] {
        let ordered = ordered
        return zip(ordered.list.elements, ordered.tree.nodes).map {
            Entry(item: $0, level: $1.level, isExpanded: $1.isExpanded)
        }
    }
}

extension DiffableDataSourceSectionSnapshot {
    /// The part that differs from another outline.
    struct Edit {
        /// The visible items of the other outline in this part.
        let deletedRows: [ItemIdentifierType]
        /// The visible items of this outline in this part.
        let insertedRows: [ItemIdentifierType]
        /// All items of this outline in this part.
        let added: [ItemIdentifierType]
        /// The visible item before this part.
        let precedingRow: ItemIdentifierType?
        /// Whether all other items of both outlines have the same values, not only equal ones.
        let keepsOtherValues: Bool
    }

    /// Returns the part, between a common start and a common end, that differs from another outline.
    func edit(from other: DiffableDataSourceSectionSnapshot) -> Edit {
        let (new, old) = (ordered, other.ordered)
        let limit = min(new.list.count, old.list.count)
        var start = new.list.commonCount(with: old.list, limit: limit)
        start = new.tree.commonCount(with: old.tree, limit: start)
        var end = new.list.commonCount(with: old.list, limit: limit - start, backwards: true)
        end = new.tree.commonCount(with: old.tree, limit: end, backwards: true)
        let changed = start..<new.list.count - end
        return Edit(
            deletedRows: old.visibleItems(in: start..<old.list.count - end),
            insertedRows: new.visibleItems(in: changed),
            added: Array(new.list.elements[changed]),
            precedingRow: start > 0
                ? new.list.elements[new.tree.visibleAncestor(of: start - 1)] : nil,
            keepsOtherValues: new.list.hasSameBytes(as: old.list, start: start, end: end))
    }
}

// The members are encoded as they are.
extension DiffableDataSourceSectionSnapshot.Entry: Encodable where ItemIdentifierType: Encodable {}
extension DiffableDataSourceSectionSnapshot.Entry: Decodable where ItemIdentifierType: Decodable {}

// MARK: Inserting

extension DiffableDataSourceSectionSnapshot {
    /// Appends items as the last children of another item, or as root items.
    ///
    /// Without items, nothing changes, even if the other item is absent.
    ///
    /// - Precondition: `parent` is in the outline; `items` are distinct, and none is in the outline.
    /// - Complexity: O(*d* + *k*) for *k* items and *d* levels, at the end of the outline or on average over
    ///   calls between which the order is not read; otherwise O(*n* + *k*).
    @preconcurrency
    @inlinable
    public mutating func append(
        _ items: [ItemIdentifierType], to parent: ItemIdentifierType? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        guard !items.isEmpty else { return }
        let call = Call("append(_:to:)", file, line)
        Shared.change(&content) { content in
            let index = parent.map { content.index(of: $0, for: call) }
            content.expectNew(items, for: call)
            content.append(items, to: index)
        }
    }

    /// Inserts items before another item, as its siblings.
    ///
    /// - Precondition: `item` is in the outline; `items` are distinct, and none is in the outline.
    /// - Complexity: O(*n* + *k*) for *k* items inserted among *n*.
    @preconcurrency
    public mutating func insert(
        _ items: [ItemIdentifierType], before item: ItemIdentifierType,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        insert(items, beside: item, after: false, for: Call("insert(_:before:)", file, line))
    }

    /// Inserts items after another item and its descendants, as its siblings.
    ///
    /// - Precondition: `item` is in the outline; `items` are distinct, and none is in the outline.
    /// - Complexity: O(*n* + *k*) for *k* items inserted among *n*.
    @preconcurrency
    public mutating func insert(
        _ items: [ItemIdentifierType], after item: ItemIdentifierType, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        insert(items, beside: item, after: true, for: Call("insert(_:after:)", file, line))
    }

    /// Inserts an outline before an item, its root items as siblings of that item.
    ///
    /// - Precondition: `item` is in the outline, and no item of `snapshot` is.
    /// - Complexity: O(*n* + *k*) for *k* items inserted among *n*.
    @preconcurrency
    public mutating func insert(
        _ snapshot: DiffableDataSourceSectionSnapshot, before item: ItemIdentifierType,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let added = snapshot.ordered
        insert(
            added.list.elements, added.tree.nodes, beside: item, after: false,
            for: Call("insert(_:before:)", file, line))
    }

    /// Inserts an outline after an item and its descendants, its root items as siblings of that item.
    ///
    /// - Precondition: `item` is in the outline, and no item of `snapshot` is.
    /// - Complexity: O(*n* + *k*) for *k* items inserted among *n*.
    @preconcurrency
    public mutating func insert(
        _ snapshot: DiffableDataSourceSectionSnapshot, after item: ItemIdentifierType,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let added = snapshot.ordered
        insert(
            added.list.elements, added.tree.nodes, beside: item, after: true,
            for: Call("insert(_:after:)", file, line))
    }

    /// Replaces the descendants of an item by an outline.
    ///
    /// - Precondition: `parent` is in the outline, and no item of `snapshot` is elsewhere in it.
    /// - Complexity: O(*n* + *k*) for *k* new items among *n*.
    @preconcurrency
    public mutating func replace(
        childrenOf parent: ItemIdentifierType, using snapshot: DiffableDataSourceSectionSnapshot,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let call = Call("replace(childrenOf:using:)", file, line)
        let added = snapshot.ordered
        change { content in
            let index = content.index(of: parent, for: call)
            content.remove(in: [index + 1..<content.tree.end(of: index)])
            content.expectNew(added.list.elements, for: call)
            content.insert(added.list.elements, added.tree.nodes, at: index + 1, parent: index)
        }
    }

    /// Inserts items, or the nodes of an outline, as siblings of an item.
    private mutating func insert(
        _ items: [ItemIdentifierType], _ added: [OutlineTree.Node]? = nil,
        beside item: ItemIdentifierType, after: Bool, for call: Call
    ) {
        guard !items.isEmpty else { return }
        change { content in
            let index = content.index(of: item, for: call)
            content.expectNew(items, for: call)
            content.insert(
                items, added, at: after ? content.tree.end(of: index) : index,
                parent: content.tree.parent(of: index))
        }
    }
}

// MARK: Deleting and expanding

extension DiffableDataSourceSectionSnapshot {
    /// Deletes items with their descendants; absent items are ignored.
    ///
    /// - Complexity: O(*n* + *k* log *k*) for *k* items deleted of *n*.
    @preconcurrency
    public mutating func delete(_ items: [ItemIdentifierType]) {
        change { content in
            var removed: [Range<Int>] = []
            for index in items.compactMap({ content.list.index(of: $0) }).sorted()
            where index >= removed.last?.upperBound ?? 0 {
                removed.append(index..<content.tree.end(of: index))
            }
            content.remove(in: removed)
        }
    }

    /// Deletes all items; O(1), apart from releasing them.
    @preconcurrency
    public mutating func deleteAll() { self = DiffableDataSourceSectionSnapshot() }

    /// Expands items; absent items are ignored.
    ///
    /// - Complexity: O(*n* + *k*) for *k* of *n* items.
    @preconcurrency
    @inlinable
    public mutating func expand(_ items: [ItemIdentifierType]) {
        setExpanded(true, items)
    }

    /// Collapses items; absent items are ignored.
    ///
    /// - Complexity: O(*n* + *k*) for *k* of *n* items.
    @preconcurrency
    @inlinable
    public mutating func collapse(_ items: [ItemIdentifierType]) {
        setExpanded(false, items)
    }

    @inlinable
    mutating func setExpanded(_ isExpanded: Bool, _ items: [ItemIdentifierType]) {
        change { content in
            content.tree.setExpanded(
                isExpanded, at: items.compactMap { content.list.index(of: $0) })
        }
    }
}
