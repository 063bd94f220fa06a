// The selection follows the item, whatever happens to the rows.
import TerminalList
import Testing

@Suite struct SelectionTests {
    private func list(_ items: [String], selecting item: String? = nil) -> ListFixture {
        let list = ListFixture()
        list.show(items, animating: false)
        list.draw()
        list.view.select(item)
        list.draw()
        return list
    }

    @Test func `nothing is selected until a key selects`() {
        let list = list(["a", "b"])
        #expect(list.view.selectedItem == nil)
        list.press(.down)
        #expect(list.view.selectedItem == "a")
        list.press(.character("j"))
        #expect(list.view.selectedItem == "b")
        list.press(.down, .down)
        #expect(list.view.selectedItem == "b")
        list.press(.character("k"), .up, .up)
        #expect(list.view.selectedItem == "a")
    }

    @Test func `the first step up selects the last row on the screen`() {
        let list = list(ListFixture.names(0..<50))
        list.press(.up)
        #expect(list.view.selectedItem == "row020")
    }

    @Test func `keys in an empty list do nothing`() {
        let list = list([])
        for key in [Key.down, .up, .pageDown, .pageUp, .home, .end] { list.press(key) }
        #expect(list.view.selectedItem == nil)
        #expect(list.draw().text.contains("Nobody is here."))
    }

    @Test func `the selection stays on its item when others come, go and move`() {
        let list = list(["b", "c", "d"], selecting: "c")
        list.show(["a", "b", "c"])
        #expect(list.names() == [" + a", "   b", ">  c", " - d"])
        list.show(["c", "b", "a"])
        #expect(list.names().contains(">  c"))
    }

    @Test func `when the item leaves, the selection stays on its last row, then goes to the next`()
    {
        let list = list(["a", "b", "c"], selecting: "b")
        list.show(["a", "c"])
        #expect(list.names() == ["   a", ">- b", "   c"])
        #expect(list.view.selectedItem == "b")
        list.wait(4)
        #expect(list.names() == ["   a", ">  c"])
        #expect(list.view.selectedItem == "c")
    }

    @Test func `at the end of the list it goes to the row above`() {
        let list = list(["a", "b"], selecting: "b")
        list.show(["a"])
        list.draw()
        list.wait(4)
        #expect(list.names() == [">  a"])
    }

    @Test func `it stays in its section where it can`() {
        let list = ListFixture { $0 }
        list.show(["x": ["a", "b"], "y": ["c"]], animating: false)
        list.view.select("b")
        list.draw()
        list.show(["x": ["a"], "y": ["c"]])
        list.draw()
        list.wait(4)
        list.draw()
        #expect(list.view.selectedItem == "a")
    }

    @Test func `with the last item the selection ends`() {
        let list = list(["a"], selecting: "a")
        var told: [String?] = []
        list.view.selectionDidChange = { told.append($0) }
        list.show([])
        list.draw()
        list.wait(4)
        list.draw()
        #expect(list.view.selectedItem == nil)
        #expect(told == [nil])
    }

    @Test func `keys step over rows that have left`() {
        let list = list(["a", "b", "c"], selecting: "a")
        list.show(["a", "c"])
        list.draw()
        list.press(.down)
        #expect(list.view.selectedItem == "c")
        list.press(.up)
        #expect(list.view.selectedItem == "a")
    }

    @Test func `a step from a row that has left goes to its neighbour`() {
        let list = list(["a", "b", "c"], selecting: "b")
        list.show(["a", "c"])
        list.draw()
        list.press(.up)
        #expect(list.names() == [">  a", " - b", "   c"])
    }

    @Test func `it moves along to the identifier that replaces its item`() {
        let list = list(["a", "old"], selecting: "old")
        list.view.expectReplacement(of: "old", by: "new")
        list.show(["a", "b", "new"])
        #expect(list.view.selectedItem == "new")
        #expect(list.names() == ["   a", " + b", ">~ new"])
    }

    @Test func `it moves along a chain of replacements that one difference stands for`() {
        let list = list(["a", "old"], selecting: "old")
        list.view.expectReplacement(of: "old", by: "between")
        list.view.expectReplacement(of: "between", by: "new")
        list.show(["a", "new"])
        #expect(list.names() == ["   a", ">~ new"])
    }

    @Test func `replacements in a circle come to an end`() {
        let list = list(["a", "b"], selecting: "b")
        list.view.expectReplacement(of: "b", by: "c")
        list.view.expectReplacement(of: "c", by: "b")
        list.show(["a"])
        #expect(list.names() == [">  a"])
    }

    @Test func `an item that came back is still selected`() {
        let list = list(["a", "b"], selecting: "b")
        list.show(["a"])
        list.draw()
        list.show(["a", "b"])
        #expect(list.names() == ["   a", ">+ b"])
    }

    @Test func `the owner hears of every change of the selection, once`() {
        let list = list(["a", "b"])
        var told: [String?] = []
        list.view.selectionDidChange = { told.append($0) }
        list.press(.down, .down, .down)
        list.view.select(nil)
        #expect(told == ["a", "b", nil])
    }

    @Test func `an item that is not there is not selected`() {
        let list = list(["a"], selecting: "a")
        list.view.select("zzz")
        #expect(list.view.selectedItem == "a")
    }

    @Test func `home and end go to the first and the last row`() {
        let list = list(ListFixture.names(0..<100))
        list.press(.end)
        #expect(list.names().last == ">  row099")
        list.press(.character("g"))
        #expect(list.names().first == ">  row000")
        list.press(.character("G"), .home)
        #expect(list.names().first == ">  row000")
    }

    @Test func `the selected line is where the cursor waits`() {
        let list = list(["a", "b"], selecting: "b")
        #expect(list.draw().cursorRow == 3)
        #expect(list.draw().style(row: 3, column: 0).attributes.contains(.reverse))
    }
}
