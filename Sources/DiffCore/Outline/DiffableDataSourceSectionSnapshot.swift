// The state of one section whose items have items beneath them.

/// The state of one section at a moment: its items as an outline, some of it unfolded.
///
/// ```swift
/// var outline = DiffableDataSourceSectionSnapshot<String>()
/// outline.append(["printer", "laptop"])
/// outline.append(["_ipp._tcp", "_http._tcp"], to: "printer")
/// outline.expand(["printer"])
/// dataSource.apply(outline, to: "devices")
/// ```
///
/// An item stays hidden until all above it are expanded. Whether an item is
/// expanded is kept also while it has no items beneath it, or is hidden itself.
///
/// Unlike in a ``DiffableDataSourceSnapshot``, adding an item that is there
/// already is a mistake, since it does not say what becomes of the items
/// beneath it; like all mistakes it stops the program.
public struct DiffableDataSourceSectionSnapshot<ItemIdentifierType>: Sendable
where ItemIdentifierType: Hashable & Sendable {
    /// All items, each in front of what is beneath it.
    var list = UniqueList<ItemIdentifierType>()
    /// What is known of each of them, in the same order.
    var rows: [OutlineRow] = []

    /// An empty outline.
    public init() {}
}

/// One item of an outline, apart from its identifier.
struct OutlineRow: Sendable, Equatable {
    /// How many items are above it.
    var level: Int
    /// The place of the item above it, or -1.
    var parent: Int
    /// Whether what is beneath it is unfolded.
    var isExpanded = false
    /// Whether all above it are expanded.
    var isVisible: Bool
}

extension DiffableDataSourceSectionSnapshot: Equatable {
    /// Whether two outlines have the same items beneath the same, and the same of them expanded.
    public static func == (
        left: DiffableDataSourceSectionSnapshot, right: DiffableDataSourceSectionSnapshot
    ) -> Bool {
        left.rows == right.rows && left.list == right.list
    }
}

// MARK: Queries

extension DiffableDataSourceSectionSnapshot {
    /// All items, each in front of what is beneath it; O(1).
    public var items: [ItemIdentifierType] { list.elements }

    /// The items that are beneath no other, in order; O(*n*).
    public var rootItems: [ItemIdentifierType] {
        zip(items, rows).filter { $0.1.level == 0 }.map(\.0)
    }

    /// The items whose items above are all expanded, in order; O(*n*).
    public var visibleItems: [ItemIdentifierType] {
        zip(items, rows).filter(\.1.isVisible).map(\.0)
    }

    /// Whether an item is in the outline; O(1).
    public func contains(_ item: ItemIdentifierType) -> Bool { list.contains(item) }

    /// The place of an item among all items, or `nil` if it is absent; O(1).
    public func index(of item: ItemIdentifierType) -> Int? { list.index(of: item) }

    /// Whether an item is expanded, also if nothing is beneath it; O(1).
    ///
    /// - Precondition: The item is in the outline.
    public func isExpanded(_ item: ItemIdentifierType) -> Bool {
        rows[place(of: item, for: "isExpanded(_:)")].isExpanded
    }

    /// Whether all items above an item are expanded; O(1).
    ///
    /// - Precondition: The item is in the outline.
    public func isVisible(_ item: ItemIdentifierType) -> Bool {
        rows[place(of: item, for: "isVisible(_:)")].isVisible
    }

    /// How many items are above an item: 0 for a root item; O(1).
    ///
    /// - Precondition: The item is in the outline.
    public func level(of item: ItemIdentifierType) -> Int {
        rows[place(of: item, for: "level(of:)")].level
    }

    /// The item directly above an item, or `nil` for a root item; O(1).
    ///
    /// - Precondition: The item is in the outline.
    public func parent(of child: ItemIdentifierType) -> ItemIdentifierType? {
        let parent = rows[place(of: child, for: "parent(of:)")].parent
        return parent < 0 ? nil : items[parent]
    }

    /// What is beneath an item, as an outline of its own whose levels begin at 0.
    ///
    /// - Precondition: The item is in the outline.
    /// - Complexity: O(*k*) for *k* items beneath it.
    public func snapshot(
        of parent: ItemIdentifierType, includingParent: Bool = false
    ) -> DiffableDataSourceSectionSnapshot {
        let place = place(of: parent, for: "snapshot(of:includingParent:)")
        let range = (includingParent ? place : place + 1)..<end(ofItemAt: place)
        var result = DiffableDataSourceSectionSnapshot()
        result.insert(items: Array(items[range]), rows: Array(rows[range]), at: 0, beneath: -1)
        return result
    }

    /// The outline as text, for looking at it: an item a line, indented by its level.
    ///
    /// In front of each stands `*` if it is visible, and `+` if it is expanded or
    /// `-` if it is collapsed over others.
    public func visualDescription() -> String {
        rows.indices.map { place in
            let row = rows[place]
            let hasChildren = end(ofItemAt: place) > place + 1
            let fold = row.isExpanded ? "+" : hasChildren ? "-" : " "
            let indent = String(repeating: "  ", count: row.level)
            return "\(row.isVisible ? "*" : " ")\(fold) \(indent)\(items[place])"
        }.joined(separator: "\n")
    }
}

// MARK: Places

extension DiffableDataSourceSectionSnapshot {
    /// The place of an item that an operation names, and that must be there.
    func place(of item: ItemIdentifierType, for operation: String) -> Int {
        guard let place = list.index(of: item) else {
            misuse(operation, "there is no item \(item)")
        }
        return place
    }

    /// The place behind an item and all that is beneath it.
    func end(ofItemAt place: Int) -> Int {
        let level = rows[place].level
        return rows[(place + 1)...].firstIndex { $0.level <= level } ?? rows.count
    }
}
