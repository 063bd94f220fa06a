// What holds for every sequence of changes, whatever the rows and the keys.
import DiffCore
import TestSupport
import Testing

@testable import TerminalList

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

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `the rows are the snapshot's, in its order, and between them what left`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let list = ListFixture { $0 == "y" ? nil : $0 }
        for _ in 0..<20 {
            let snapshot = random(using: &generator)
            list.show(snapshot, animating: Int.random(in: 0..<5, using: &generator) > 0)
            list.wait(Double.random(in: 0..<3, using: &generator))
            list.press(keys.randomElement(using: &generator) ?? .down)
            list.draw(80, Int.random(in: 8...30, using: &generator))
            checkRows(list.view, show: snapshot)
            checkPlace(list.view)
        }
        list.wait(10)
        list.draw()
        #expect(list.view.rows.extras.allSatisfy { $0.row.item == nil })
    }

    private func checkRows(_ view: TerminalListView<String, String>, show snapshot: Snapshot) {
        let rows = view.rows.indices.map { view.rows[$0] }
        for (place, row) in rows.enumerated() {
            #expect(row.item.map { view.rows.place(of: $0) == place } != false)
            #expect(view.rows.itemsAbove(place) == rows[..<place].count(where: \.isPresent))
        }
        let present = rows.filter(\.isPresent)
        #expect(present.compactMap(\.item) == snapshot.itemIdentifiers)
        let items = rows.compactMap(\.item)
        #expect(Set(items).count == items.count)
        for row in present {
            guard case .item(let item, let section, let path) = row else { continue }
            #expect(snapshot.sectionIdentifiers[path.section] == section)
            #expect(snapshot.itemIdentifiers(inSection: section)[path.item] == item)
        }
        let headers = rows.compactMap { row in
            if case .header(let section) = row { section } else { nil }
        }
        #expect(Set(headers).count == headers.count)
        let titled = snapshot.sectionIdentifiers.filter { $0 != "y" }
        #expect(headers.filter(titled.contains) == titled)
    }

    private func checkPlace(_ view: TerminalListView<String, String>) {
        #expect(view.top >= 0)
        #expect(view.top <= max(0, view.rows.count - view.pageHeight))
        guard let row = view.selectedRow else {
            #expect(view.selectedItem == nil)
            return
        }
        #expect(view.rows[row].item == view.selectedItem)
        #expect((view.top..<(view.top + view.pageHeight)).contains(row))
    }
}
