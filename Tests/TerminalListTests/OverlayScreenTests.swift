// Golden screens with prompts, boxes, panes and messages.
import TerminalList
import Testing

@Suite struct OverlayScreenTests {
    private let list = ListFixture()

    init() {
        list.show(["laptop", "nas", "printer", "Küche"], animating: false)
        list.press(.down, .down)
    }

    private var details: [TextPane.Line] {
        [
            TextPane.Line([.init("Host      "), .init("nas.local", style: Style(.bold))], id: "h"),
            TextPane.Line(
                [.init("Addresses "), .init("192.0.2.7 fe80::c2ff:fe00:12%eth0 2001:db8::12")],
                id: "a", indent: 10),
            TextPane.Line(
                [.init("TXT       "), .init("note=\u{1b}]52;c;eA==\u{7} and more of it")],
                indent: 10),
        ]
    }

    @Test func `a search with marked matches`() throws {
        list.view.highlight = { text in
            text.firstIndex(of: "p").map { [$0..<text.index(after: $0)] } ?? []
        }
        list.view.prompt = TextPrompt("/", text: "p", onChange: { _ in }, onEnd: { _ in })
        try Screen.expect(list.draw(60, 10), is: "prompt-60x10")
    }

    @Test(arguments: [(40, 8), (80, 24)])
    func `a checklist`(columns: Int, rows: Int) throws {
        let types = [
            ("_http._tcp", "Web Site", 3), ("_ipp._tcp", "Internet Printer", 12),
            ("_ssh._tcp", "SSH Remote Terminal", 1), ("_smb._tcp", "Windows File Sharing", 0),
        ]
        list.view.choices = Choices(
            "Types",
            types.map { type, title, count in
                .init(type, "\(title)  \(type)", detail: "\(count)", isOn: count != 12)
            })
        list.draw(columns, rows)
        list.press(.down)
        try Screen.expect(list.draw(columns, rows), is: "choices-\(columns)x\(rows)")
    }

    @Test func `a choice in ASCII`() throws {
        list.view.charset = .ascii
        list.view.choices = Choices("Sort", [.init("n", "by name"), .init("a", "by address")])
        try Screen.expect(list.draw(60, 10), is: "ascii-choices-60x10")
    }

    @Test(arguments: [(100, 12), (64, 10)])
    func `details beside the list`(columns: Int, rows: Int) throws {
        list.view.pane = TextPane("nas", "nas", details)
        try Screen.expect(list.draw(columns, rows), is: "pane-\(columns)x\(rows)")
    }

    @Test(arguments: [(80, 12), (40, 8)])
    func `details in place of the list`(columns: Int, rows: Int) throws {
        list.view.pane = TextPane("nas", "nas", details, placement: .full)
        try Screen.expect(list.draw(columns, rows), is: "details-\(columns)x\(rows)")
    }

    @Test func `details in ASCII with the focus`() throws {
        list.view.charset = .ascii
        list.view.pane = TextPane("nas", "nas", details)
        list.draw(80, 10)
        list.view.switchFocus()
        try Screen.expect(list.draw(80, 10), is: "ascii-pane-80x10")
    }

    @Test func `the strip is dropped in a low window`() throws {
        list.view.strip = [
            [.init("+ "), .init(Sparkline.text([0, 1, 3, 0, 12, 1], charset: .unicode))],
            [.init("- "), .init(Sparkline.text([0, 0, 1, 0, 40, 2], charset: .unicode))],
        ]
        list.view.footer = [[.init("a footer")]]
        try Screen.expect(list.draw(60, 14), is: "strip-60x14")
        #expect(list.draw(60, 11).text.contains("\n+ "))
        #expect(!list.draw(60, 11).text.contains("\n- "))
        #expect(!list.draw(60, 10).text.contains("\n+ "))
        #expect(list.draw(60, 10).text.contains("a footer"))
        list.view.header.warning = "low"
        #expect(!list.draw(60, 11).text.contains("\n+ "))
    }

    @Test func `a message in the last line`() throws {
        list.view.show(message: "copied: 192.0.2.7")
        try Screen.expect(list.draw(60, 10), is: "message-60x10")
    }
}
