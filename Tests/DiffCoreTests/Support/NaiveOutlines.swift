// The outlines of a list's sections, carried over by reading all of them.
import DiffCore

/// The outlines of all sections, each as an array of items with levels.
struct NaiveOutlines: Equatable {
    struct Node: Equatable {
        var name: String
        var level: Int
        var isExpanded = false
    }

    var sections: [String: [Node]] = [:]

    /// The outlines of a data source.
    init(_ dataSource: DiffableDataSource<String, String>) {
        for section in dataSource.snapshot().sectionIdentifiers {
            sections[section] = NaiveOutlines.nodes(of: dataSource.snapshot(for: section))
        }
    }

    static func nodes(of outline: TextOutline) -> [Node] {
        outline.items.map {
            Node(name: $0, level: outline.level(of: $0), isExpanded: outline.isExpanded($0))
        }
    }

    /// Returns the indices of the visible items.
    static func visible(_ nodes: [Node]) -> [Int] {
        var deepest = Int.max
        return nodes.indices.filter { index in
            guard nodes[index].level <= deepest else { return false }
            deepest = nodes[index].isExpanded ? .max : nodes[index].level
            return true
        }
    }

    /// Returns the indices of the ancestors of an item, the parent first.
    static func ancestors(of index: Int, in nodes: [Node]) -> [Int] {
        var level = nodes[index].level
        return nodes[..<index].indices.reversed().filter { above in
            guard nodes[above].level < level else { return false }
            level = nodes[above].level
            return true
        }
    }

    /// Returns the indices of the descendants of an item.
    static func descendants(of index: Int, in nodes: [Node]) -> Range<Int> {
        let end = nodes[(index + 1)...].firstIndex { $0.level <= nodes[index].level }
        return index + 1..<(end ?? nodes.count)
    }

    /// Deletes hidden items with their descendants.
    mutating func deleteHidden(_ names: Set<String>, except kept: String) {
        for (section, nodes) in sections where section != kept {
            let visible = Set(NaiveOutlines.visible(nodes))
            let gone = nodes.indices.filter {
                names.contains(nodes[$0].name) && !visible.contains($0)
            }.flatMap { [$0] + Array(NaiveOutlines.descendants(of: $0, in: nodes)) }
            sections[section] = nodes.indices.filter { !gone.contains($0) }.map { nodes[$0] }
        }
    }

    /// Carries the outlines over to a list whose other items keep their order.
    mutating func carry(to list: TextSnapshot, moved: Set<String> = []) {
        let former = sections
        sections = [:]
        for section in list.sectionIdentifiers {
            let own = former[section] ?? []
            let items = list.itemIdentifiers(inSection: section)
            let rows = Set(NaiveOutlines.visible(own).map { own[$0].name })
            let staying = rows.intersection(items).subtracting(moved)
            var path: [Node] = []
            var result: [Node] = []
            for (number, item) in items.enumerated() {
                var node = Node(name: item, level: 0)
                if let next = items[number...].first(where: staying.contains),
                    let index = own.firstIndex(where: { $0.name == next }),
                    let parent = NaiveOutlines.ancestors(of: index, in: own).map({ own[$0].name })
                        .first(where: staying.contains)
                {
                    node.level = (path.lastIndex { $0.name == parent } ?? -1) + 1
                }
                var hidden: [Node] = []
                if let origin = former.values.first(where: { $0.contains { $0.name == item } }) {
                    place(&node, &hidden, from: origin, beneath: path, in: list)
                } else {
                    // The level of the item before it.
                    node.level = max(node.level, path.count - 1)
                }
                path.removeLast(path.count - node.level)
                path.append(node)
                result += [node] + hidden
            }
            sections[section] = result
        }
    }

    /// Completes an item that was in an outline.
    private func place(
        _ node: inout Node, _ hidden: inout [Node], from origin: [Node], beneath path: [Node],
        in list: TextSnapshot
    ) {
        let name = node.name
        guard let index = origin.firstIndex(where: { $0.name == name }) else { return }
        let isVisible = NaiveOutlines.visible(origin).contains(index)
        for ancestor in NaiveOutlines.ancestors(of: index, in: origin) {
            let place = path.lastIndex { $0.name == origin[ancestor].name }
            guard let place, path[place].isExpanded else { continue }
            node.level = max(node.level, place + 1)
            break
        }
        var deepest = Int.max
        for number in NaiveOutlines.descendants(of: index, in: origin)
        where !(isVisible && origin[index].isExpanded) && origin[number].level <= deepest {
            let isShown = list.indexOfItem(origin[number].name) != nil
            deepest = isShown ? origin[number].level : .max
            guard !isShown else { continue }
            var descendant = origin[number]
            descendant.level += node.level - origin[index].level
            hidden.append(descendant)
        }
        node.isExpanded = origin[index].isExpanded && hidden.isEmpty
    }
}
