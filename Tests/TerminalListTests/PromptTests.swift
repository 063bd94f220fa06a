// Tests typing in the last line.
import TerminalList
import Testing

@Suite struct PromptTests {
    /// The arguments of a prompt's callbacks.
    private final class Heard {
        var texts: [String] = []
        var ends: [Bool] = []
    }

    private let list = ListFixture()
    private let heard = Heard()

    private func open(_ text: String = "") {
        list.show(["a", "b", "c"], animating: false)
        list.draw(40, 8)
        list.view.prompt = TextPrompt("/", text: text) { [heard] in
            heard.texts.append($0)
        } onEnd: { [heard] in
            heard.ends.append($0)
        }
    }

    private func type(_ text: String) {
        for character in text { list.press(.character(character)) }
    }

    /// The last line of the screen.
    private func line(_ columns: Int = 40) -> String {
        let lines = list.draw(columns, 8).text.split(
            separator: "\n", omittingEmptySubsequences: false)
        return String(lines.last ?? "")
    }

    @Test func `typed text is shown in the last line and reported`() {
        open()
        type("q é?")
        #expect(line() == "/q é?▏")
        #expect(heard.texts == ["q", "q ", "q é", "q é?"])
    }

    @Test func `wide and combined characters are typed and deleted as a whole`() {
        open()
        type("プ")
        list.press(.character("e"), .character("\u{301}"))
        #expect(list.view.prompt?.text == "プe\u{301}")
        #expect(line() == "/プe\u{301}▏")
        list.press(.backspace)
        #expect(line() == "/プ▏")
        list.press(.backspace, .backspace)
        #expect(line() == "/▏")
    }

    @Test func `Ctrl-C cancels the prompt and does not quit`() {
        open("printer")
        guard case .handled = list.view.handle(.control("c")) else {
            Issue.record("Ctrl-C did not reach the prompt")
            return
        }
        #expect(list.view.prompt == nil)
        #expect(heard.ends == [false])
        guard case .quit = list.view.handle(.control("c")) else {
            Issue.record("the next Ctrl-C does not quit")
            return
        }
    }

    @Test func `the text is edited at the cursor`() {
        open("printer")
        list.press(.home, .right, .delete, .character("R"))
        #expect(line() == "/pR▏inter")
        list.press(.end, .left, .backspace)
        #expect(line() == "/pRint▏r")
        list.press(.control("u"))
        #expect(line() == "/▏r")
        #expect(heard.texts.last == "r")
    }

    @Test func `Ctrl-W deletes the word before the cursor`() {
        open("my old printer  ")
        list.press(.control("w"))
        #expect(line() == "/my old ▏")
        list.press(.control("w"), .control("w"), .control("w"))
        #expect(line() == "/▏")
    }

    @Test func `keys that change nothing are not reported`() {
        open("x")
        list.press(.left, .home, .backspace, .end, .right, .delete, .control("w"))
        #expect(heard.texts == [""])
    }

    @Test func `arrows and page keys move in the list while typing`() {
        open("x")
        list.press(.down, .down)
        #expect(list.view.selectedItem == "b")
        list.press(.pageDown)
        #expect(list.view.selectedItem == "c")
        list.press(.up)
        #expect(list.view.selectedItem == "b")
        #expect(list.view.prompt?.text == "x")
    }

    @Test func `some keys act in the list until a text is typed`() {
        open()
        list.view.prompt = TextPrompt(
            "> ", keysWhileEmpty: [.end, .character("k")],
            onChange: { [heard] in
                heard.texts.append($0)
            }, onEnd: { _ in })
        list.press(.end)
        #expect(list.view.selectedItem == "c")
        list.press(.character("k"))
        #expect(list.view.selectedItem == "b")
        list.press(.character("x"), .character("k"), .end)
        #expect(list.view.selectedItem == "b")
        #expect(heard.texts == ["x", "xk"])
    }

    @Test(arguments: [(Key.enter, true), (.escape, false)])
    func `Enter accepts and Esc cancels after the prompt has closed`(key: Key, accepts: Bool) {
        open("x")
        list.press(key)
        #expect(heard.ends == [accepts])
        #expect(list.view.prompt == nil)
        #expect(line() == "? help   q quit")
    }

    @Test func `the end of a prompt can open the next one`() {
        list.view.prompt = TextPrompt("a:") { _ in
        } onEnd: { [list] _ in
            list.view.prompt = TextPrompt("b:", onChange: { _ in }, onEnd: { _ in })
        }
        list.press(.enter)
        #expect(list.view.prompt?.label == "b:")
    }

    @Test func `letters with a binding are typed`() {
        open()
        type("qjG?")
        #expect(list.view.prompt?.text == "qjG?")
        #expect(list.view.selectedItem == nil)
    }

    @Test func `a long paste is cut to the limit of the prompt`() {
        open()
        type(String(repeating: "ab", count: 5000))
        #expect(list.view.prompt?.text.count == TextPrompt.limit)
        #expect(heard.texts.count == TextPrompt.limit)
        list.view.prompt = TextPrompt(
            "/", text: String(repeating: "e\u{301}", count: 5000), onChange: { _ in },
            onEnd: { _ in })
        #expect(list.view.prompt?.text.unicodeScalars.count == TextPrompt.limit)
        list.press(.character("x"))
        #expect(list.view.prompt?.text.unicodeScalars.count == TextPrompt.limit)
    }

    @Test func `a long text is shown at the cursor`() {
        open(String(repeating: "0123456789", count: 10))
        #expect(line() == "/23456789" + String(repeating: "0123456789", count: 3) + "▏")
        list.press(.home)
        #expect(line() == "/▏" + String(repeating: "0123456789", count: 3) + "0123456…")
        list.view.charset = .ascii
        #expect(line().hasPrefix("/_0123"))
    }

    @Test func `a paste is one change with spaces for line ends`() {
        open("a")
        _ = list.view.handle(pasted: "q\nq\r\n" + String(repeating: "x", count: 20_000))
        #expect(heard.texts.count == 1)
        #expect(heard.texts.first?.hasPrefix("aq q xxx") == true)
        #expect(list.view.prompt?.text.unicodeScalars.count == TextPrompt.limit)
        #expect(heard.ends == [])
    }

    @Test func `a paste without a prompt does nothing`() {
        list.show(["a", "b"], animating: false)
        list.draw()
        guard case .unknown = list.view.handle(pasted: "qj") else {
            Issue.record("a paste was handled as keys")
            return
        }
        #expect(list.view.selectedItem == nil)
    }
}
