// The items of a snapshot that is being filled: kept as they come, laid out when needed.

/// What has been appended to an empty snapshot, not looked at yet.
///
/// A list that is shown anew at every event is filled anew at every event. The
/// arrays are therefore kept as they are, until they are laid out and looked through
/// for identifiers that come twice.
@usableFromInline
struct Filling<Item: Hashable & Sendable>: Sendable {
    @usableFromInline var chunks: [(section: Int, items: [Item])] = []
    @usableFromInline var marked: [(items: [Item], operation: String)] = []

    /// An empty filling.
    @inlinable
    init() {}

    /// The fewest items whose look-through is worth putting off.
    @inlinable
    static var leastCount: Int { 32 }

    /// Whether nothing has been appended.
    @inlinable
    var isEmpty: Bool { chunks.isEmpty }

    /// Takes items over as they are.
    @inlinable
    mutating func append(_ items: [Item], toSection section: Int) {
        chunks.append((section, items))
    }

    /// Notes that items are to be there once the layout is.
    @inlinable
    mutating func expect(_ items: [Item], for operation: String) {
        marked.append((items, operation))
    }

    /// The items and bounds as they were appended, before anybody looked for doubles.
    @inlinable
    func draft(sectionCount: Int) -> (items: [Item], bounds: [Int]) {
        var bounds: [Int] = []
        bounds.reserveCapacity(sectionCount + 1)
        for _ in 0...sectionCount { bounds.append(0) }
        for chunk in chunks { bounds[chunk.section + 1] += chunk.items.count }
        for section in 0..<sectionCount { bounds[section + 1] += bounds[section] }
        guard chunks.count != 1 else { return (chunks[0].items, bounds) }
        var items: [Item] = []
        items.reserveCapacity(bounds[sectionCount])
        let isInOrder = zip(chunks, chunks.dropFirst()).allSatisfy { $0.section <= $1.section }
        for chunk in isInOrder ? chunks : inSectionOrder { items += chunk.items }
        return (items, bounds)
    }

    @usableFromInline
    var inSectionOrder: [(section: Int, items: [Item])] {
        // Stable: what was appended first to a section stays first.
        chunks.enumerated().sorted {
            ($0.element.section, $0.offset) < ($1.element.section, $1.offset)
        }.map(\.element)
    }

    /// Lays the items out, and stops the program at what a call has twice or expects in vain.
    @inlinable
    func lay(sectionCount: Int) -> Layout<Item> {
        let draft = draft(sectionCount: sectionCount)
        if let items = UniqueList(checking: draft.items) {
            let layout = Layout(items: items, bounds: draft.bounds)
            check(layout)
            return layout
        }
        // Something comes twice: in one call, which stops here, or in two, which moves it.
        var layout = Layout<Item>(sectionCount: sectionCount)
        for chunk in chunks {
            layout.put(
                chunk.items, at: layout.bounds[chunk.section + 1], inSection: chunk.section,
                for: "appendItems(_:toSection:)")
        }
        check(layout)
        return layout
    }

    /// Stops the program unless all items are there that are expected.
    @inlinable
    func check(_ layout: Layout<Item>) {
        for (items, operation) in marked {
            for item in items where !layout.items.contains(item) {
                misuse(operation, "there is no item \(item)")
            }
        }
    }
}
