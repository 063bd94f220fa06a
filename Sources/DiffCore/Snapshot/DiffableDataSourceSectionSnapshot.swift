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
public struct DiffableDataSourceSectionSnapshot<ItemIdentifierType>: Sendable
where ItemIdentifierType: Hashable & Sendable {
    /// The state of an item apart from its identifier.
    private struct Node: Sendable, Equatable {
        /// The number of ancestors.
        var level: Int
        /// The index of the parent, or -1.
        var parent = -1
        var isExpanded = false
        var isVisible = true
    }

    /// All items, each before its descendants.
    private var list = UniqueArray<ItemIdentifierType>()
    /// The state of each item, in the same order.
    private var nodes: [Node] = []

    /// Creates an empty outline.
    public init() {}
}

extension DiffableDataSourceSectionSnapshot: Equatable {
    /// Whether two outlines have the same items with the same parents, and the same of them expanded.
    public static func == (
        left: DiffableDataSourceSectionSnapshot, right: DiffableDataSourceSectionSnapshot
    ) -> Bool {
        left.nodes == right.nodes && left.list == right.list
    }
}

// MARK: Queries

extension DiffableDataSourceSectionSnapshot {
    /// All items, each before its descendants; O(1).
    public var items: [ItemIdentifierType] { list.elements }

    /// The items without a parent, in order; O(*n*).
    public var rootItems: [ItemIdentifierType] {
        zip(items, nodes).filter { $0.1.level == 0 }.map(\.0)
    }

    /// The items whose ancestors are all expanded, in order; O(*n*).
    public var visibleItems: [ItemIdentifierType] {
        zip(items, nodes).filter(\.1.isVisible).map(\.0)
    }

    /// Whether an item is in the outline; O(1).
    public func contains(_ item: ItemIdentifierType) -> Bool { list.contains(item) }

    /// Returns the index of an item among all items, or `nil` if it is absent; O(1).
    public func index(of item: ItemIdentifierType) -> Int? { list.index(of: item) }

    /// Whether an item is expanded, with or without children; O(1).
    ///
    /// - Precondition: The item is in the outline.
    public func isExpanded(_ item: ItemIdentifierType) -> Bool {
        nodes[index(of: item, for: "isExpanded(_:)")].isExpanded
    }

    /// Whether all ancestors of an item are expanded; O(1).
    ///
    /// - Precondition: The item is in the outline.
    public func isVisible(_ item: ItemIdentifierType) -> Bool {
        nodes[index(of: item, for: "isVisible(_:)")].isVisible
    }

    /// Returns the number of an item's ancestors, 0 for a root item; O(1).
    ///
    /// - Precondition: The item is in the outline.
    public func level(of item: ItemIdentifierType) -> Int {
        nodes[index(of: item, for: "level(of:)")].level
    }

    /// Returns the parent of an item, or `nil` for a root item; O(1).
    ///
    /// - Precondition: The item is in the outline.
    public func parent(of child: ItemIdentifierType) -> ItemIdentifierType? {
        let parent = nodes[index(of: child, for: "parent(of:)")].parent
        return parent < 0 ? nil : items[parent]
    }

    /// Returns the descendants of an item as an outline whose levels begin at 0.
    ///
    /// - Precondition: The item is in the outline.
    /// - Complexity: O(*k*) for *k* descendants.
    public func snapshot(
        of parent: ItemIdentifierType, includingParent: Bool = false
    ) -> DiffableDataSourceSectionSnapshot {
        let index = index(of: parent, for: "snapshot(of:includingParent:)")
        let range = (includingParent ? index : index + 1)..<end(ofItemAt: index)
        var result = DiffableDataSourceSectionSnapshot()
        result.insert(Array(items[range]), Array(nodes[range]), at: 0, parent: -1)
        return result
    }

    /// Returns the outline as text for debugging: a line for each item, indented by its level.
    ///
    /// A visible item is preceded by `*`, an expanded one by `+`, and a collapsed one with children
    /// by `-`.
    public func visualDescription() -> String {
        nodes.indices.map { index in
            let node = nodes[index]
            let hasChildren = end(ofItemAt: index) > index + 1
            let disclosure = node.isExpanded ? "+" : hasChildren ? "-" : " "
            let indent = String(repeating: "  ", count: node.level)
            return "\(node.isVisible ? "*" : " ")\(disclosure) \(indent)\(items[index])"
        }.joined(separator: "\n")
    }

    /// Returns the index of an item named by an operation.
    private func index(of item: ItemIdentifierType, for call: Call) -> Int {
        guard let index = list.index(of: item) else {
            misuse(call, "there is no item \(item)")
        }
        return index
    }

    /// Returns the index after an item and its descendants.
    private func end(ofItemAt index: Int) -> Int {
        var last = nodes.count - 1
        while last > index { last = nodes[last].parent }
        // If the outline ends with the item's descendants, the last node shows it without a search.
        if last == index { return nodes.count }
        let level = nodes[index].level
        return nodes[(index + 1)...].firstIndex { $0.level <= level } ?? nodes.count
    }
}

extension DiffableDataSourceSectionSnapshot: CustomStringConvertible {
    /// The same as ``visualDescription()``.
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
        let nodes = entries.map { Node(level: $0.level, isExpanded: $0.isExpanded) }
        insert(entries.map(\.item), nodes, at: 0, parent: -1)
    }

    /// All items with their levels, in order.
    var entries: [Entry] {
        zip(items, nodes).map { Entry(item: $0, level: $1.level, isExpanded: $1.isExpanded) }
    }

    /// The items that are not visible, in order.
    var hiddenItems: [ItemIdentifierType] {
        zip(items, nodes).filter { !$0.1.isVisible }.map(\.0)
    }

    /// Whether all items are root items, and none is expanded.
    var isFlat: Bool { nodes.allSatisfy { $0.level == 0 && !$0.isExpanded } }

    /// Returns the descendants that an item hides, by levels relative to its own.
    ///
    /// - Parameters:
    ///   - item: An item of the outline.
    ///   - isElsewhere: Whether an item and its descendants are left out.
    /// - Returns: The hidden descendants; none if the item is visible and expanded.
    func hiddenEntries(
        of item: ItemIdentifierType, isElsewhere: (ItemIdentifierType) -> Bool
    ) -> [Entry] {
        guard let start = list.index(of: item), !(nodes[start].isVisible && nodes[start].isExpanded)
        else { return [] }
        var entries: [Entry] = []
        var omitted = Int.max
        for index in start + 1..<end(ofItemAt: start) where nodes[index].level <= omitted {
            let node = nodes[index]
            omitted = isElsewhere(items[index]) ? node.level : .max
            guard omitted == .max else { continue }
            entries.append(
                Entry(
                    item: items[index], level: node.level - nodes[start].level,
                    isExpanded: node.isExpanded))
        }
        return entries
    }
}

// The members are encoded as they are.
extension DiffableDataSourceSectionSnapshot.Entry: Encodable where ItemIdentifierType: Encodable {}
extension DiffableDataSourceSectionSnapshot.Entry: Decodable where ItemIdentifierType: Decodable {}

// MARK: Inserting

extension DiffableDataSourceSectionSnapshot {
    /// Appends items as the last children of another item, or as root items; no items change nothing, also
    /// if the other item is absent.
    ///
    /// - Precondition: `parent` is in the outline; `items` are distinct, and none is in the outline.
    /// - Complexity: O(*d* + *k*) for *k* items at the end of the outline with *d* ancestors, otherwise
    ///   O(*n* + *k*).
    public mutating func append(
        _ items: [ItemIdentifierType], to parent: ItemIdentifierType? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        guard !items.isEmpty else { return }
        let call = Call("append(_:to:)", file, line)
        let index = parent.map { self.index(of: $0, for: call) } ?? -1
        expectNew(items, for: call)
        insert(items, at: index < 0 ? nodes.count : end(ofItemAt: index), parent: index)
    }

    /// Inserts items before another item, as its siblings.
    ///
    /// - Precondition: `item` is in the outline; `items` are distinct, and none is in the outline.
    /// - Complexity: O(*n* + *k*) for *k* items inserted among *n*.
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
    public mutating func insert(
        _ snapshot: DiffableDataSourceSectionSnapshot, before item: ItemIdentifierType,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        insert(
            snapshot.items, snapshot.nodes, beside: item, after: false,
            for: Call("insert(_:before:)", file, line))
    }

    /// Inserts an outline after an item and its descendants, its root items as siblings of that item.
    ///
    /// - Precondition: `item` is in the outline, and no item of `snapshot` is.
    /// - Complexity: O(*n* + *k*) for *k* items inserted among *n*.
    public mutating func insert(
        _ snapshot: DiffableDataSourceSectionSnapshot, after item: ItemIdentifierType,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        insert(
            snapshot.items, snapshot.nodes, beside: item, after: true,
            for: Call("insert(_:after:)", file, line))
    }

    /// Replaces the descendants of an item by an outline.
    ///
    /// - Precondition: `parent` is in the outline, and no item of `snapshot` is elsewhere in it.
    /// - Complexity: O(*n* + *k*) for *k* new items among *n*.
    public mutating func replace(
        childrenOf parent: ItemIdentifierType, using snapshot: DiffableDataSourceSectionSnapshot,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let call = Call("replace(childrenOf:using:)", file, line)
        let index = index(of: parent, for: call)
        remove(in: [index + 1..<end(ofItemAt: index)])
        expectNew(snapshot.items, for: call)
        insert(snapshot.items, snapshot.nodes, at: index + 1, parent: index)
    }

    private func expectNew(_ items: [ItemIdentifierType], for call: Call) {
        if let repeated = UniqueArray.firstRepeated(in: items) {
            misuse(call, "the call names item \(repeated) twice")
        }
        for item in items where list.contains(item) {
            misuse(call, "there is an item \(item) already")
        }
    }

    /// Inserts items, or the nodes of an outline, as siblings of an item.
    private mutating func insert(
        _ items: [ItemIdentifierType], _ added: [Node]? = nil, beside item: ItemIdentifierType,
        after: Bool, for call: Call
    ) {
        guard !items.isEmpty else { return }
        let index = index(of: item, for: call)
        expectNew(items, for: call)
        insert(
            items, added, at: after ? end(ofItemAt: index) : index, parent: nodes[index].parent)
    }

    /// Inserts items, or the nodes of an outline, beneath the item at the index `parent`, or -1.
    private mutating func insert(
        _ items: [ItemIdentifierType], _ added: [Node]? = nil, at index: Int, parent: Int
    ) {
        let level = parent < 0 ? 0 : nodes[parent].level + 1
        var added = added ?? items.map { _ in Node(level: 0) }
        let lowest = added.first?.level ?? 0
        for number in added.indices { added[number].level += level - lowest }
        list.insert(items, at: index)
        nodes.insert(contentsOf: added, at: index)
        update(from: index)
    }

    /// Updates the parent and the visibility of each item from an index on.
    private mutating func update(from start: Int) {
        // The indices of the ancestors of the current item, from the root down.
        var ancestors: [Int] = []
        var index = start - 1
        while index >= 0 {
            ancestors.append(index)
            index = nodes[index].parent
        }
        ancestors.reverse()
        for index in start..<nodes.count {
            ancestors.removeLast(ancestors.count - nodes[index].level)
            let parent = ancestors.last ?? -1
            nodes[index].parent = parent
            nodes[index].isVisible =
                parent < 0 || nodes[parent].isVisible && nodes[parent].isExpanded
            ancestors.append(index)
        }
    }
}

// MARK: Deleting and expanding

extension DiffableDataSourceSectionSnapshot {
    /// Deletes items with their descendants; absent items are ignored.
    ///
    /// - Complexity: O(*n* + *k* log *k*) for *k* items deleted of *n*.
    public mutating func delete(_ items: [ItemIdentifierType]) {
        var removed: [Range<Int>] = []
        for index in items.compactMap({ list.index(of: $0) }).sorted()
        where index >= removed.last?.upperBound ?? 0 {
            removed.append(index..<end(ofItemAt: index))
        }
        remove(in: removed)
    }

    /// Deletes all items.
    public mutating func deleteAll() { self = DiffableDataSourceSectionSnapshot() }

    /// Expands items; absent items are ignored.
    ///
    /// - Complexity: O(*n* + *k*) for *k* of *n* items.
    public mutating func expand(_ items: [ItemIdentifierType]) {
        setExpanded(true, items)
    }

    /// Collapses items; absent items are ignored.
    ///
    /// - Complexity: O(*n* + *k*) for *k* of *n* items.
    public mutating func collapse(_ items: [ItemIdentifierType]) {
        setExpanded(false, items)
    }

    private mutating func remove(in ranges: [Range<Int>]) {
        guard let first = ranges.first else { return }
        list.remove(in: ranges)
        nodes.remove(in: ranges)
        update(from: first.lowerBound)
    }

    private mutating func setExpanded(_ isExpanded: Bool, _ items: [ItemIdentifierType]) {
        var first = nodes.count
        for index in items.compactMap({ list.index(of: $0) })
        where nodes[index].isExpanded != isExpanded {
            nodes[index].isExpanded = isExpanded
            first = min(first, index)
        }
        update(from: first)
    }
}
