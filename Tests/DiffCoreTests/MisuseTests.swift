// Violated preconditions of snapshots, which stop the program with a message.
import DiffCore
import Synchronization
import Testing

@Suite struct MisuseTests {
    @Test(arguments: Misuse.allCases)
    func `a misuse stops the program with the operation and the identifier`(misuse: Misuse) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [misuse] in
            misuse.commit()
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains(misuse.message), "\(message)")
    }

    @Test(arguments: [3, 40])
    func `the message begins with the line of the call`(count: Int) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [count] in
            // A long array is checked when the list is queried.
            var list = TextSnapshot("A()")
            let items = (0..<count).map { "\($0)" } + ["1"]
            list.appendItems(items, file: "Shop.swift", line: 8)
            print(list.text)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            message.contains("Shop.swift:8: Fatal error: appendItems(_:toSection:)"), "\(message)")
    }

    @Test(arguments: [2, 40])
    func `the message about an absent item that is marked begins with the line of the call`(
        count: Int
    ) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [count] in
            // Among many pending items, the absent one is found when the list is queried.
            var list = TextSnapshot("A()")
            list.appendItems((0..<count).map { "\($0)" })
            list.reconfigureItems(["1"], file: "Shop.swift", line: 6)
            list.reloadItems(["0", "1"], file: "Shop.swift", line: 7)
            list.reloadItems(["1", "q"], file: "Shop.swift", line: 8)
            print(list.text)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            message.contains("Shop.swift:8: Fatal error: reloadItems(_:): there is no item q"),
            "\(message)")
    }

    @Test func `an identifier that queries the snapshot that compares it stops the program`() async
    {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            var list = DiffableDataSourceSnapshot<Int, CuriousID>()
            list.appendSections([0])
            list.appendItems([CuriousID(number: 1), CuriousID(number: 2)])
            CuriousID.list.withLock { $0 = list }
            print(list.indexOfItem(CuriousID(number: 2)) ?? -1)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("Recursive call to lock Mutex"), "\(message)")
    }

    @Test func `the snapshot of these tests is valid`() {
        #expect(Misuse.snapshot().text == "A(a b c) B(x y z)")
    }
}

/// An identifier whose `==` queries a snapshot.
private struct CuriousID: Hashable, Sendable {
    static let list = Mutex(DiffableDataSourceSnapshot<Int, CuriousID>())
    let number: Int

    static func == (left: CuriousID, right: CuriousID) -> Bool {
        let list = list.withLock { $0 }
        return list.numberOfItems > 0 && left.number == right.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// One case for each precondition of a snapshot's operations.
enum Misuse: String, CaseIterable, Codable, Sendable {
    case sectionTwice, sectionAgain, sectionsBeforeUnknown, sectionsAfterUnknown
    case sectionBeforeItself, sectionInsertedTwice, moveSectionUnknown, moveSectionBeforeUnknown
    case moveSectionAfterUnknown, moveSectionToItself, reloadSectionUnknown
    case countInUnknownSection, itemsInUnknownSection, itemBeyondSection, itemBeyondSections
    case itemsWithoutSection, itemsAfterDeletingAll, itemsToUnknownSection, itemTwice
    case itemsBeforeUnknown, itemsAfterUnknown, itemBeforeItself, itemAfterItself
    case itemInsertedTwice, moveItemUnknown, moveItemBeforeUnknown, moveItemAfterUnknown
    case moveItemBeforeItself, moveItemAfterItself, reloadItemUnknown, reconfigureItemUnknown
    case applyingToAnother

    static func snapshot() -> TextSnapshot { TextSnapshot("A(a b c) B(x y z)") }

    /// A part of the message.
    var message: String {
        switch self {
        case .sectionTwice: "appendSections(_:): the call names section C twice"
        case .sectionAgain: "appendSections(_:): there is a section A already"
        case .sectionsBeforeUnknown: "insertSections(_:beforeSection:): there is no section Z"
        case .sectionsAfterUnknown: "insertSections(_:afterSection:): there is no section Z"
        case .sectionBeforeItself: "insertSections(_:beforeSection:): there is a section A already"
        case .sectionInsertedTwice:
            "insertSections(_:afterSection:): the call names section C twice"
        case .moveSectionUnknown: "moveSection(_:beforeSection:): there is no section Z"
        case .moveSectionBeforeUnknown: "moveSection(_:beforeSection:): there is no section Z"
        case .moveSectionAfterUnknown: "moveSection(_:afterSection:): there is no section Z"
        case .moveSectionToItself: "section A cannot be moved relative to itself"
        case .reloadSectionUnknown: "reloadSections(_:): there is no section Z"
        case .countInUnknownSection: "numberOfItems(inSection:): there is no section Z"
        case .itemsInUnknownSection: "itemIdentifiers(inSection:): there is no section Z"
        case .itemBeyondSection: "itemIdentifier(at:): there is no item at 0.3"
        case .itemBeyondSections: "itemIdentifier(at:): there is no item at 2.0"
        case .itemsWithoutSection, .itemsAfterDeletingAll:
            "appendItems(_:toSection:): there are no sections; append one first"
        case .itemsToUnknownSection: "appendItems(_:toSection:): there is no section Z"
        case .itemTwice: "appendItems(_:toSection:): the call names item n twice"
        case .itemsBeforeUnknown: "insertItems(_:beforeItem:): there is no item q"
        case .itemsAfterUnknown: "insertItems(_:afterItem:): there is no item q"
        case .itemBeforeItself: "item a is both inserted and the place to insert at"
        case .itemAfterItself: "item a is both inserted and the place to insert at"
        case .itemInsertedTwice: "insertItems(_:beforeItem:): the call names item n twice"
        case .moveItemUnknown: "moveItem(_:afterItem:): there is no item q"
        case .moveItemBeforeUnknown: "moveItem(_:beforeItem:): there is no item q"
        case .moveItemAfterUnknown: "moveItem(_:afterItem:): there is no item q"
        case .moveItemBeforeItself: "item a cannot be moved relative to itself"
        case .moveItemAfterItself: "item a cannot be moved relative to itself"
        case .reloadItemUnknown: "reloadItems(_:): there is no item q"
        case .reconfigureItemUnknown: "reconfigureItems(_:): there is no item q"
        case .applyingToAnother:
            "applying(_:): the difference was not made from this snapshot: section A differs"
        }
    }

    /// Violates the precondition.
    func commit() {
        var list = Misuse.snapshot()
        switch self {
        case .sectionTwice: list.appendSections(["C", "D", "C"])
        case .sectionAgain: list.appendSections(["C", "A"])
        case .sectionsBeforeUnknown: list.insertSections(["C"], beforeSection: "Z")
        case .sectionsAfterUnknown: list.insertSections(["C"], afterSection: "Z")
        case .sectionBeforeItself: list.insertSections(["A"], beforeSection: "A")
        case .sectionInsertedTwice: list.insertSections(["C", "C"], afterSection: "A")
        case .moveSectionUnknown: list.moveSection("Z", beforeSection: "A")
        case .moveSectionBeforeUnknown: list.moveSection("A", beforeSection: "Z")
        case .moveSectionAfterUnknown: list.moveSection("A", afterSection: "Z")
        case .moveSectionToItself: list.moveSection("A", afterSection: "A")
        case .reloadSectionUnknown: list.reloadSections(["A", "Z"])
        case .countInUnknownSection: _ = list.numberOfItems(inSection: "Z")
        case .itemsInUnknownSection: _ = list.itemIdentifiers(inSection: "Z")
        case .itemBeyondSection: _ = list.itemIdentifier(at: IndexPath(item: 3, section: 0))
        case .itemBeyondSections: _ = list.itemIdentifier(at: IndexPath(item: 0, section: 2))
        case .itemsWithoutSection:
            list = TextSnapshot()
            list.appendItems(["a"])
        case .itemsAfterDeletingAll:
            list.deleteAllItems()
            list.appendItems(["q"])
        case .itemsToUnknownSection: list.appendItems(["n"], toSection: "Z")
        case .itemTwice: list.appendItems(["n", "m", "n"])
        case .itemsBeforeUnknown: list.insertItems(["n"], beforeItem: "q")
        case .itemsAfterUnknown: list.insertItems(["n"], afterItem: "q")
        case .itemBeforeItself: list.insertItems(["n", "a"], beforeItem: "a")
        case .itemAfterItself: list.insertItems(["n", "a"], afterItem: "a")
        case .itemInsertedTwice: list.insertItems(["n", "n"], beforeItem: "a")
        case .moveItemUnknown: list.moveItem("q", afterItem: "a")
        case .moveItemBeforeUnknown: list.moveItem("a", beforeItem: "q")
        case .moveItemAfterUnknown: list.moveItem("a", afterItem: "q")
        case .moveItemBeforeItself: list.moveItem("a", beforeItem: "a")
        case .moveItemAfterItself: list.moveItem("a", afterItem: "a")
        case .reloadItemUnknown: list.reloadItems(["a", "q"])
        case .reconfigureItemUnknown: list.reconfigureItems(["a", "q"])
        case .applyingToAnother:
            let other = TextSnapshot("A(a b c d e n)").difference(
                from: TextSnapshot("A(a b c d e)"))
            _ = TextSnapshot("A(a)").applying(other)
        }
        // Using the snapshot keeps the optimiser from removing the call above.
        print(list.text)
    }
}
