// Tests of the positions and widths of columns.
import TerminalList
import Testing

@Suite struct ColumnLayoutTests {
    private let columns = ListFixture.columns

    private func titles(_ width: Int) -> [String] {
        ColumnLayout(columns, from: 3, to: width).slots.map { columns[$0.index].title }
    }

    @Test(arguments: [
        (80, ["Name", "Address", "Services", "Since"]), (40, ["Name", "Address", "Services"]),
        (33, ["Name", "Address"]), (20, ["Name"]), (8, ["Name"]),
    ])
    func `the columns of lowest rank are dropped first`(width: Int, shown: [String]) {
        #expect(titles(width) == shown)
    }

    /// Columns without a least width are left out before those with one shrink.
    @Test(arguments: [
        (50, [0, 1, 2], [10, 16, 20]), (47, [0, 2], [10, 20]), (31, [0, 2], [10, 19]),
        (22, [0, 2], [10, 10]), (21, [0], [10]),
    ])
    func `columns with a least width are dropped last`(
        width: Int, shown: [Int], widths: [Int]
    ) {
        let columns = [
            ListColumn("Name", least: 10, minimum: 10, ideal: 10, rank: 3),
            ListColumn("Host", minimum: 16, ideal: 16, rank: 1),
            ListColumn("Address", least: 10, minimum: 20, ideal: 20, rank: 2),
        ]
        let slots = ColumnLayout(columns, from: 0, to: width).slots
        #expect(slots.map(\.index) == shown)
        #expect(slots.map(\.width) == widths)
    }

    @Test func `of equal ranks the rightmost column is dropped first`() {
        let equal = ["a", "b", "c"].map { ListColumn($0, minimum: 10, ideal: 10) }
        let layout = ColumnLayout(equal, from: 0, to: 25)
        #expect(layout.slots.map(\.index) == [0, 1])
    }

    @Test(arguments: 3...300)
    func `columns never overlap, exceed the window or exceed their maximum`(
        width: Int
    ) {
        let slots = ColumnLayout(columns, from: 3, to: width).slots
        #expect(slots.first?.start == 3)
        for (left, right) in zip(slots, slots.dropFirst()) {
            #expect(left.start + left.width + 2 == right.start)
        }
        for slot in slots {
            #expect(slot.start + slot.width <= max(3, width))
            #expect(slot.width <= columns[slot.index].maximum ?? .max)
        }
        if slots.count > 1 {
            #expect(slots.allSatisfy { $0.width >= columns[$0.index].minimum })
        }
    }

    @Test func `a layout without columns is empty`() {
        #expect(ColumnLayout([], from: 3, to: 80).slots.isEmpty)
    }
}
