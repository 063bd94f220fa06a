// Tests that the selection follows its item.
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

    @Test func `nothing is selected at first`() {
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

    @Test
    func `after the list was empty for a moment, or has all other rows, the first is selected`() {
        let list = list(["a", "b"], selecting: "b")
        list.show([], animating: false)
        list.draw()
        #expect(list.view.selectedItem == nil)
        list.show(["c", "d"], animating: false)
        list.draw()
        #expect(list.view.selectedItem == "c")
        list.show(["e", "f"], animating: false)
        list.draw()
        #expect(list.view.selectedItem == "e")
        list.view.select(nil)
        list.show(["g"], animating: false)
        list.draw()
        #expect(list.view.selectedItem == nil, "no row was selected")
    }

    @Test func `scrolling to the top leaves the selection on its item, which stays visible`() {
        let list = list(ListFixture.names(0..<50), selecting: "row030")
        list.view.scrollToTop()
        list.draw()
        #expect(list.view.selectedItem == "row030")
        #expect(list.names().last?.contains("row030") == true)
        list.view.select("row003")
        list.view.scrollToTop()
        list.draw()
        #expect(list.names().first?.contains("row000") == true)
    }

    @Test func `the first step up selects the last visible row`() {
        let list = list(ListFixture.names(0..<50))
        list.press(.up)
        #expect(list.view.selectedItem == "row020")
    }

    @Test func `keys in an empty list do nothing`() {
        let list = list([])
        for key in [Key.down, .up, .pageDown, .pageUp, .home, .end] { list.press(key) }
        #expect(list.view.selectedItem == nil)
        #expect(list.draw().text.contains("Nothing is here."))
    }

    @Test func `the selection stays at its item when others are inserted, deleted and moved`() {
        let list = list(["b", "c", "d"], selecting: "c")
        list.show(["a", "b", "c"])
        #expect(list.names() == [" + a", "   b", ">  c", " - d"])
        list.show(["c", "b", "a"])
        #expect(list.names().contains(">  c"))
    }

    @Test func `the selection stays at a departed row, then moves to the next one`() {
        let list = list(["a", "b", "c"], selecting: "b")
        list.show(["a", "c"])
        #expect(list.names() == ["   a", ">- b", "   c"])
        #expect(list.view.selectedItem == "b")
        list.wait(4)
        #expect(list.names() == ["   a", ">  c"])
        #expect(list.view.selectedItem == "c")
    }

    @Test func `the selection moves up if the last row expires`() {
        let list = list(["a", "b"], selecting: "b")
        list.show(["a"])
        list.draw()
        list.wait(4)
        #expect(list.names() == [">  a"])
    }

    @Test func `the selection stays in its section if possible`() {
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

    @Test func `the selection ends with the last item`() {
        let list = list(["a"], selecting: "a")
        var reported: [String?] = []
        list.view.selectionDidChange = { reported.append($0) }
        list.show([])
        list.draw()
        list.wait(4)
        list.draw()
        #expect(list.view.selectedItem == nil)
        #expect(reported == [nil])
    }

    @Test func `keys skip departed rows`() {
        let list = list(["a", "b", "c"], selecting: "a")
        list.show(["a", "c"])
        list.draw()
        list.press(.down)
        #expect(list.view.selectedItem == "c")
        list.press(.up)
        #expect(list.view.selectedItem == "a")
    }

    @Test func `a step from a departed row selects its neighbour`() {
        let list = list(["a", "b", "c"], selecting: "b")
        list.show(["a", "c"])
        list.draw()
        list.press(.up)
        #expect(list.names() == [">  a", " - b", "   c"])
    }

    @Test func `the selection moves to the replacement of its item`() {
        let list = list(["a", "old"], selecting: "old")
        list.view.expectReplacement(of: "old", by: "new")
        list.show(["a", "b", "new"])
        #expect(list.view.selectedItem == "new")
        #expect(list.names() == ["   a", " + b", ">~ new"])
    }

    @Test func `the selection follows a chain of replacements in one difference`() {
        let list = list(["a", "old"], selecting: "old")
        list.view.expectReplacement(of: "old", by: "between")
        list.view.expectReplacement(of: "between", by: "new")
        list.show(["a", "new"])
        #expect(list.names() == ["   a", ">~ new"])
    }

    @Test func `cyclic replacements terminate`() {
        let list = list(["a", "b"], selecting: "b")
        list.view.expectReplacement(of: "b", by: "c")
        list.view.expectReplacement(of: "c", by: "b")
        list.show(["a"])
        #expect(list.names() == [">  a"])
    }

    @Test func `an item that returns is still selected`() {
        let list = list(["a", "b"], selecting: "b")
        list.show(["a"])
        list.draw()
        list.show(["a", "b"])
        #expect(list.names() == ["   a", ">+ b"])
    }

    @Test func `every change of the selection is reported once`() {
        let list = list(["a", "b"])
        var reported: [String?] = []
        list.view.selectionDidChange = { reported.append($0) }
        list.press(.down, .down, .down)
        list.view.select(nil)
        #expect(reported == ["a", "b", nil])
    }

    @Test func `an unknown item is not selected`() {
        let list = list(["a"], selecting: "a")
        list.view.select("zzz")
        #expect(list.view.selectedItem == "a")
    }

    @Test func `Home and End select the first and the last row`() {
        let list = list(ListFixture.names(0..<100))
        list.press(.end)
        #expect(list.names().last == ">  row099")
        list.press(.character("g"))
        #expect(list.names().first == ">  row000")
        list.press(.character("G"), .home)
        #expect(list.names().first == ">  row000")
    }

    @Test func `the hidden cursor is at the selected row`() {
        let list = list(["a", "b"], selecting: "b")
        #expect(list.draw().cursorRow == 3)
        #expect(list.draw().style(row: 3, column: 0).attributes.contains(.reverse))
    }

    @Test func `while text is typed, the hidden cursor is there, or where an arrow moved`() {
        let list = list(["a", "b"], selecting: "b")
        list.view.prompt = TextPrompt("/", text: "ab") { _ in
        } onEnd: { _ in
        }
        func cursor() -> [Int] {
            let frame = list.draw()
            return [frame.cursorRow, frame.cursorColumn]
        }
        #expect(cursor() == [23, 3])
        list.press(.up)
        #expect(cursor() == [2, 0], "the row to which the arrow moved")
        list.press(.left)
        #expect(cursor() == [23, 2])
    }
}
