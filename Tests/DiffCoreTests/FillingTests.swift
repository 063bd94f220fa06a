// Snapshots that are filled with many items and looked at late, or never.
import DiffCore
import Testing

@Suite struct FillingTests {
    private let many = Array(0..<100)

    private func filled(_ sections: [[Int]]) -> NumberSnapshot {
        var snapshot = NumberSnapshot()
        for (number, items) in sections.enumerated() {
            snapshot.appendSections([number])
            snapshot.appendItems(items)
        }
        return snapshot
    }

    @Test func `items appended twice in two calls move to the later place`() {
        var snapshot = filled([many, Array(50..<80)])
        #expect(snapshot.itemIdentifiers(inSection: 0) == Array(0..<50) + Array(80..<100))
        #expect(snapshot.itemIdentifiers(inSection: 1) == Array(50..<80))
        snapshot.appendItems([3], toSection: 1)
        #expect(snapshot.indexOfItem(3) == 99)
    }

    @Test func `items appended to sections out of order lie in order`() {
        var snapshot = NumberSnapshot()
        snapshot.appendSections([0, 1])
        snapshot.appendItems(Array(100..<150), toSection: 1)
        snapshot.appendItems(Array(0..<50), toSection: 0)
        snapshot.appendItems(Array(150..<200), toSection: 1)
        #expect(snapshot.itemIdentifiers == Array(0..<50) + Array(100..<200))
    }

    @Test func `a copy of a filling goes its own way`() {
        var snapshot = filled([many])
        let copy = snapshot
        snapshot.appendSections([1])
        snapshot.appendItems([200])
        #expect(copy.numberOfItems == 100)
        #expect(copy.numberOfSections == 1)
        #expect(snapshot.numberOfItems == 101)
        #expect(snapshot.sectionIdentifier(containingItem: 200) == 1)
    }

    @Test func `a filling that moves items is compared rightly`() {
        let old = filled([many])
        #expect(old.indexOfItem(1) == 1)
        let new = filled([many, Array(10..<60)])
        #expect(brokenLaw(from: old, to: new, leastMoves: leastMovesByTable) == nil)
        #expect(new.difference(from: old).movedItems.count == 50)
    }

    @Test func `a filling compared with a list that knows its places knows its own`() {
        let old = filled([many])
        #expect(old.indexOfItem(99) == 99)
        for after in [
            many + [100], Array(many.dropFirst(30)), many.reversed(), [7] + many.filter { $0 != 7 },
            Array(200..<300), many.map { $0 == 50 ? 500 : $0 },
        ] {
            let new = filled([after])
            #expect(!new.difference(from: old).isEmpty)
            #expect(after.enumerated().allSatisfy { new.indexOfItem($1) == $0 })
            #expect(many.filter { !after.contains($0) }.allSatisfy { new.indexOfItem($0) == nil })
        }
    }

    @Test func `a filling can be asked from several tasks at once`() async {
        let snapshot = filled([Array(0..<5_000)])
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask { snapshot.indexOfItem(task * 600) == task * 600 }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test func `marks set while filling are kept`() {
        var snapshot = filled([many])
        snapshot.reconfigureItems([5])
        snapshot.reloadItems([7, 6])
        #expect(snapshot.difference(from: filled([many])).reconfiguredItems.map(\.item) == [5])
        #expect(snapshot.reloadedItemIdentifiers == [7, 6])
    }
}

@Suite struct FillingMisuseTests {
    /// Each says what was wrong, however late it is found.
    @Test(arguments: Late.allCases)
    func `a mistake among many items is found at the latest when the snapshot goes`(
        late: Late
    ) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [late] in
            late.commit()
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains(late.message), "\(message)")
    }
}

/// Mistakes in a snapshot that is being filled.
enum Late: CaseIterable, Codable, Sendable {
    case twiceAndForgotten, twiceAndAskedFor, twiceAndApplied, twiceTheNew
    case absentAndForgotten, absentAndApplied

    var message: String {
        switch self {
        case .twiceTheNew: "appendItems(_:toSection:): the call names item 500 twice"
        case .absentAndForgotten: "reconfigureItems(_:): there is no item 777"
        case .absentAndApplied: "reloadItems(_:): there is no item 777"
        default: "appendItems(_:toSection:): the call names item 50 twice"
        }
    }

    func commit() {
        var old = NumberSnapshot()
        old.appendSections([0])
        old.appendItems(Array(0..<100))
        _ = old.indexOfItem(0)
        var new = NumberSnapshot()
        new.appendSections([0])
        switch self {
        case .twiceAndForgotten: new.appendItems(Array(0..<100) + [50])
        case .twiceAndAskedFor:
            new.appendItems(Array(0..<100) + [50])
            _ = new.numberOfItems
        case .twiceAndApplied:
            new.appendItems(Array(0..<60) + [50] + Array(60..<100))
            _ = new.difference(from: old)
        case .twiceTheNew:
            new.appendItems([500] + Array(0..<100) + [500])
            _ = new.difference(from: old)
        case .absentAndForgotten:
            new.appendItems(Array(0..<100))
            new.reconfigureItems([777])
        case .absentAndApplied:
            new.appendItems(Array(0..<100))
            new.reloadItems([777])
            _ = new.difference(from: old)
        }
    }
}
