// Tests that visible rows keep their lines and no frame is due without a change.
import TerminalList
import TestSupport
import Testing

@Suite struct CalmTests {
    /// The names on the screen's lines, without their marks.
    private func read(_ list: ListFixture) -> [String] {
        list.names().map { String($0.dropFirst(3)) }
    }

    @Test(arguments: seeds(40))
    func `changes above the view do not move visible rows, with or without a selection`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        let list = ListFixture()
        var above = ListFixture.names(0..<50)
        let below = ListFixture.names(50..<100)
        list.show(above + below, animating: false)
        list.view.select("row055")
        list.draw()
        list.press(.pageDown)
        if Bool.random(using: &generator) { list.view.select(nil) }
        list.draw()
        let before = read(list)
        #expect(Set(before).isSubset(of: below))
        for step in 0..<12 {
            if Bool.random(using: &generator), above.count > 1 {
                above.remove(at: Int.random(in: 0..<above.count, using: &generator))
            } else {
                let place = Int.random(in: 0...above.count, using: &generator)
                above.insert("new\(step)", at: place)
            }
            list.show(above + below, animating: Bool.random(using: &generator))
            if Bool.random(using: &generator) { list.wait(3) }
            #expect(read(list) == before)
        }
    }

    @Test func `departed rows that expire above the view do not move visible rows`() {
        let list = ListFixture()
        list.show(ListFixture.names(0..<100), animating: false)
        list.draw()
        list.show(ListFixture.names(5..<100))
        list.draw()
        list.press(.pageDown, .pageDown)
        let before = read(list)
        list.wait(60)
        #expect(read(list) == before)
    }

    @Test func `no frame is due while nothing changes, whatever is shown`() {
        let list = ListFixture()
        list.show(["a", "b"], animating: false)
        list.view.strip = [["strip"]]
        list.view.footer = [["footer"]]
        list.view.prompt = TextPrompt("/", text: "x", onChange: { _ in }, onEnd: { _ in })
        list.view.pane = TextPane("x", "x", [TextPane.Line(["line"])])
        list.view.choices = Choices("x", [.init("a", "a", isOn: true)])
        list.view.highlight = { [$0.startIndex..<$0.endIndex] }
        let first = list.draw()
        #expect(list.view.nextDeadline == nil)
        #expect(!list.view.needsDisplay)
        list.wait(3600)
        #expect(list.draw() == first)
        #expect(!list.view.needsDisplay)
    }

    @Test func `typing a character changes one line`() {
        let list = ListFixture()
        list.show(ListFixture.names(0..<100), animating: false)
        list.view.prompt = TextPrompt("/", onChange: { _ in }, onEnd: { _ in })
        let before = list.draw().text.split(separator: "\n", omittingEmptySubsequences: false)
        list.press(.character("x"))
        let after = list.draw().text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(zip(before, after).filter { $0 != $1 }.count == 1)
    }
}
