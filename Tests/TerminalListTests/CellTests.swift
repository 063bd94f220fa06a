// Tests of second lines and accessories of rows.
import DiffCore
import TerminalList
import Testing

@Suite struct CellTests {
    private typealias View = TerminalListView<String, String>

    private static let cells: [String: ListCell] = [
        "Wi-Fi": ListCell(["Wi-Fi", "wlan0"], accessories: [.toggle(isOn: true)]),
        "Bluetooth": ListCell(["Bluetooth", "hci0"], accessories: [.toggle(isOn: false)]),
        "Villa": ListCell(
            ["Villa", "5 GHz, channel 44"], secondaryText: .init("WPA3, 866 Mbit/s"),
            accessories: [.checkmark, .disclosure]),
        "About": ListCell(
            ["About", "this very machine here"], secondaryText: .init("プリンター\u{1b}[2J, more"),
            accessories: [
                .detail(.init("a long text that is cut at the half", style: Style(tone: .muted))),
                .disclosure,
            ]),
    ]

    private func show(_ items: [String], rowHeight: Int = 1) -> (
        View, DiffableDataSource<String, String>
    ) {
        let view = View(columns: [
            ListColumn("Name", minimum: 10, ideal: 16, rank: 1),
            ListColumn("Device", minimum: 8, ideal: 20, maximum: .max),
        ])
        view.rowHeight = rowHeight
        let source = DiffableDataSource(view: view) { _, _, item in
            Self.cells[item] ?? ListCell([.init(item)], secondaryText: .init("below " + item))
        } headerProvider: { _, _, section in
            section
        }
        var snapshot = DiffableDataSourceSnapshot<String, String>()
        for (index, name) in items.enumerated() {
            if index.isMultiple(of: 4) { snapshot.appendSections(["Part \(index / 4)"]) }
            snapshot.appendItems([name])
        }
        source.apply(snapshot, animatingDifferences: false)
        return (view, source)
    }

    private func draw(_ view: View, _ columns: Int, _ rows: Int) -> Frame {
        view.frame(size: FrameSize(columns: columns, rows: rows), now: .now)
    }

    @Test func `a short text replaces one that does not fit, unless that has a match`() {
        let view = View(columns: [ListColumn("Kind", minimum: 8, ideal: 12, maximum: 12)])
        let source = DiffableDataSource(view: view) { _, _, item in
            ListCell([.init("printer, \(item)", short: item)])
        }
        var snapshot = DiffableDataSourceSnapshot<String, String>()
        snapshot.appendSections(["all"])
        snapshot.appendItems(["Ink", "LaserJet 4", "a long name of a model"])
        source.apply(snapshot, animatingDifferences: false)
        func rows() -> [String] {
            draw(view, 40, 10).text.split(separator: "\n").filter { $0.hasPrefix("   ") }
                .dropFirst()
                .map { String($0.dropFirst(3)) }
        }
        #expect(rows() == ["printer, Ink", "LaserJet 4", "a long name…"])
        view.highlight = { text in text.firstRange(of: "prin").map { [$0] } ?? [] }
        #expect(rows() == ["printer, Ink", "printer, La…", "printer, a …"])
        withExtendedLifetime(source) {}
    }

    @Test func `accessories are at the right edge, and fit 40 columns`() throws {
        let (view, source) = show(["Wi-Fi", "Bluetooth", "Villa", "About"])
        try Screen.expect(draw(view, 80, 12), is: "accessories-80x12")
        try Screen.expect(draw(view, 40, 10), is: "accessories-40x10")
        view.charset = .ascii
        try Screen.expect(draw(view, 40, 10), is: "ascii-accessories-40x10")
        withExtendedLifetime(source) {}
    }

    @Test func `rows have a second line if the row height is 2`() throws {
        let (view, source) = show(["Wi-Fi", "Bluetooth", "Villa", "About"], rowHeight: 2)
        view.select("Villa")
        try Screen.expect(draw(view, 60, 14), is: "second-line-60x14")
        let frame = draw(view, 60, 14)
        #expect(frame.style(row: 8, column: 30).attributes == .reverse, "both lines are selected")
        try Screen.expect(draw(view, 40, 8), is: "second-line-40x8")
        withExtendedLifetime(source) {}
    }

    @Test func `a click on a switch opens the row, and a click beside it selects it`() {
        let (view, source) = show(["Wi-Fi", "Bluetooth"])
        var opened: [String] = []
        view.itemWasOpened = { opened.append($0) }
        _ = draw(view, 40, 10)
        for (row, column) in [(3, 38), (4, 10), (4, 35)] {
            _ = view.handle(MouseEvent(.press, row: row, column: column))
        }
        #expect(opened == ["Wi-Fi", "Bluetooth"])
        withExtendedLifetime(source) {}
    }

    @Test(arguments: [8, 9, 10, 11, 12, 23])
    func `every row of two lines can be reached by keys, pages, the wheel and clicks`(height: Int) {
        let names = ListFixture.names(0..<30)
        let (view, source) = show(names, rowHeight: 2)
        func visible() -> [String] {
            draw(view, 40, height).text.split(separator: "\n")
                .compactMap { line in names.first { line.contains("  " + $0) } }
        }
        for name in names {
            _ = view.handle(.down)
            #expect(view.selectedItem == name)
            #expect(visible().contains(name))
        }
        #expect(draw(view, 40, height).text.contains("below row029"))
        for key in [Key.pageUp, .pageDown, .home, .end] {
            _ = view.handle(key)
            #expect(view.selectedItem.map(visible().contains) == true)
        }
        _ = view.handle(.home)
        for _ in 0..<40 { _ = view.handle(MouseEvent(.wheelDown, row: 4, column: 4)) }
        #expect(visible().last == "row029")
        let lines = draw(view, 40, height).text.split(
            separator: "\n", omittingEmptySubsequences: false)
        for (row, line) in lines.enumerated() where line.contains("below") {
            _ = view.handle(MouseEvent(.press, row: row, column: 9))
            #expect(view.selectedItem.map { line.hasSuffix($0) } == true)
        }
        withExtendedLifetime(source) {}
    }
}
