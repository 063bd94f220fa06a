// Laws of rows and scrolling that hold for any sequence of changes and keys.
import DiffCore
import TerminalList
import TestSupport
import Testing

@Suite struct RowLawTests {
    private typealias Snapshot = DiffableDataSourceSnapshot<String, String>

    private func random(using generator: inout SeededGenerator) -> Snapshot {
        var snapshot = Snapshot()
        var items = ListFixture.names(0..<30).shuffled(using: &generator)
        for section in ["x", "y", "z"].shuffled(using: &generator)
        where Int.random(in: 0..<4, using: &generator) > 0 {
            snapshot.appendSections([section])
            let count = Int.random(in: 0...10, using: &generator)
            snapshot.appendItems(Array(items.prefix(count)))
            items.removeFirst(count)
        }
        return snapshot
    }

    private let keys: [Key] = [.up, .down, .pageUp, .pageDown, .home, .end]

    @Test(arguments: seeds(60))
    func `the rows are the snapshot's items in its order, between headers and departed rows`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        let list = ListFixture { $0 == "y" ? nil : $0 }
        for _ in 0..<20 {
            let snapshot = random(using: &generator)
            list.show(snapshot, animating: Int.random(in: 0..<5, using: &generator) > 0)
            list.wait(Double.random(in: 0..<3, using: &generator))
            list.press(keys.randomElement(using: &generator) ?? .down)
            expectRows(list, of: snapshot)
        }
        list.wait(10)
        #expect(list.names(80, 120).allSatisfy { !$0.contains("-") })
    }

    private func expectRows(_ list: ListFixture, of snapshot: Snapshot) {
        let rows = list.names(80, 120)
        let items = rows.filter { $0.contains("row") }
        let present = items.filter { !$0.hasPrefix(" -") && !$0.hasPrefix(">-") }
        #expect(present.map { String($0.dropFirst(3)) } == snapshot.itemIdentifiers)
        #expect(Set(items.map { $0.dropFirst(3) }).count == items.count)
        let headers = rows.filter { !$0.contains("row") }
        #expect(Set(headers).count == headers.count)
        let titled = snapshot.sectionIdentifiers.filter { $0 != "y" }
        #expect(headers.filter(titled.contains) == titled)
    }

    @Test(arguments: seeds(60))
    func `the screen shows a range of the rows, with the selection and the right position`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let list = ListFixture { $0 == "y" ? nil : $0 }
        for _ in 0..<20 {
            let snapshot = random(using: &generator)
            list.show(snapshot, animating: Int.random(in: 0..<5, using: &generator) > 0)
            list.wait(Double.random(in: 0..<3, using: &generator))
            list.press(keys.randomElement(using: &generator) ?? .down)
            let rows = Int.random(in: 8...30, using: &generator)
            let names = list.names(80, rows)
            let visible = names.filter { $0.contains("row") && !$0.contains("-") }
                .map { String($0.dropFirst(3)) }
            let items = snapshot.itemIdentifiers
            if let selected = list.view.selectedItem {
                #expect(names.count { $0.hasPrefix(">") && $0.hasSuffix(selected) } == 1)
            }
            guard let first = visible.first.flatMap(items.firstIndex(of:)) else { continue }
            #expect(Array(items.dropFirst(first).prefix(visible.count)) == visible)
            let lastLine = try #require(list.draw(80, rows).text.split(separator: "\n").last)
            if names.count == rows - 3, lastLine.contains(" of ") {
                let position = "\(first + 1)-\(first + visible.count) of \(items.count)"
                #expect(lastLine.hasSuffix(position))
            }
        }
    }
}
