// Where columns stand, and which are left out.
import Testing

@testable import TerminalList

@Suite struct ColumnLayoutTests {
    private let columns = ListFixture.columns

    private func titles(_ width: Int) -> [String] {
        ColumnLayout(columns, from: 3, to: width).places.map { columns[$0.index].title }
    }

    @Test(arguments: [
        (80, ["Name", "Address", "Services", "Since"]), (40, ["Name", "Address", "Services"]),
        (33, ["Name", "Address"]), (20, ["Name"]), (8, ["Name"]),
    ])
    func `the columns of lowest rank are left out first`(width: Int, shown: [String]) {
        #expect(titles(width) == shown)
    }

    /// Columns without a least width are left out before those with one shrink.
    @Test(arguments: [
        (50, [0, 1, 2], [10, 16, 20]), (47, [0, 2], [10, 20]), (31, [0, 2], [10, 19]),
        (22, [0, 2], [10, 10]), (21, [0], [10]),
    ])
    func `columns with a least width are left out last`(
        width: Int, shown: [Int], widths: [Int]
    ) {
        let columns = [
            ListColumn("Name", least: 10, minimum: 10, ideal: 10, rank: 3),
            ListColumn("Host", minimum: 16, ideal: 16, rank: 1),
            ListColumn("Address", least: 10, minimum: 20, ideal: 20, rank: 2),
        ]
        let places = ColumnLayout(columns, from: 0, to: width).places
        #expect(places.map(\.index) == shown)
        #expect(places.map(\.width) == widths)
    }

    @Test func `of equal ranks the rightmost goes first`() {
        let equal = ["a", "b", "c"].map { ListColumn($0, minimum: 10, ideal: 10) }
        let layout = ColumnLayout(equal, from: 0, to: 25)
        #expect(layout.places.map(\.index) == [0, 1])
    }

    @Test(arguments: 3...300)
    func `columns never overlap, never leave the window, and none is wider than its maximum`(
        width: Int
    ) {
        let places = ColumnLayout(columns, from: 3, to: width).places
        #expect(places.first?.start == 3)
        for (left, right) in zip(places, places.dropFirst()) {
            #expect(left.start + left.width + ColumnLayout.gap == right.start)
        }
        for place in places {
            #expect(place.start + place.width <= max(3, width))
            #expect(place.width <= columns[place.index].maximum ?? .max)
        }
        if places.count > 1 {
            #expect(places.allSatisfy { $0.width >= columns[$0.index].minimum })
        }
    }

    @Test func `no columns, no places`() {
        #expect(ColumnLayout([], from: 3, to: 80).places.isEmpty)
    }
}
