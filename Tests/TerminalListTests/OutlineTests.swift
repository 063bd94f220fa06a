// Tests of outlines that come from section snapshots.
import DiffCore
import TerminalList
import Testing

/// A list with an outline of folders, which its data source shows, and a section without one.
private final class FolderList {
    let view = TerminalListView<String, String>(columns: [
        ListColumn("Name", minimum: 12, ideal: 20), ListColumn("Size", minimum: 6, ideal: 6),
    ])
    let source: DiffableDataSource<String, String>
    private var now = ContinuousClock.now

    init() {
        source = DiffableDataSource(view: view) { _, _, item in ListCell([.init(item), "1"]) }
        view.header = ListHeader("Folders")
        var outline = DiffableDataSourceSectionSnapshot<String>()
        outline.append(["etc", "home", "tmp"])
        outline.append(["avahi", "hosts"], to: "etc")
        outline.append(["services"], to: "avahi")
        outline.append(["alice"], to: "home")
        source.apply(outline, to: "folders", animatingDifferences: false)
        var snapshot = source.snapshot()
        snapshot.appendSections(["others"])
        snapshot.appendItems(["readme"])
        source.apply(snapshot, animatingDifferences: false)
        draw()
    }

    @discardableResult
    func draw() -> Frame {
        view.frame(size: FrameSize(columns: 40, rows: 14), now: now)
    }

    /// The rows without their size: selection, mark, indentation, sign and name.
    var rows: [String] {
        draw().text.split(separator: "\n").dropFirst(2).prefix { !$0.contains("quit") }
            .map { line in
                let text = line.prefix(23)
                return String(text[...(text.lastIndex { $0 != " " } ?? text.startIndex)])
            }
    }

    var lastLine: String { String(draw().text.split(separator: "\n").last ?? "") }

    func press(_ keys: Key...) {
        for key in keys {
            _ = view.handle(key)
            draw()
        }
    }

    func click(row: Int, column: Int) {
        _ = view.handle(MouseEvent(.press, row: row, column: column))
        _ = view.handle(MouseEvent(.release, row: row, column: column))
    }
}

@Suite struct OutlineTests {
    private let list = FolderList()

    private let collapsed = ["   ▸ etc", "   ▸ home", "     tmp", "   readme"]

    @Test func `levels and signs follow from the section snapshot`() throws {
        #expect(list.rows == collapsed)
        list.press(.down, .right, .right, .right)
        try Screen.expect(list.draw(), is: "section-snapshot-40x14")
    }

    @Test func `Right expands a row and then selects its first child`() {
        list.press(.down, .right)
        #expect(list.rows.prefix(3) == [">  ▾ etc", "     ▸ avahi", "       hosts"])
        list.press(.right, .right)
        #expect(list.rows[1...2] == [">    ▾ avahi", "         services"])
        list.press(.right, .right)
        #expect(list.view.selectedItem == "services", "it has no children")
    }

    @Test func `Left selects the parent, or collapses a row`() {
        list.press(.down, .right, .right, .right, .right, .left)
        #expect(list.view.selectedItem == "avahi")
        list.press(.left, .left, .left)
        #expect(list.rows == [">  ▸ etc", "   ▸ home", "     tmp", "   readme"])
        list.press(.left)
        #expect(list.view.selectedItem == "etc")
    }

    @Test func `Enter and a click on the sign show and hide children, which are not marked`() {
        list.press(.down, .enter)
        #expect(list.rows[1] == "     ▸ avahi")
        list.press(.enter)
        #expect(list.rows.dropFirst() == collapsed.dropFirst())
        list.click(row: 3, column: 3)
        #expect(list.rows[1...2] == [">  ▾ home", "       alice"])
        list.click(row: 3, column: 6)
        #expect(list.rows[1] == ">  ▸ home", "a click on the selected row is Enter")
    }

    @Test func `an own binding of Enter takes precedence`() {
        var opened: [String?] = []
        list.view.keys = .standard(adding: [
            KeyBinding([.enter], "open") { [weak list] in opened.append(list?.view.selectedItem) }
        ])
        list.press(.down, .enter)
        #expect(opened == ["etc"])
        #expect(list.rows[1] == "   ▸ home")
    }

    @Test func `the keys are in the hints and the help while there is an outline`() {
        #expect(list.lastLine == "→ expand   ← collapse   ? help   q quit")
        list.press(.character("?"))
        #expect(list.draw().text.contains("show the rows below"))
        list.press(.escape)
        list.source.apply(DiffableDataSourceSectionSnapshot(), to: "folders")
        #expect(list.lastLine == "? help   q quit")
    }

    @Test func `the handlers may refuse, and children are loaded on demand`() {
        list.source.sectionSnapshotHandlers.shouldExpandItem = { $0 != "home" && $0 != "readme" }
        list.source.sectionSnapshotHandlers.snapshotForExpandingParent = { item, old in
            var children = old
            if item == "tmp" { children.append(["log"]) }
            return children
        }
        list.view.select("tmp")
        list.press(.right)
        #expect(list.rows.contains(">  ▾ tmp"))
        #expect(list.rows.contains("     ▸ log"), "it may have children too")
        list.press(.down, .right)
        #expect(list.rows.contains(">      log"), "none were found")
        list.view.select("home")
        list.press(.right)
        #expect(list.rows.contains(">  ▸ home"))
    }

    @Test func `a row that departs keeps its level and sign`() {
        list.press(.down, .right)
        var outline = list.source.snapshot(for: "folders")
        outline.delete(["avahi"])
        list.source.apply(outline, to: "folders")
        #expect(list.rows[1] == " -   ▸ avahi")
    }
}
