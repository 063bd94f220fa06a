// Random operations on an outline and a naive tree.
import DiffCore
import TestSupport

/// A tree of named nodes with linear searches.
struct NaiveTree {
    struct Node {
        var name: String
        var isExpanded = false
        var beneath: [Node] = []
    }

    var roots: [Node] = []

    var text: String { text(of: roots) }
    var visible: [String] { visible(in: roots) }

    private func text(of nodes: [Node]) -> String {
        nodes.map { node in
            let name = node.name + (node.isExpanded ? "+" : "")
            return node.beneath.isEmpty ? name : "\(name)(\(text(of: node.beneath)))"
        }.joined(separator: " ")
    }

    private func visible(in nodes: [Node]) -> [String] {
        nodes.flatMap { [$0.name] + ($0.isExpanded ? visible(in: $0.beneath) : []) }
    }

    /// Changes the siblings of a node.
    mutating func change(siblingsOf name: String, _ change: (inout [Node], Int) -> Void) {
        NaiveTree.change(&roots, siblingsOf: name, change)
    }

    private static func change(
        _ nodes: inout [Node], siblingsOf name: String, _ change: (inout [Node], Int) -> Void
    ) {
        if let number = nodes.firstIndex(where: { $0.name == name }) {
            return change(&nodes, number)
        }
        for number in nodes.indices {
            NaiveTree.change(&nodes[number].beneath, siblingsOf: name, change)
        }
    }
}

/// The same random operations on an outline and a tree.
struct OutlineWalk {
    var outline = TextOutline()
    var tree = NaiveTree()
    private var fresh = 0
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func step() {
        guard let item = outline.items.randomElement(using: &generator) else {
            return appendRoots()
        }
        let added = [name(), name()]
        let nodes = added.map { NaiveTree.Node(name: $0) }
        switch Int.random(in: 0..<9, using: &generator) {
        case 0:
            appendRoots()
        case 1, 2:
            outline.append(added, to: item)
            tree.change(siblingsOf: item) { $0[$1].beneath += nodes }
        case 3:
            outline.insert(added, before: item)
            tree.change(siblingsOf: item) { $0.insert(contentsOf: nodes, at: $1) }
        case 4:
            outline.insert(added, after: item)
            tree.change(siblingsOf: item) { $0.insert(contentsOf: nodes, at: $1 + 1) }
        case 5:
            outline.delete([item, "absent"])
            tree.change(siblingsOf: item) { $0.remove(at: $1) }
        case 6:
            outline.collapse([item])
            tree.change(siblingsOf: item) { $0[$1].isExpanded = false }
        case 7:
            outline.replace(childrenOf: item, using: TextOutline("\(added[0])+(\(added[1]))"))
            let node = NaiveTree.Node(name: added[0], isExpanded: true, beneath: [nodes[1]])
            tree.change(siblingsOf: item) { $0[$1].beneath = [node] }
        default:
            outline.expand([item, "absent"])
            tree.change(siblingsOf: item) { $0[$1].isExpanded = true }
        }
    }

    private mutating func name() -> String {
        fresh += 1
        return "n\(fresh)"
    }

    private mutating func appendRoots() {
        let added = [name(), name()]
        outline.append(added)
        tree.roots += added.map { NaiveTree.Node(name: $0) }
    }
}
