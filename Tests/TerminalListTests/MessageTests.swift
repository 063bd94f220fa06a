// Tests of messages in the last line.
import TerminalList
import Testing

@Suite struct MessageTests {
    private let list = ListFixture()

    private var isShown: Bool { list.draw(60, 10).text.hasSuffix("\ncopied") }

    @Test func `a message is shown for four seconds from the first frame`() {
        list.draw(60, 10)
        list.view.show(message: "copied")
        #expect(list.view.needsDisplay)
        list.wait(3600)
        #expect(isShown)
        #expect(list.view.nextDeadline == list.now + .seconds(4))
        list.wait(3)
        #expect(isShown)
        #expect(list.view.nextDeadline == list.now + .seconds(1))
        list.wait(1)
        #expect(!isShown)
        #expect(list.view.nextDeadline == nil)
    }

    @Test func `a message disappears with the next key, bound or not`() {
        list.view.show(message: "copied")
        #expect(isShown)
        list.press(.character("Z"))
        #expect(list.view.needsDisplay)
        #expect(!isShown)
    }

    @Test func `a key can show the next message`() {
        list.view.keys = .standard(adding: [
            KeyBinding([.character("y")], "copy") { [weak list] in
                list?.view.show(message: "copied")
            }
        ])
        list.view.show(message: "something else")
        list.press(.character("y"))
        #expect(isShown)
    }

    @Test func `a long message is cut, and a prompt takes precedence`() {
        list.view.show(message: String(repeating: "long ", count: 30))
        #expect(list.draw(40, 8).text.hasSuffix("long long…"))
        list.view.prompt = TextPrompt("/", text: "x", onChange: { _ in }, onEnd: { _ in })
        #expect(list.draw(40, 8).text.hasSuffix("/x▏"))
    }

    @Test func `a message has its tone`() {
        list.view.show(message: "copied", tone: .bad)
        #expect(list.draw(60, 10).style(row: 9, column: 0) == Style(.bold, tone: .bad))
    }
}
