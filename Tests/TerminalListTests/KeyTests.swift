// Tests of key bindings and of the help made from them.
import TerminalList
import Testing

@Suite struct KeyTests {
    @Test(arguments: [Key.character("q"), .control("c")])
    func `q and Ctrl-C quit`(key: Key) {
        guard case .quit = ListFixture().view.handle(key) else {
            Issue.record("\(key) does not quit")
            return
        }
    }

    @Test func `Ctrl-L redraws the screen`() {
        guard case .redraw = ListFixture().view.handle(.control("l")) else {
            Issue.record("Ctrl-L does not redraw")
            return
        }
    }

    @Test func `an unbound key is unknown and changes nothing`() {
        let list = ListFixture()
        list.draw()
        guard case .unknown = list.view.handle(.character("Z")) else {
            Issue.record("Z is known")
            return
        }
        #expect(!list.view.needsDisplay)
    }

    @Test func `the owner's bindings run and appear in the help and the last line`() {
        var count = 0
        let own = KeyBinding([.character("x")], "count one up", hint: "count") { count += 1 }
        let list = ListFixture(keys: .standard(adding: [own]))
        list.press(.character("x"), .character("x"))
        #expect(count == 2)
        #expect(list.draw().text.hasSuffix("x count   ? help   q quit"))
        list.press(.character("?"))
        #expect(list.draw().text.contains("x                  count one up"))
    }

    @Test func `the owner's bindings replace standard ones, also in the help`() {
        var count = 0
        let own = KeyBinding([.home, .character("j")], "count one up") { count += 1 }
        let list = ListFixture(keys: .standard(adding: [own]))
        list.show(["a", "b", "c"], animating: false)
        list.press(.down, .home, .character("j"))
        #expect(count == 2)
        #expect(list.view.selectedItem == "a")
        list.press(.character("g"), .down)
        #expect(list.view.selectedItem == "b")
        list.press(.character("?"))
        let help = list.draw().text
        #expect(help.contains("Home j             count one up"))
        #expect(help.contains("g                  first row"))
        #expect(help.contains("↓                  one row down"))
    }

    @Test func `help and quit are the last hints to be dropped`() {
        let own = "abcdef".map { letter in
            KeyBinding([.character(letter)], "something", hint: "something") {}
        }
        let list = ListFixture(keys: .standard(adding: own))
        #expect(list.draw(40, 8).text.hasSuffix("a something  b something  ? help  q quit"))
    }

    @Test func `hints use the free cells, with smaller gaps if one more fits then`() {
        let own = ["aaaa", "bbbbbbbbbbbbbbbbbbbb", "cc"].enumerated().map { index, hint in
            KeyBinding(
                [.character(hint.first ?? "x")], hint, hint: hint, hintRank: 9 - index
            ) {}
        }
        let list = ListFixture(keys: .standard(adding: own))
        #expect(list.draw(40, 8).text.hasSuffix("\na aaaa   c cc   ? help   q quit"))
        #expect(list.draw(52, 8).text.hasSuffix("bbbb  c cc  ? help  q quit"))
        #expect(list.draw(60, 8).text.hasSuffix("b bbbbbbbbbbbbbbbbbbbb   c cc   ? help   q quit"))
    }

    @Test func `the help leaves hidden bindings out, and their keys act`() {
        var count = 0
        var own = KeyBinding([.character("x")], "count one up") { count += 1 }
        own.isHidden = true
        let list = ListFixture(keys: .standard(adding: [own]))
        list.press(.character("x"), .character("?"))
        #expect(count == 1)
        #expect(!list.draw().text.contains("count one up"))
    }

    @Test func `any key closes the help without another effect`() {
        let list = ListFixture()
        list.show(["a"], animating: false)
        list.draw()
        for key in [Key.character("?"), .escape, .character("q"), .end, .character("Z")] {
            list.press(.character("?"))
            #expect(list.draw().text.contains("┌─ Keys"))
            guard case .handled = list.view.handle(key) else {
                Issue.record("\(key) does more than leave the help")
                return
            }
            #expect(!list.draw().text.contains("┌─ Keys"))
        }
        #expect(list.view.selectedItem == nil)
    }

    @Test func `a long help scrolls up to its end`() {
        let list = ListFixture()
        list.draw(40, 8)
        list.press(.character("?"))
        #expect(list.draw(40, 8).text.contains("1-6 of 9  ↑ ↓ scroll  Esc closes"))
        list.press(.down, .down, .down, .down, .down, .pageDown)
        #expect(list.draw(40, 8).text.contains("q Ctrl-C"))
        list.press(.up, .up, .up)
        #expect(list.draw(40, 8).text.contains("↑ k"))
    }

    @Test func `Ctrl-C quits from the help`() {
        let list = ListFixture()
        list.press(.character("?"))
        guard case .quit = list.view.handle(.control("c")) else {
            Issue.record("Ctrl-C does not quit")
            return
        }
    }

    @Test func `characters without a binding are typed`() {
        var text = ""
        let list = ListFixture(
            keys: .typing(adding: [
                KeyBinding(typing: "search", hint: "search") { text.append($0) },
                KeyBinding([.backspace], "rub out") { text.removeLast() },
            ]))
        list.press(.character("q"), .character(" "), .character("é"), .character("?"), .backspace)
        #expect(text == "q é")
        #expect(list.draw().text.hasSuffix("A-Z search   F1 help   Ctrl-C quit"))
        guard case .unknown = list.view.handle(.control("x")) else {
            Issue.record("Ctrl-X was typed")
            return
        }
        list.press(.function(1))
        #expect(list.draw().text.contains("A-Z          search"))
    }

    @Test func `a key bound twice is a precondition failure`() async {
        await #expect(processExitsWith: .failure) {
            _ = KeyTable.standard(adding: [
                KeyBinding([.character("x")], "something", action: .help),
                KeyBinding([.character("x")], "something else", action: .redraw),
            ])
        }
    }

    @Test func `typing bound twice is a precondition failure`() async {
        await #expect(processExitsWith: .failure) {
            _ = KeyTable.typing(adding: [
                KeyBinding(typing: "search") { _ in }, KeyBinding(typing: "rename") { _ in },
            ])
        }
    }
}
