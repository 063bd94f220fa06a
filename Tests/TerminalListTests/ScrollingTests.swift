// Tests that visible rows keep their lines while rows change.
import TerminalList
import Testing

@Suite struct ScrollingTests {
    /// A hundred rows on 80×24, two screens down, without a selection.
    private func scrolled(selecting item: String? = nil) -> ListFixture {
        let list = ListFixture()
        list.show(ListFixture.names(0..<100), animating: false)
        list.draw()
        list.press(.pageDown, .pageDown)
        list.view.select(item)
        list.draw()
        return list
    }

    @Test func `arrivals above the view do not move visible rows`() {
        let list = scrolled()
        let before = list.names()
        list.show(["early", "bird"] + ListFixture.names(0..<100))
        #expect(list.names() == before)
    }

    @Test func `departures above the view do not move visible rows`() {
        let list = scrolled()
        let before = list.names()
        list.show(ListFixture.names(7..<100))
        #expect(list.names() == before)
    }

    @Test func `arrivals in the view keep the selected row on its line`() {
        let list = scrolled(selecting: "row050")
        let line = list.names().firstIndex(of: ">  row050")
        var items = ListFixture.names(0..<100)
        items.insert("arrival", at: 45)
        list.show(items)
        #expect(list.names().contains(" + arrival"))
        #expect(list.names().firstIndex(of: ">  row050") == line)
    }

    @Test func `arrivals at the top are visible in a list at its top`() {
        let list = ListFixture()
        list.show(ListFixture.names(0..<100), animating: false)
        list.draw()
        list.show(["a"] + ListFixture.names(0..<100))
        #expect(list.names().first == " + a")
    }

    @Test func `a selection at the bottom of the first screen stays on the screen`() {
        let list = ListFixture()
        list.show(ListFixture.names(0..<100), animating: false)
        list.view.select("row020")
        list.draw()
        list.show(["a", "b"] + ListFixture.names(0..<100))
        #expect(list.names().last == ">  row020")
    }

    @Test func `the second visible row keeps its line when the first expires`() {
        let list = scrolled()
        let before = list.names()
        let first = String(before[0].dropFirst(3))
        list.show(ListFixture.names(0..<100).filter { $0 != first }, animating: false)
        #expect(list.names()[1] == before[1])
    }

    @Test func `a list that shrinks scrolls back`() {
        let list = scrolled()
        list.show(ListFixture.names(0..<10), animating: false)
        #expect(list.names() == ListFixture.names(0..<10).map { "   " + $0 })
    }

    @Test func `a list with only new items has a valid scroll position`() {
        let list = scrolled()
        list.reload(ListFixture.names(500..<600))
        #expect(list.names().count == 21)
    }

    @Test func `pages overlap by one row and stop at the ends`() {
        let list = ListFixture()
        list.show(ListFixture.names(0..<50), animating: false)
        list.draw()
        list.press(.pageDown)
        #expect(list.names().first == ">  row020")
        list.press(.pageDown)
        #expect(list.names().last == "   row049")
        list.press(.pageDown)
        #expect(list.names().last == ">  row049")
        list.press(.pageUp, .pageUp, .pageUp)
        #expect(list.names().first == ">  row000")
    }

    @Test func `a smaller window keeps the selection on the screen`() {
        let list = ListFixture()
        list.show(ListFixture.names(0..<50), animating: false)
        list.draw()
        list.view.select("row018")
        list.draw()
        #expect(list.names(80, 10).contains(">  row018"))
        #expect(list.names(80, 24).contains(">  row018"))
    }

    @Test func `selecting the first row of a section shows its header`() {
        let list = ListFixture { "Kind: " + $0 }
        list.show(["x": ListFixture.names(0..<60)], animating: false)
        list.draw()
        list.press(.end)
        list.draw()
        for _ in 0..<59 { list.press(.up) }
        #expect(list.lines().first == "Kind: x")
        #expect(list.view.selectedItem == "row000")
    }

    @Test func `the position counts items without headers and departed rows`() {
        let list = ListFixture { "Kind: " + $0 }
        list.show(["x": ListFixture.names(0..<60)], animating: false)
        #expect(list.draw().text.hasSuffix("1-20 of 60"))
        list.show(["x": ListFixture.names(1..<60)])
        #expect(list.draw().text.hasSuffix("1-19 of 59"))
    }
}
