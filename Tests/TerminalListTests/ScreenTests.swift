// Golden screens of the list at several sizes.
import DiffCore
import TerminalList
import Testing

@Suite struct ScreenTests {
    @Test func `an empty list shows its message`() throws {
        try Screen.expect(ListFixture().draw(), is: "empty-80x24")
    }

    @Test func `an empty list in the smallest window`() throws {
        try Screen.expect(ListFixture().draw(40, 8), is: "empty-40x8")
    }

    @Test func `the badge stays where the title is cut`() {
        let list = ListFixture()
        list.view.header = ListHeader(
            "list of everything that is there", badge: .init("* rec"), status: "10 rows")
        #expect(list.draw(80, 8).text.hasPrefix("list of everything that is there  * rec  "))
        #expect(list.draw(40, 8).text.hasPrefix("list of everything that…  * rec  10 rows\n"))
        list.view.header.status = "12345678901234567890123456"
        #expect(list.draw(40, 8).text.hasPrefix("list…  * rec  12345"))
    }

    @Test func `the selected row has one background and no other colours`() {
        let view = TerminalListView<Int, Int>(columns: [
            ListColumn("Name", minimum: 14, ideal: 14), ListColumn("Kind", minimum: 9, ideal: 9),
        ])
        let source = DiffableDataSource(view: view) { _, _, _ in
            var cell = ListCell(
                [.init("name", style: Style(tone: .own)), .init("x", style: Style(tone: .kind))],
                accessories: [.checkmark], style: Style(tone: .muted))
            cell.sign = "?"
            return cell
        }
        var snapshot = DiffableDataSourceSnapshot<Int, Int>()
        snapshot.appendSections([0])
        snapshot.appendItems([0, 1])
        source.apply(snapshot)
        view.select(0)
        let frame = view.frame(size: FrameSize(columns: 50, rows: 8), now: .now)
        for column in 0..<50 {
            let style = frame.style(row: 2, column: column)
            #expect(style.tone == .plain && style.attributes.contains(.reverse))
            #expect(!frame.style(row: 3, column: column).attributes.contains(.reverse))
        }
        #expect(frame.style(row: 3, column: 3).tone == .own)
    }

    @Test func `one row`() throws {
        let list = ListFixture()
        list.show(["nas"], animating: false)
        try Screen.expect(list.draw(), is: "one-80x24")
    }

    @Test func `an arrival, a change and a departed row`() throws {
        let list = ListFixture()
        list.show(["laptop", "nas", "printer"], animating: false)
        list.draw()
        list.press(.down, .down)
        list.show(["laptop", "printer", "tv"], changed: ["laptop"])
        try Screen.expect(list.draw(), is: "three-80x24")
        try Screen.expect(list.draw(40, 8), is: "three-40x8")
    }

    @Test func `a warning below the title`() throws {
        let list = ListFixture()
        list.show(["nas"], animating: false)
        list.view.header.warning = "avahi-daemon does not answer; what is shown may be old"
        try Screen.expect(list.draw(60, 12), is: "warning-60x12")
    }

    @Test func `the footer is below the rows, and a low window shows its last lines`() throws {
        let list = ListFixture()
        list.show(["laptop", "nas", "printer"], animating: false)
        list.view.footer = [
            [.init("first "), .init("line", style: Style(tone: .good))], [.init("second")],
            [
                .init("a third one that is longer than the window is wide, by a little"),
                .init("no"),
            ],
        ]
        try Screen.expect(list.draw(60, 12), is: "footer-60x12")
        try Screen.expect(list.draw(40, 8), is: "footer-40x8")
    }

    @Test func `sections with headers`() throws {
        let list = ListFixture { $0 == "none" ? nil : "Kind: " + $0 }
        list.show(
            ["none": ["free"], "printers": ["hp", "epson"], "shells": ["nas"]], animating: false)
        try Screen.expect(list.draw(), is: "sections-80x24")
    }

    @Test func `an outline with indented rows and disclosure signs`() throws {
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
        try Screen.expect(
            view.frame(size: FrameSize(columns: 40, rows: 10), now: .now), is: "outline-40x10"
        )
        view.charset = .ascii
        try Screen.expect(
            view.frame(size: FrameSize(columns: 40, rows: 10), now: .now),
            is: "ascii-outline-40x10")
    }

    @Test(arguments: [(40, 8), (80, 24), (300, 100)])
    func `five hundred rows, scrolled`(columns: Int, rows: Int) throws {
        let list = ListFixture()
        list.show(ListFixture.names(0..<500), animating: false)
        list.draw(columns, rows)
        list.press(.pageDown, .pageDown, .down)
        try Screen.expect(list.draw(columns, rows), is: "many-\(columns)x\(rows)")
    }

    @Test func `hostile names stay inside their columns`() throws {
        let list = ListFixture()
        list.show(HostileText.all.map(\.text), animating: false)
        try Screen.expect(list.draw(100, 24), is: "hostile-100x24")
    }

    @Test func `wide names stay inside their columns`() throws {
        let list = ListFixture()
        let names = ["プリンター 居間のプリンターは二階", "Küche", "e\u{301}clair", "한국어", "👨‍👩‍👧 home", "ไทย"]
        list.show(names, animating: false)
        try Screen.expect(list.draw(40, 10), is: "wide-40x10")
    }

    @Test func `the help`() throws {
        let list = ListFixture()
        list.show(["nas"], animating: false)
        list.draw()
        list.press(.character("?"))
        try Screen.expect(list.draw(), is: "help-80x24")
        try Screen.expect(list.draw(40, 8), is: "help-40x8")
    }

    @Test func `a list in ASCII`() throws {
        let list = ListFixture()
        list.view.charset = .ascii
        list.show(["Küche", "nas"], animating: false)
        list.draw()
        try Screen.expect(list.draw(60, 12), is: "ascii-60x12")
        list.press(.character("?"))
        let text = list.draw(60, 16).text
        #expect(text.utf8.allSatisfy { $0 == 10 || (32..<127).contains($0) })
        try Screen.expect(list.draw(60, 16), is: "ascii-help-60x16")
    }

    @Test(arguments: [(39, 24), (80, 7)])
    func `in a window below the minimum size no key acts but those to quit`(
        columns: Int, rows: Int
    ) {
        var calls: [String] = []
        let list = ListFixture()
        list.show(["a", "b"], animating: false)
        let keys = KeyTable.standard(adding: [
            KeyBinding([.function(6)], "an action") { calls.append("F6") },
            KeyBinding([.character("x")], "another") { calls.append("x") },
        ])
        list.view.keys = keys
        list.view.menuWasRequested = { calls.append("menu") }
        list.view.itemWasOpened = { _ in calls.append("open") }
        list.view.titleWasClicked = { _ in calls.append("title") }
        list.draw(60, 12)
        let selected = list.view.selectedItem
        func tryAll() {
            for key in keys.bindings.filter({ binding in
                if case .quit = binding.action { false } else { true }
            }).flatMap(\.keys) + [.enter, .escape, .tab, .character("7")] {
                #expect(list.view.handle(key) == .unknown, "\(key)")
            }
            for row in 0..<12 {
                for kind in [
                    MouseEvent.Kind.press, .drag, .release, .secondaryPress, .wheelDown,
                ] {
                    _ = list.view.handle(MouseEvent(kind, row: row, column: 4))
                }
            }
            #expect(list.view.handle(pasted: "x") == .unknown)
            #expect(list.view.handle(.character("q")) == .quit)
            #expect(list.view.handle(.control("c")) == .quit)
        }
        list.draw(columns, rows)
        tryAll()
        list.view.choices = Choices("Run", [.init("x", "rm")], onPick: { calls.append($0) })
        list.draw(columns, rows)
        tryAll()
        list.view.choices = nil
        list.view.prompt = TextPrompt("/", text: "a") {
            calls.append($0)
        } onEnd: { _ in
            calls.append("end")
        }
        list.draw(columns, rows)
        tryAll()
        #expect(calls == [] && list.view.selectedItem == selected)
        #expect(list.view.prompt?.text == "a")
        list.view.prompt = nil
        // After a resize everything acts again.
        list.draw(60, 12)
        list.press(.function(6))
        #expect(calls == ["F6"])
    }

    @Test(arguments: [(39, 24), (80, 7), (20, 5), (3, 2), (1, 1), (0, 0)])
    func `a window below the minimum size shows a message`(columns: Int, rows: Int) {
        let text = ListFixture().draw(columns, rows).text
        let needed = "\(columns)x\(rows) is too small"
        #expect(columns < 20 || text.hasPrefix(needed))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= columns })
    }
}
