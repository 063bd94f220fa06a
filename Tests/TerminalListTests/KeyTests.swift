// Keys, the table they are looked up in, and the help that is made from it.
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

    @Test func `Ctrl-L has the screen drawn again`() {
        guard case .redraw = ListFixture().view.handle(.control("l")) else {
            Issue.record("Ctrl-L does not redraw")
            return
        }
    }

    @Test func `a key that is not bound is said to be unknown, and changes nothing`() {
        let list = ListFixture()
        list.draw()
        guard case .unknown = list.view.handle(.character("Z")) else {
            Issue.record("Z is known")
            return
        }
        #expect(!list.view.needsDisplay)
    }

    @Test func `the owner's keys run, and are in the help and the last line`() {
        var count = 0
        let own = KeyBinding([.character("x")], "count one up", hint: "count") { count += 1 }
        let list = ListFixture(keys: .standard(adding: [own]))
        list.press(.character("x"), .character("x"))
        #expect(count == 2)
        #expect(list.draw().text.hasSuffix("x count   ? help   q quit"))
        list.press(.character("?"))
        #expect(list.draw().text.contains("x                  count one up"))
    }

    @Test func `the owner's keys do nothing else, and the help says so`() {
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

    @Test func `where there is no room, help and quit are the hints that stay`() {
        let own = "abcdef".map { letter in
            KeyBinding([.character(letter)], "something", hint: "something") {}
        }
        let list = ListFixture(keys: .standard(adding: own))
        #expect(list.draw(40, 8).text.hasSuffix("a something   ? help   q quit"))
    }

    @Test func `any key leaves the help, and does nothing else`() {
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

    @Test func `a help that is too long is scrolled, and no further than its end`() {
        let list = ListFixture()
        list.draw(40, 8)
        list.press(.character("?"))
        #expect(list.draw(40, 8).text.contains("1-6 of 9  ↑ ↓ scroll  Esc closes"))
        list.press(.down, .down, .down, .down, .down, .pageDown)
        #expect(list.draw(40, 8).text.contains("q Ctrl-C"))
        list.press(.up, .up, .up)
        #expect(list.draw(40, 8).text.contains("↑ k"))
    }

    @Test func `Ctrl-C quits from the help too`() {
        let list = ListFixture()
        list.press(.character("?"))
        guard case .quit = list.view.handle(.control("c")) else {
            Issue.record("Ctrl-C does not quit")
            return
        }
    }

    @Test func `what is typed goes to the owner, each character that no key is bound to`() {
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
            Issue.record("Ctrl-X is taken for text")
            return
        }
        list.press(.function(1))
        #expect(list.draw().text.contains("A-Z          search"))
    }

    @Test func `a key bound twice stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = KeyTable.standard(adding: [
                KeyBinding([.character("x")], "something", action: .help),
                KeyBinding([.character("x")], "something else", action: .redraw),
            ])
        }
    }

    @Test func `typed text bound twice stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = KeyTable.typing(adding: [
                KeyBinding(typing: "search") { _ in }, KeyBinding(typing: "rename") { _ in },
            ])
        }
    }
}
