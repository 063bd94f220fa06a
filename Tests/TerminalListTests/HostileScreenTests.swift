// Hostile text in every place of the screen that can show text.
import Testing

@testable import TerminalList

/// A place of the screen that shows text which may be a stranger's.
private enum Place: CaseIterable {
    case cell, sectionTitle, header, status, warning, emptyMessage, footer, strip, message
    case promptLabel, prompt, choicesTitle, choices, choicesDetail, paneTitle, pane, fullPane
    case help

    /// A list that shows a text in this place.
    func list(showing text: String) -> ListFixture {
        let list = ListFixture { _ in self == .sectionTitle ? text : nil }
        if self != .emptyMessage {
            list.show([self == .cell ? text : "nas", "printer"], animating: false)
        }
        let view = list.view
        switch self {
        case .cell, .sectionTitle: break
        case .header: view.header.title = text
        case .status: view.header.status = text
        case .warning: view.header.warning = text
        case .emptyMessage: view.emptyMessage = [text]
        case .footer: view.footer = [[.init(text), "behind"]]
        case .strip: view.strip = [[.init(text), "behind"]]
        case .message: view.show(message: text)
        case .promptLabel: view.prompt = prompt(text, "typed")
        case .prompt: view.prompt = prompt("/", text)
        case .choicesTitle: view.choices = Choices(text, [.init("a", "a")])
        case .choices: view.choices = Choices("x", [.init("a", text, detail: "3", isOn: true)])
        case .choicesDetail: view.choices = Choices("x", [.init("a", "a", detail: text)])
        case .paneTitle: view.pane = TextPane("x", text, [TextPane.Line(["one"])])
        case .pane: view.pane = TextPane("x", "x", [TextPane.Line(["TXT ", .init(text)])])
        case .fullPane:
            view.pane = TextPane("x", "x", [TextPane.Line([.init(text)])], place: .full)
        case .help:
            view.keys = .standard(adding: [KeyBinding([.tab], text, section: text) {}])
            list.press(.character("?"))
        }
        return list
    }

    private func prompt(_ label: String, _ text: String) -> TextPrompt {
        TextPrompt(label, text: text, onChange: { _ in }, onEnd: { _ in })
    }
}

@Suite struct HostileScreenTests {
    @Test(arguments: HostileText.all)
    func `no place of the screen lets it through`(hostile: HostileText) {
        for place in Place.allCases {
            for (columns, charset) in [(80, Charset.unicode), (40, .ascii), (47, .unicode)] {
                let list = place.list(showing: hostile.text)
                list.view.charset = charset
                let frame = list.draw(columns, 12)
                let scalars = frame.lines.joined().flatMap { $0.text.unicodeScalars }
                #expect(scalars.allSatisfy { $0.isHarmless }, "\(place)")
                #expect(charset == .unicode || scalars.allSatisfy(\.isASCII), "\(place)")
                #expect(frame.lines.allSatisfy { $0.count == columns }, "\(place)")
            }
        }
    }

    @Test(arguments: HostileText.all)
    func `it takes its columns and no other's`(hostile: HostileText) {
        for place in [Place.cell, .sectionTitle, .paneTitle, .pane] {
            let list = place.list(showing: hostile.text)
            if list.view.pane == nil {
                list.view.pane = TextPane("x", "x", [TextPane.Line(["one"])])
            }
            let lines = list.draw(80, 12).lines
            #expect(lines[1..<11].allSatisfy { $0[41].text == "│" }, "\(place)")
        }
        let box = Place.choices.list(showing: hostile.text).draw(80, 12).lines
        let sides = box.map { line in line.indices.filter { line[$0].text == "│" } }
        #expect(Set(sides.filter { !$0.isEmpty }).count == 1, "both sides stand where they stand")
    }

    @Test func `newline row forging: no line begins with what the text wants there`() {
        for place in Place.allCases {
            let list = place.list(showing: "i\r\n > forged  10.0.0.9\n>  forged")
            let lines = list.draw(80, 12).text.split(separator: "\n")
            let begins = lines.map { $0.drop { " >│".contains($0) } }
            #expect(!begins.contains { $0.hasPrefix("forged") }, "\(place)")
        }
    }

    @Test(arguments: HostileText.all)
    func `what is searched for is marked in it without letting it through`(hostile: HostileText) {
        let list = ListFixture()
        list.show([hostile.text], animating: false)
        let plain = list.draw(80, 12).text
        list.view.highlight = { [$0.startIndex..<$0.endIndex] }
        #expect(list.draw(80, 12).text == plain)
    }
}
