// Snapshots filled with many items, which are indexed when needed.
import DiffCore
import TestSupport
import Testing

@Suite struct PendingItemsTests {
    private let many = Array(0..<100)

    private func filled(_ sections: [[Int]]) -> NumberSnapshot {
        var snapshot = NumberSnapshot()
        for (number, items) in sections.enumerated() {
            snapshot.appendSections([number])
            snapshot.appendItems(items)
        }
        return snapshot
    }

    @Test func `items appended by two calls move to the later position`() {
        var snapshot = filled([many, Array(50..<80)])
        #expect(snapshot.itemIdentifiers(inSection: 0) == Array(0..<50) + Array(80..<100))
        #expect(snapshot.itemIdentifiers(inSection: 1) == Array(50..<80))
        snapshot.appendItems([3], toSection: 1)
        #expect(snapshot.indexOfItem(3) == 99)
    }

    @Test func `items appended to sections in any order are in section order`() {
        var snapshot = NumberSnapshot()
        snapshot.appendSections([0, 1])
        snapshot.appendItems(Array(100..<150), toSection: 1)
        snapshot.appendItems(Array(0..<50), toSection: 0)
        snapshot.appendItems(Array(150..<200), toSection: 1)
        #expect(snapshot.itemIdentifiers == Array(0..<50) + Array(100..<200))
    }

    /// The seed alone determines the calls, some of which name items that earlier ones appended.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func `a snapshot filled by many calls equals the naive model`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var snapshot = NumberSnapshot()
        var model = NaiveSnapshot()
        let longest = [1, 3, 50][Int(seed % 3)]
        let known = seed.isMultiple(of: 2) ? 10_000 : 150
        for section in 0..<5 {
            snapshot.appendSections([section])
            model.insertSections([section], at: section)
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                let count = Int.random(in: 0...longest, using: &generator)
                var items: Set<Int> = []
                while items.count < count {
                    items.insert(Int.random(in: 0..<known, using: &generator))
                }
                let target = Int.random(in: 0...section, using: &generator)
                snapshot.appendItems(Array(items), toSection: target)
                model.appendItems(Array(items), toSection: target)
            }
        }
        model.expectSame(as: snapshot)
    }

    @Test func `a copy of a pending snapshot is independent`() {
        var snapshot = filled([many])
        let copy = snapshot
        snapshot.appendSections([1])
        snapshot.appendItems([200])
        #expect(copy.numberOfItems == 100)
        #expect(copy.numberOfSections == 1)
        #expect(snapshot.numberOfItems == 101)
        #expect(snapshot.sectionIdentifier(containingItem: 200) == 1)
    }

    @Test func `a pending snapshot that moves items has the right difference`() {
        let old = filled([many])
        #expect(old.indexOfItem(1) == 1)
        let new = filled([many, Array(10..<60)])
        #expect(brokenLaw(from: old, to: new, leastMoves: leastMovesByTable) == nil)
        #expect(new.difference(from: old).movedItems.count == 50)
    }

    @Test func `a pending snapshot is indexed by its comparison with an indexed one`() {
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

    @Test func `several tasks can query a pending snapshot at the same time`() async {
        let snapshot = filled([Array(0..<5_000)])
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask { snapshot.indexOfItem(task * 600) == task * 600 }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test func `marks of pending items are kept`() {
        var snapshot = filled([many])
        snapshot.reconfigureItems([5])
        snapshot.reloadItems([7, 6])
        #expect(snapshot.difference(from: filled([many])).reconfiguredItems.map(\.item) == [5])
        #expect(snapshot.reloadedItemIdentifiers == [7, 6])
    }
}

@Suite struct PendingItemsMisuseTests {
    /// The message names the call that was wrong.
    @Test(arguments: PendingMisuse.allCases)
    func
        `a repeated or absent pending item stops the program when it is queried, compared or applied`(
            misuse: PendingMisuse
        ) async
    {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [misuse] in
            misuse.commit()
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains(misuse.message), "\(message)")
    }
}

/// Violated preconditions in a snapshot of pending items.
enum PendingMisuse: CaseIterable, Codable, Sendable {
    case repeatedAndQueried, repeatedAndCompared, repeatedAndReloaded, repeatedNewItem
    case absentAndQueried, absentAndCompared

    var message: String {
        switch self {
        case .repeatedNewItem: "appendItems(_:toSection:): the call names item 500 twice"
        case .absentAndQueried: "reconfigureItems(_:): there is no item 777"
        case .absentAndCompared: "reloadItems(_:): there is no item 777"
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
        case .repeatedAndQueried:
            new.appendItems(Array(0..<100) + [50])
            _ = new.numberOfItems
        case .repeatedAndCompared:
            new.appendItems(Array(0..<60) + [50] + Array(60..<100))
            _ = new.difference(from: old)
        case .repeatedAndReloaded:
            var texts = TextSnapshot()
            texts.appendSections(["A"])
            texts.appendItems((0..<100).map { "\($0)" } + ["50"])
            let dataSource = DiffableDataSource(view: RecordingView()) { _, _, item in item }
            dataSource.applySnapshotUsingReloadData(texts)
        case .repeatedNewItem:
            new.appendItems([500] + Array(0..<100) + [500])
            _ = new.difference(from: old)
        case .absentAndQueried:
            new.appendItems(Array(0..<100))
            new.reconfigureItems([777])
            _ = new.numberOfItems
        case .absentAndCompared:
            new.appendItems(Array(0..<100))
            new.reloadItems([777])
            _ = new.difference(from: old)
        }
    }
}
