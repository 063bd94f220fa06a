// When the view wants to be drawn: never without a reason, always when something ends.
import TerminalList
import Testing

@Suite struct DeadlineTests {
    @Test func `a list at rest never wants to be drawn`() {
        let list = ListFixture()
        list.show(["a"], animating: false)
        list.draw()
        #expect(list.view.nextDeadline == nil)
        #expect(!list.view.needsDisplay)
    }

    @Test func `each stage of an arrival and each departure has its deadline`() {
        let list = ListFixture()
        list.show(["a", "b"], animating: false)
        list.draw()
        let start = list.now
        list.show(["b", "c"])
        #expect(list.view.needsDisplay)
        list.draw()
        #expect(list.view.nextDeadline == start + .seconds(2))
        list.wait(2)
        list.draw()
        #expect(list.view.nextDeadline == start + .seconds(4))
        list.wait(2)
        list.draw()
        #expect(list.view.nextDeadline == start + .seconds(5))
        list.wait(1)
        list.draw()
        #expect(list.view.nextDeadline == nil)
    }

    @Test func `an arrival off the screen wakes nobody`() {
        let list = ListFixture()
        list.show(ListFixture.names(0..<100), animating: false)
        list.draw()
        list.show(ListFixture.names(0..<101))
        list.draw()
        #expect(list.view.nextDeadline == nil)
    }

    @Test func `the time of a change begins when the screen first shows it`() {
        let list = ListFixture()
        list.show(["a"], animating: false)
        list.draw()
        list.show(["b"])
        list.wait(3600)
        #expect(list.names() == [" - a", " + b"])
    }

    @Test func `cells are asked for rows on the screen only, once a frame`() {
        let list = ListFixture()
        list.show(ListFixture.names(0..<500), animating: false)
        #expect(list.takeAsked() == [])
        list.draw()
        #expect(list.takeAsked() == ListFixture.names(0..<21))
        list.show(ListFixture.names(0..<501))
        #expect(list.takeAsked() == [])
    }

    @Test func `setting what is set already draws nothing`() {
        let list = ListFixture()
        list.draw()
        list.view.header = list.view.header
        list.view.emptyMessage = list.view.emptyMessage
        #expect(!list.view.needsDisplay)
        list.view.header.status = "other"
        #expect(list.view.needsDisplay)
    }
}
