// Section snapshots: expected results, random operations compared with a naive tree, and misuses.
import DiffCore
import TestSupport
import Testing

typealias TextOutline = DiffableDataSourceSectionSnapshot<String>

@Suite struct OutlineTests {
    @Test(arguments: OutlineVector.all)
    func `operations lead to the expected outline`(vector: OutlineVector) {
        var outline = TextOutline()
        for operation in vector.operations.split(whereSeparator: { $0 == ";" || $0 == "\n" }) {
            outline.perform(String(operation.drop { $0 == " " }))
        }
        #expect(outline.text == vector.result)
        #expect(outline.visibleItems.joined(separator: " ") == vector.visible)
    }

    @Test func `adding no items changes nothing, also at an absent item`() {
        var outline = TextOutline("a+(b)")
        outline.append([], to: "absent")
        outline.insert([], before: "absent")
        outline.insert([], after: "absent")
        outline.insert(TextOutline(), before: "absent")
        outline.insert(TextOutline(), after: "absent")
        #expect(outline == TextOutline("a+(b)"))
    }

    @Test func `queries on an outline`() {
        let outline = TextOutline("a+(b c(d)) e")
        #expect(outline.items == ["a", "b", "c", "d", "e"])
        #expect(outline.rootItems == ["a", "e"])
        #expect(outline.visibleItems == ["a", "b", "c", "e"])
        #expect(outline.items.map(outline.level(of:)) == [0, 1, 1, 2, 0])
        #expect(outline.items.map(outline.parent(of:)) == [nil, "a", "a", "c", nil])
        #expect(outline.items.map(outline.isExpanded(_:)) == [true, false, false, false, false])
        #expect(outline.items.map(outline.isVisible(_:)) == [true, true, true, false, true])
        #expect(outline.index(of: "d") == 3)
        #expect(outline.index(of: "q") == nil)
        #expect(outline.contains("e"))
        #expect(!outline.contains("q"))
    }

    @Test func `the descendants of an item form an outline`() {
        let outline = TextOutline("a+(b c+(d)) e")
        #expect(outline.snapshot(of: "a").text == "b c+(d)")
        #expect(outline.snapshot(of: "a").visibleItems == ["b", "c", "d"])
        #expect(outline.snapshot(of: "c", includingParent: true).text == "c+(d)")
        #expect(outline.snapshot(of: "c", includingParent: true).level(of: "d") == 1)
        #expect(outline.snapshot(of: "e").items.isEmpty)
        #expect(outline.snapshot(of: "e", includingParent: true).text == "e")
    }

    @Test func `an outline describes itself`() {
        let outline = TextOutline("a+(b(c)) d(e)")
        #expect(outline.description == outline.visualDescription())
        #expect(outline.description == "*+ a\n*-   b\n       c\n*- d\n     e")
    }

    @Test func `outlines are equal if items, order and expansion are`() {
        #expect(TextOutline("a(b) c") == TextOutline("a(b) c"))
        #expect(TextOutline("a(b) c") != TextOutline("a b c"))
        #expect(TextOutline("a(b) c") != TextOutline("a+(b) c"))
        var emptied = TextOutline("a(b)")
        emptied.deleteAll()
        #expect(emptied == TextOutline())
    }

    /// The seed alone determines the operations.
    @Test(arguments: seeds(60))
    func `an outline equals a naive tree after every random operation`(seed: UInt64) {
        var walk = OutlineWalk(seed: seed)
        for _ in 0..<80 {
            walk.step()
            #expect(walk.outline.text == walk.tree.text)
            let visible = walk.tree.visible
            #expect(walk.outline.visibleItems == visible)
            for item in walk.outline.items {
                #expect(walk.outline.isVisible(item) == visible.contains(item))
                let parent = walk.outline.parent(of: item)
                let level = parent.map { walk.outline.level(of: $0) + 1 } ?? 0
                #expect(walk.outline.level(of: item) == level)
            }
        }
    }
}

@Suite struct OutlineMisuseTests {
    @Test(arguments: OutlineMisuse.allCases)
    func `a misuse of an outline stops the program with a message`(misuse: OutlineMisuse) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [misuse] in
            misuse.commit()
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains(misuse.message), "\(message)")
    }
}

/// One case for each precondition of an outline's operations.
enum OutlineMisuse: CaseIterable, Codable, Sendable {
    case parentUnknown, beforeUnknown, afterUnknown, outlineBeforeUnknown, outlineAfterUnknown
    case appendPresent, appendTwice, insertPresent, outlinePresent, replaceUnknown, replaceForeign
    case levelUnknown, parentOfUnknown, isVisibleUnknown, isExpandedUnknown, snapshotOfUnknown

    var message: String {
        switch self {
        case .parentUnknown: "append(_:to:): there is no item q"
        case .beforeUnknown, .outlineBeforeUnknown: "insert(_:before:): there is no item q"
        case .afterUnknown, .outlineAfterUnknown: "insert(_:after:): there is no item q"
        case .appendPresent: "append(_:to:): there is an item b already"
        case .appendTwice: "append(_:to:): the call names item n twice"
        case .insertPresent, .outlinePresent: "insert(_:after:): there is an item b already"
        case .replaceUnknown: "replace(childrenOf:using:): there is no item q"
        case .replaceForeign: "replace(childrenOf:using:): there is an item c already"
        case .levelUnknown: "level(of:): there is no item q"
        case .parentOfUnknown: "parent(of:): there is no item q"
        case .isVisibleUnknown: "isVisible(_:): there is no item q"
        case .isExpandedUnknown: "isExpanded(_:): there is no item q"
        case .snapshotOfUnknown: "snapshot(of:includingParent:): there is no item q"
        }
    }

    func commit() {
        var outline = TextOutline("a(b) c")
        switch self {
        case .parentUnknown: outline.append(["n"], to: "q")
        case .beforeUnknown: outline.insert(["n"], before: "q")
        case .afterUnknown: outline.insert(["n"], after: "q")
        case .outlineBeforeUnknown: outline.insert(TextOutline("n"), before: "q")
        case .outlineAfterUnknown: outline.insert(TextOutline("n"), after: "q")
        case .appendPresent: outline.append(["n", "b"], to: "c")
        case .appendTwice: outline.append(["n", "n"])
        case .insertPresent: outline.insert(["b"], after: "c")
        case .outlinePresent: outline.insert(TextOutline("n(b)"), after: "c")
        case .replaceUnknown: outline.replace(childrenOf: "q", using: TextOutline("n"))
        case .replaceForeign: outline.replace(childrenOf: "a", using: TextOutline("b c"))
        case .levelUnknown: _ = outline.level(of: "q")
        case .parentOfUnknown: _ = outline.parent(of: "q")
        case .isVisibleUnknown: _ = outline.isVisible("q")
        case .isExpandedUnknown: _ = outline.isExpanded("q")
        case .snapshotOfUnknown: _ = outline.snapshot(of: "q")
        }
        // The outline is used, so that nothing above can be left out.
        print(outline.text)
    }
}
