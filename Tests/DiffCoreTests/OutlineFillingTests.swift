// Filling outlines in several orders, and the work that it takes.
import Synchronization
import TestSupport
import Testing

@testable import DiffCore

@Suite struct OutlineFillingTests {
    /// The seed alone determines the calls.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func `an outline that is seldom read equals a naive tree`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var outline = TextOutline()
        var tree = NaiveTree()
        var names: [String] = []
        var copies: [(outline: TextOutline, text: String)] = []
        for number in 0..<200 {
            let name = "n\(number)"
            if let parent = names.randomElement(using: &generator),
                Int.random(in: 0..<5, using: &generator) > 0
            {
                outline.append([name, name + "b"], to: parent)
                tree.change(siblingsOf: parent) {
                    $0[$1].beneath += [.init(name: name), .init(name: name + "b")]
                }
            } else {
                outline.append([name, name + "b"])
                tree.roots += [.init(name: name), .init(name: name + "b")]
            }
            names += [name, name + "b"]
            switch Int.random(in: 0..<60, using: &generator) {
            case 0:
                let item = names.randomElement(using: &generator) ?? name
                outline.expand([item])
                tree.change(siblingsOf: item) { $0[$1].isExpanded = true }
            case 1: #expect(outline.text == tree.text)
            case 2: copies.append((outline, tree.text))
            default: break
            }
        }
        // The state of each item is known before the items are put in order.
        #expect(outline.contains("n199b") && !outline.contains("absent"))
        #expect(outline.rootItems == tree.roots.map(\.name))
        let states = names.map { State(of: $0, in: outline) }
        let copy = outline
        #expect(outline.text == tree.text)
        #expect(outline.visibleItems == tree.visible)
        #expect(names.map { State(of: $0, in: outline) } == states)
        #expect(copy == outline)
        for copy in copies { #expect(copy.outline.text == copy.text) }
    }

    @Test func `an outline that is read after each call stays in order`() {
        var outline = DiffableDataSourceSectionSnapshot<Int>()
        outline.append(Array(0..<100))
        for child in 1_000..<1_300 {
            outline.append([child], to: child % 100)
            #expect(outline.content.access(\.isOrdered))
            #expect(outline.index(of: child) == outline.items.firstIndex(of: child))
        }
    }

    @Test func `several tasks read an outline that is not in order`() async {
        let numbers = Array(0..<100)
        var outline = DiffableDataSourceSectionSnapshot<Int>()
        outline.append(numbers)
        for parent in numbers { outline.append([1_000 + parent], to: parent) }
        #expect(!outline.content.access(\.isOrdered))
        let expected = numbers.flatMap { [$0, 1_000 + $0] }
        let results = await withTaskGroup { [outline] group in
            for _ in 0..<8 { group.addTask { outline.items } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: expected, count: 8))
    }
}

/// The level, the parent and the state of an item.
private struct State: Equatable {
    let level: Int
    let parent: String?
    let isVisible: Bool
    let isExpanded: Bool

    init(of item: String, in outline: TextOutline) {
        level = outline.level(of: item)
        parent = outline.parent(of: item)
        isVisible = outline.isVisible(item)
        isExpanded = outline.isExpanded(item)
    }
}

// MARK: Work

/// Filling an outline takes linear time: counted are hashes and the items that are read or moved to insert
/// among them.
@Suite(.serialized) struct OutlineFillingWorkTests {
    @Test(arguments: FillingOrder.allCases)
    func `filling an outline with ten times the items takes at most twenty times the work`(
        order: FillingOrder
    ) {
        let (small, large) = (order.work(parentCount: 200), order.work(parentCount: 2_000))
        #expect(large.hashes <= 20 * small.hashes)
        #expect(large.moved <= 20 * small.moved)
    }
}

/// The orders in which an outline of parents with ten children each is filled.
enum FillingOrder: CaseIterable, Sendable {
    case parentsFirst, alternating, parentsFirstReversed, childrenOneByOne, childrenInTurn

    /// Returns the number of hashes, and of items that are read or moved, until the items are read.
    func work(parentCount: Int) -> (hashes: Int, moved: Int) {
        var outline = DiffableDataSourceSectionSnapshot<HashedID>()
        let parents = (0..<parentCount).map { HashedID(number: $0 * 11) }
        let children = parents.map { parent in
            (1...10).map { HashedID(number: parent.number + $0) }
        }
        let before = hashCount.load(ordering: .relaxed)
        if self != .alternating { outline.append(parents) }
        switch self {
        case .parentsFirst:
            for (parent, items) in zip(parents, children) { outline.append(items, to: parent) }
        case .alternating:
            for (parent, items) in zip(parents, children) {
                outline.append([parent])
                outline.append(items, to: parent)
            }
        case .parentsFirstReversed:
            for (parent, items) in zip(parents, children).reversed() {
                outline.append(items, to: parent)
            }
        case .childrenOneByOne:
            for (parent, items) in zip(parents, children) {
                for item in items { outline.append([item], to: parent) }
            }
        case .childrenInTurn:
            for number in 0..<10 {
                for (parent, items) in zip(parents, children) {
                    outline.append([items[number]], to: parent)
                }
            }
        }
        let moved = outline.content.access(\.appendingWork)
        #expect(outline.items.map(\.number) == Array(0..<11 * parentCount))
        let hashes = hashCount.load(ordering: .relaxed) - before
        #expect(outline.items.enumerated().allSatisfy { outline.index(of: $1) == $0 })
        return (hashes, moved)
    }
}

private let hashCount = Atomic<Int>(0)

/// An identifier that counts its hashes.
private struct HashedID: Hashable, Sendable {
    let number: Int

    func hash(into hasher: inout Hasher) {
        hashCount.add(1, ordering: .relaxed)
        hasher.combine(number)
    }
}
