// A generic builder of trees.
import UIKitNames

private struct TreeBuilder<Node: Hashable & Sendable> {
    let roots: [Node]
    let children: (Node) -> [Node]
    func build() -> NSDiffableDataSourceSectionSnapshot<Node> {
        var snapshot = NSDiffableDataSourceSectionSnapshot<Node>()
        add(roots, to: nil, &snapshot)
        return snapshot
    }
    private func add(
        _ nodes: [Node], to parent: Node?,
        _ snapshot: inout NSDiffableDataSourceSectionSnapshot<Node>
    ) {
        snapshot.append(nodes, to: parent)
        for node in nodes { add(children(node), to: node, &snapshot) }
    }
}
