// Tests of the times at which a frame is needed.
import TerminalList
import Testing

@Suite struct DeadlineTests {
    @Test func `an unchanged list needs no frame`() {
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

    @Test func `an arrival off the screen sets no deadline`() {
        let list = ListFixture()
        list.show(ListFixture.names(0..<100), animating: false)
        list.draw()
        list.show(ListFixture.names(0..<101))
        list.draw()
        #expect(list.view.nextDeadline == nil)
    }

    @Test func `the time of a change begins with the first frame that shows it`() {
        let list = ListFixture()
        list.show(["a"], animating: false)
        list.draw()
        list.show(["b"])
        list.wait(3600)
        #expect(list.names() == [" - a", " + b"])
    }

    @Test func `only cells of visible rows are requested, once per frame`() {
        let list = ListFixture()
        list.show(ListFixture.names(0..<500), animating: false)
        #expect(list.removeRequested() == [])
        list.draw()
        #expect(list.removeRequested() == ListFixture.names(0..<21))
        list.show(ListFixture.names(0..<501))
        #expect(list.removeRequested() == [])
    }

    @Test func `setting an equal value needs no frame`() {
        let list = ListFixture()
        list.draw()
        list.view.header = list.view.header
        list.view.emptyMessage = list.view.emptyMessage
        #expect(!list.view.needsDisplay)
        list.view.header.status = "other"
        #expect(list.view.needsDisplay)
    }
}
