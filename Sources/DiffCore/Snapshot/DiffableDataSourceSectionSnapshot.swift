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
/// Unlike in a ``DiffableDataSourceSnapshot``, adding an item that is in the
/// outline violates a precondition, as its children would have no defined
/// place; like all such violations it stops the program.
@preconcurrency
public struct DiffableDataSourceSectionSnapshot<ItemIdentifierType>: Sendable
where ItemIdentifierType: Hashable & Sendable {
    /// All items, each before its descendants.
    @usableFromInline var list = UniqueArray<ItemIdentifierType>()
    /// The levels of the items, and which of them are expanded, in the same order.
    @usableFromInline var tree = OutlineTree()

    /// Creates an empty outline.
    @preconcurrency
    public init() {}
}

extension DiffableDataSourceSectionSnapshot: Equatable {
    /// Whether two outlines have the same items with the same parents, and the same of them expanded.
    @preconcurrency
    public static func == (
        left: DiffableDataSourceSectionSnapshot, right: DiffableDataSourceSectionSnapshot
    ) -> Bool {
        left.tree == right.tree && left.list == right.list
    }
}

// MARK: Queries

extension DiffableDataSourceSectionSnapshot {
    /// All items, each before its descendants; O(1).
    @preconcurrency
    public var items: [ItemIdentifierType] { list.elements }

    /// The items without a parent, in order; O(*n*).
    @preconcurrency
    public var rootItems: [ItemIdentifierType] {
        items.indices.filter { tree[$0].level == 0 }.map { items[$0] }
    }

    /// The items whose ancestors are all expanded, in order; O(*n*).
    @preconcurrency
    public var visibleItems: [ItemIdentifierType] {
        visibleItems(in: items.indices)
    }

    /// Whether an item is in the outline; O(1).
    @preconcurrency
    public func contains(_ item: ItemIdentifierType) -> Bool { list.contains(item) }

    /// Returns the index of an item among all items, or `nil` if it is absent; O(1).
    @preconcurrency
    public func index(of item: ItemIdentifierType) -> Int? { list.index(of: item) }

    /// Whether an item is expanded, with or without children; O(1).
    ///
    /// - Precondition: The item is in the outline.
    @preconcurrency
    public func isExpanded(_ item: ItemIdentifierType) -> Bool {
        tree[index(of: item, for: "isExpanded(_:)")].isExpanded
    }

    /// Whether all ancestors of an item are expanded; O(1).
    ///
    /// - Precondition: The item is in the outline.
    @preconcurrency
    public func isVisible(_ item: ItemIdentifierType) -> Bool {
        tree[index(of: item, for: "isVisible(_:)")].isVisible
    }

    /// Returns the number of an item's ancestors, 0 for a root item; O(1).
    ///
    /// - Precondition: The item is in the outline.
    @preconcurrency
    public func level(of item: ItemIdentifierType) -> Int {
        tree[index(of: item, for: "level(of:)")].level
    }

    /// Returns the parent of an item, or `nil` for a root item; O(1).
    ///
    /// - Precondition: The item is in the outline.
    @preconcurrency
    public func parent(of child: ItemIdentifierType) -> ItemIdentifierType? {
        tree.parent(of: index(of: child, for: "parent(of:)")).map { items[$0] }
    }

    /// Returns the descendants of an item as an outline whose levels begin at 0.
    ///
    /// - Precondition: The item is in the outline.
    /// - Complexity: O(*k*) for *k* descendants.
    @preconcurrency
    public func snapshot(
        of parent: ItemIdentifierType, includingParent: Bool = false
    ) -> DiffableDataSourceSectionSnapshot {
        let index = index(of: parent, for: "snapshot(of:includingParent:)")
        let range = (includingParent ? index : index + 1)..<tree.end(of: index)
        var result = DiffableDataSourceSectionSnapshot()
        result.insert(Array(items[range]), Array(tree.nodes[range]), at: 0, parent: nil)
        return result
    }

    /// Returns the outline as text for debugging: a line for each item, indented by its level.
    ///
    /// A visible item is preceded by `*`, an expanded one by `+`, and a collapsed one with children
    /// by `-`.
    @preconcurrency
    public func visualDescription() -> String {
        items.indices.map { index in
            let node = tree[index]
            let hasChildren = tree.hasChildren(index)
            let disclosure = node.isExpanded ? "+" : hasChildren ? "-" : " "
            let indent = String(repeating: "  ", count: node.level)
            return "\(node.isVisible ? "*" : " ")\(disclosure) \(indent)\(items[index])"
        }.joined(separator: "\n")
    }

    /// Returns the index of an item named by an operation.
    @inlinable
    func index(of item: ItemIdentifierType, for call: Call) -> Int {
        guard let index = list.index(of: item) else {
            misuse(call, "there is no item \(item)")
        }
        return index
    }
}

extension DiffableDataSourceSectionSnapshot: CustomStringConvertible {
    /// The same as ``visualDescription()``.
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
        insert(entries.map(\.item), nodes, at: 0, parent: nil)
    }

    /// All items with their levels, in order.
    var entries: [Entry] {
        zip(items, tree.nodes).map {
            Entry(item: $0, level: $1.level, isExpanded: $1.isExpanded)
        }
    }

    /// Whether all items are root items, and none is expanded.
    var isFlat: Bool { tree.nodes.allSatisfy { $0.level == 0 && !$0.isExpanded } }

    /// Replaces the items in a range.
    ///
    /// - Parameters:
    ///   - range: The indices of the items.
    ///   - items: The new items.
    ///   - nodes: The level of each new item, and whether it is expanded.
    ///   - kept: The numbers of new items, at the start and at the end, that are the old ones there.
    mutating func replace(
        _ range: Range<Int>, by items: [ItemIdentifierType], _ nodes: [OutlineTree.Node],
        kept: (start: Int, end: Int)
    ) {
        let replaced = range.lowerBound + kept.start..<range.upperBound - kept.end
        if !replaced.isEmpty { list.remove(in: [replaced]) }
        if kept.start + kept.end < items.count {
            list.insert(
                Array(items[kept.start..<items.count - kept.end]), at: replaced.lowerBound)
        }
        tree.replace(range, by: nodes)
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
    }

    /// Returns the part, between a common start and a common end, that differs from another outline.
    func edit(from other: DiffableDataSourceSectionSnapshot) -> Edit {
        let limit = min(items.count, other.items.count)
        var start = list.commonCount(with: other.list, limit: limit)
        start = tree.commonCount(with: other.tree, limit: start)
        var end = list.commonCount(with: other.list, limit: limit - start, backwards: true)
        end = tree.commonCount(with: other.tree, limit: end, backwards: true)
        let (new, old) = (start..<items.count - end, start..<other.items.count - end)
        return Edit(
            deletedRows: other.visibleItems(in: old), insertedRows: visibleItems(in: new),
            added: Array(items[new]),
            precedingRow: start > 0 ? items[tree.visibleAncestor(of: start - 1)] : nil)
    }

    private func visibleItems(in range: Range<Int>) -> [ItemIdentifierType] {
        range.filter { tree[$0].isVisible }.map { items[$0] }
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
    /// - Complexity: O(*d* + *k*) for *k* items at the end of the outline with *d* ancestors, otherwise
    ///   O(*n* + *k*).
    @preconcurrency
    @inlinable
    public mutating func append(
        _ items: [ItemIdentifierType], to parent: ItemIdentifierType? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        guard !items.isEmpty else { return }
        let call = Call("append(_:to:)", file, line)
        let index = parent.map { self.index(of: $0, for: call) }
        expectNew(items, for: call)
        insert(items, at: index.map { tree.end(of: $0) } ?? list.count, parent: index)
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
        insert(
            snapshot.items, snapshot.tree.nodes, beside: item, after: false,
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
        insert(
            snapshot.items, snapshot.tree.nodes, beside: item, after: true,
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
        let index = index(of: parent, for: call)
        remove(in: [index + 1..<tree.end(of: index)])
        expectNew(snapshot.items, for: call)
        insert(snapshot.items, snapshot.tree.nodes, at: index + 1, parent: index)
    }

    @inlinable
    func expectNew(_ items: [ItemIdentifierType], for call: Call) {
        if let repeated = UniqueArray.firstRepeated(in: items) {
            misuse(call, "the call names item \(repeated) twice")
        }
        for item in items where list.contains(item) {
            misuse(call, "there is an item \(item) already")
        }
    }

    /// Inserts items, or the nodes of an outline, as siblings of an item.
    private mutating func insert(
        _ items: [ItemIdentifierType], _ added: [OutlineTree.Node]? = nil,
        beside item: ItemIdentifierType, after: Bool, for call: Call
    ) {
        guard !items.isEmpty else { return }
        let index = index(of: item, for: call)
        expectNew(items, for: call)
        insert(
            items, added, at: after ? tree.end(of: index) : index, parent: tree.parent(of: index))
    }

    /// Inserts items, or the nodes of an outline, beneath the item at the index `parent`.
    @inlinable
    mutating func insert(
        _ items: [ItemIdentifierType], _ added: [OutlineTree.Node]? = nil, at index: Int,
        parent: Int?
    ) {
        guard !items.isEmpty else { return }
        list.insert(items, at: index)
        tree.insert(added ?? OutlineTree.roots(items.count), at: index, parent: parent)
    }
}

// MARK: Deleting and expanding

extension DiffableDataSourceSectionSnapshot {
    /// Deletes items with their descendants; absent items are ignored.
    ///
    /// - Complexity: O(*n* + *k* log *k*) for *k* items deleted of *n*.
    @preconcurrency
    public mutating func delete(_ items: [ItemIdentifierType]) {
        var removed: [Range<Int>] = []
        for index in items.compactMap({ list.index(of: $0) }).sorted()
        where index >= removed.last?.upperBound ?? 0 {
            removed.append(index..<tree.end(of: index))
        }
        remove(in: removed)
    }

    /// Deletes all items.
    @preconcurrency
    public mutating func deleteAll() { self = DiffableDataSourceSectionSnapshot() }

    /// Expands items; absent items are ignored.
    ///
    /// - Complexity: O(*n* + *k*) for *k* of *n* items.
    @preconcurrency
    public mutating func expand(_ items: [ItemIdentifierType]) {
        setExpanded(true, items)
    }

    /// Collapses items; absent items are ignored.
    ///
    /// - Complexity: O(*n* + *k*) for *k* of *n* items.
    @preconcurrency
    public mutating func collapse(_ items: [ItemIdentifierType]) {
        setExpanded(false, items)
    }

    private mutating func remove(in ranges: [Range<Int>]) {
        list.remove(in: ranges)
        tree.remove(in: ranges)
    }

    private mutating func setExpanded(_ isExpanded: Bool, _ items: [ItemIdentifierType]) {
        tree.setExpanded(isExpanded, at: items.compactMap { list.index(of: $0) })
    }
}
