// Whole screens, compared with the ones in Screens/, which are pictures for people too.
import DiffCore
import Glibc
import LabSupport
import TerminalList
import Testing

/// With RECORD_SCREENS in the environment the pictures are written anew, and the tests fail.
@Suite struct ScreenTests {
    private static let folder = String(#filePath.dropLast("ScreenTests.swift".count)) + "Screens/"

    private func expect(
        _ frame: Frame, isScreen name: String, location: SourceLocation = #_sourceLocation
    ) throws {
        let path = Self.folder + name + ".txt"
        if unsafe getenv("RECORD_SCREENS") != nil {
            try TextFile.write(frame.text + "\n", to: path)
            Issue.record("recorded \(name)", sourceLocation: location)
            return
        }
        #expect(try TextFile.read(path) == frame.text + "\n", sourceLocation: location)
    }

    @Test func `an empty list says why, and what to try`() throws {
        try expect(ListFixture().draw(), isScreen: "empty-80x24")
    }

    @Test func `an empty list in the smallest window`() throws {
        try expect(ListFixture().draw(40, 8), isScreen: "empty-40x8")
    }

    @Test func `one row`() throws {
        let list = ListFixture()
        list.show(["nas"], animating: false)
        try expect(list.draw(), isScreen: "one-80x24")
    }

    @Test func `three rows, one arriving, one changed, one leaving`() throws {
        let list = ListFixture()
        list.show(["laptop", "nas", "printer"], animating: false)
        list.draw()
        list.press(.down, .down)
        list.show(["laptop", "printer", "tv"], changed: ["laptop"])
        try expect(list.draw(), isScreen: "three-80x24")
        try expect(list.draw(40, 8), isScreen: "three-40x8")
    }

    @Test func `a warning stands below the title`() throws {
        let list = ListFixture()
        list.show(["nas"], animating: false)
        list.view.header.warning = "avahi-daemon does not answer; what is shown may be old"
        try expect(list.draw(60, 12), isScreen: "warning-60x12")
    }

    @Test func `a footer stands below the rows, and its last lines where it is low`() throws {
        let list = ListFixture()
        list.show(["laptop", "nas", "printer"], animating: false)
        list.view.footer = [
            [.init("first "), .init("line", style: Style(tone: .good))], [.init("second")],
            [
                .init("a third one that is longer than the window is wide, by a little"),
                .init("no"),
            ],
        ]
        try expect(list.draw(60, 12), isScreen: "footer-60x12")
        try expect(list.draw(40, 8), isScreen: "footer-40x8")
    }

    @Test func `sections with headers`() throws {
        let list = ListFixture { $0 == "none" ? nil : "Kind: " + $0 }
        list.show(
            ["none": ["free"], "printers": ["hp", "epson"], "shells": ["nas"]], animating: false)
        try expect(list.draw(), isScreen: "sections-80x24")
    }

    @Test func `an outline, its rows indented and signed`() throws {
        let view = TerminalListView<Int, Int>(columns: [
            ListColumn("Name", minimum: 12, ideal: 20), ListColumn("Size", minimum: 6, ideal: 6),
        ])
        let rows: [(String, ListCell.Outline)] = [
            ("etc", .init(level: 0, .expanded)), ("avahi", .init(level: 1, .expanded)),
            ("services", .init(level: 2, .collapsed)), ("hosts", .init(level: 2)),
            ("home", .init(level: 0, .collapsed)), ("deep in the cellar", .init(level: 99)),
        ]
        let source = DiffableDataSource(view: view) { _, _, number in
            ListCell([.init(rows[number].0), "1"], outline: rows[number].1)
        }
        var snapshot = DiffableDataSourceSnapshot<Int, Int>()
        snapshot.appendSections([0])
        snapshot.appendItems(Array(rows.indices))
        source.apply(snapshot, animatingDifferences: false)
        try expect(
            view.frame(size: FrameSize(columns: 40, rows: 10), now: .now), isScreen: "outline-40x10"
        )
        view.charset = .ascii
        try expect(
            view.frame(size: FrameSize(columns: 40, rows: 10), now: .now),
            isScreen: "ascii-outline-40x10")
    }

    @Test(arguments: [(40, 8), (80, 24), (300, 100)])
    func `five hundred rows, scrolled`(columns: Int, rows: Int) throws {
        let list = ListFixture()
        list.show(ListFixture.names(0..<500), animating: false)
        list.draw(columns, rows)
        list.press(.pageDown, .pageDown, .down)
        try expect(list.draw(columns, rows), isScreen: "many-\(columns)x\(rows)")
    }

    @Test func `hostile names stay inside their columns`() throws {
        let list = ListFixture()
        list.show(HostileText.all.map(\.text), animating: false)
        try expect(list.draw(100, 24), isScreen: "hostile-100x24")
    }

    @Test func `wide names stay inside their columns`() throws {
        let list = ListFixture()
        let names = ["プリンター 居間のプリンターは二階", "Küche", "e\u{301}clair", "한국어", "👨‍👩‍👧 home", "ไทย"]
        list.show(names, animating: false)
        try expect(list.draw(40, 10), isScreen: "wide-40x10")
    }

    @Test func `the help`() throws {
        let list = ListFixture()
        list.show(["nas"], animating: false)
        list.draw()
        list.press(.character("?"))
        try expect(list.draw(), isScreen: "help-80x24")
        try expect(list.draw(40, 8), isScreen: "help-40x8")
    }

    @Test func `without UTF-8 all is ASCII`() throws {
        let list = ListFixture()
        list.view.charset = .ascii
        list.show(["Küche", "nas"], animating: false)
        list.draw()
        try expect(list.draw(60, 12), isScreen: "ascii-60x12")
        list.press(.character("?"))
        let text = list.draw(60, 16).text
        #expect(text.utf8.allSatisfy { $0 == 10 || (32..<127).contains($0) })
        try expect(list.draw(60, 16), isScreen: "ascii-help-60x16")
    }

    @Test(arguments: [(39, 24), (80, 7), (20, 5), (3, 2), (1, 1), (0, 0)])
    func `a window that is too small says so, as far as it can`(columns: Int, rows: Int) {
        let text = ListFixture().draw(columns, rows).text
        let needed = "\(columns)x\(rows) is too small"
        #expect(columns < 20 || text.hasPrefix(needed))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= columns })
    }
}
