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

    /// Returns the widths of three columns and an optional one, by title.
    private func widths(_ room: Int) -> [String: Int] {
        let columns = [
            ListColumn("Name", minimum: 10, usual: 12, ideal: 20, rank: 4),
            ListColumn("Kind", minimum: 8, usual: 9, ideal: 10, maximum: 12, rank: 3),
            ListColumn("Host", minimum: 5, ideal: 6, maximum: 8, rank: 1, isOptional: true),
            ListColumn("Port", minimum: 4, ideal: 4, rank: 2),
        ]
        let slots = ColumnLayout(columns, from: 0, to: room).slots
        return Dictionary(uniqueKeysWithValues: slots.map { (columns[$0.index].title, $0.width) })
    }

    @Test(arguments: [
        (26, [10, 8, 4]), (27, [11, 8, 4]), (28, [12, 8, 4]), (29, [12, 9, 4]), (30, [13, 9, 4]),
        (37, [20, 9, 4]), (38, [20, 10, 4]), (40, [20, 12, 4]), (45, [20, 12, 4]),
    ])
    func `columns get what most texts need before one gets its ideal, by rank`(
        room: Int, expected: [Int]
    ) {
        let widths = widths(room)
        #expect(["Name", "Kind", "Port"].map { widths[$0] } == expected)
        #expect(widths["Host"] == nil)
    }

    @Test(arguments: [(46, 6, 10), (48, 6, 12), (50, 8, 12), (90, 8, 12)])
    func `an optional column is shown where the others have their ideals`(
        room: Int, host: Int, kind: Int
    ) {
        #expect(widths(room)["Host"] == host)
        #expect(widths(room)["Kind"] == kind)
    }

    @Test(arguments: [(30, [10, 4, 12]), (36, [12, 6, 14]), (61, [24, 6, 27])])
    func `columns for texts of any length share what the others leave`(room: Int, expected: [Int]) {
        let columns = [
            ListColumn("Name", minimum: 10, ideal: 10, maximum: .max, rank: 3),
            ListColumn("Port", minimum: 4, ideal: 4, maximum: 6, rank: 2),
            ListColumn("Text", minimum: 12, ideal: 12, maximum: .max, rank: 1),
        ]
        #expect(ColumnLayout(columns, from: 0, to: room).slots.map(\.width) == expected)
    }

    @Test func `a hidden column takes no room`() {
        var columns = columns
        columns[0].isHidden = true
        #expect(ColumnLayout(columns, from: 3, to: 80).slots.map(\.index) == [1, 2, 3])
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
