// How arrivals, changes and departures are seen, and for how long.
import DiffCore
import Testing

@testable import TerminalList

@Suite struct ChangeTests {
    private func list(_ items: [String]) -> ListFixture {
        let list = ListFixture()
        list.show(items, animating: false)
        list.draw()
        return list
    }

    @Test func `an arrival stands out strongly, then weakly, then not`() {
        let list = list(["a", "c"])
        list.show(["a", "b", "c"])
        #expect(list.names() == ["   a", " + b", "   c"])
        #expect(list.draw().style(row: 3, column: 3) == Style(.bold, tone: .good))
        list.wait(2)
        #expect(list.draw().style(row: 3, column: 3) == Style(tone: .good))
        #expect(list.names() == ["   a", " + b", "   c"])
        list.wait(3)
        #expect(list.names() == ["   a", "   b", "   c"])
        #expect(list.draw().style(row: 3, column: 3) == .plain)
    }

    @Test func `a departure stays in its place, as loud as an arrival, then goes`() {
        let list = list(["a", "b", "c"])
        list.show(["a", "c"])
        #expect(list.names() == ["   a", " - b", "   c"])
        #expect(list.draw().style(row: 3, column: 3) == Style(.bold, tone: .bad))
        list.wait(2)
        #expect(list.draw().style(row: 3, column: 3) == Style(tone: .bad))
        #expect(list.lines()[1].contains("10.0.0.1"), "it shows what it showed before")
        list.wait(1.5)
        #expect(list.names() == ["   a", " - b", "   c"])
        list.wait(0.5)
        #expect(list.names() == ["   a", "   c"])
    }

    @Test func `a change is marked for a moment`() {
        let list = list(["a", "b"])
        list.show(["a", "b"], changed: ["b"])
        #expect(list.names() == ["   a", " ~ b"])
        list.wait(2)
        #expect(list.names() == ["   a", "   b"])
    }

    @Test func `an arrival that changes at once is still an arrival`() {
        let list = list(["a"])
        list.show(["a", "b"])
        list.show(["a", "b"], changed: ["b"])
        #expect(list.names() == ["   a", " + b"])
    }

    @Test func `what comes back is an arrival, and its old row is gone`() {
        let list = list(["a", "b", "c"])
        list.show(["a", "c"])
        list.draw()
        list.show(["a", "c", "b"])
        #expect(list.names() == ["   a", "   c", " + b"])
        list.wait(10)
        #expect(list.names() == ["   a", "   c", "   b"])
    }

    @Test func `what comes and goes between two frames is never seen`() {
        let list = list(["a"])
        list.show(["a", "b"])
        list.show(["a"])
        #expect(list.names() == ["   a"])
    }

    @Test func `departed neighbours keep their order, whichever leaves first`() {
        for order in [["b", "c", "d"], ["d", "c", "b"], ["c", "b", "d"], ["c", "d", "b"]] {
            let list = list(["a", "b", "c", "d", "e"])
            var left = ["a", "b", "c", "d", "e"]
            for item in order {
                left.removeAll { $0 == item }
                list.show(left)
                list.draw()
            }
            #expect(list.names() == ["   a", " - b", " - c", " - d", "   e"])
        }
    }

    @Test func `an arrival does not come between a departed row and the one above it`() {
        let list = list(["a", "b", "d"])
        list.show(["a", "d"])
        list.draw()
        list.show(["a", "c", "d"])
        #expect(list.names() == ["   a", " - b", " + c", "   d"])
    }

    @Test func `the first of a list may leave, and all of it`() {
        let list = list(["a", "b"])
        list.show(["b"])
        #expect(list.names() == [" - a", "   b"])
        list.show([])
        #expect(list.names() == [" - a", " - b"])
        list.wait(4)
        #expect(list.lines().joined().contains("Nobody is here."))
    }

    @Test func `a section that goes keeps its header while something of it is shown`() {
        let list = ListFixture { "Kind: " + $0 }
        list.show(["x": ["a"], "y": ["b", "c"], "z": ["d"]], animating: false)
        list.draw()
        list.show(["x": ["a"], "z": ["d"]])
        let header = "Kind:"
        #expect(
            list.names() == [
                header, "   a", header, " - b", " - c", header, "   d",
            ])
        #expect(list.lines()[2] == "Kind: y")
        list.wait(4)
        #expect(list.names() == [header, "   a", header, "   d"])
    }

    @Test func `an item that moves leaves nothing behind`() {
        let list = list(["a", "b", "c"])
        list.show(["c", "a", "b"])
        #expect(list.names() == ["   c", "   a", "   b"])
    }

    @Test func `a departed row stays where it was when its neighbour moves away`() {
        let list = list(["a", "b", "c", "d"])
        list.show(["a", "b", "d"])
        list.draw()
        list.show(["b", "a", "d"].sorted(by: >))
        #expect(list.names().filter { $0 == " - c" }.count == 1)
        #expect(list.names().count == 4)
    }

    @Test func `without animation nothing is marked and nothing stays`() {
        let list = list(["a", "b"])
        list.show(["b", "c"], changed: ["b"], animating: false)
        #expect(list.names() == ["   b", "   c"])
        #expect(list.view.nextDeadline == nil)
    }

    @Test func `a list whose row animation is none marks nothing, and nothing stays`() {
        let list = list(["a", "b", "old"])
        list.rowAnimation = .none
        list.view.expectReplacement(of: "old", by: "new")
        list.show(["b", "c", "new"], changed: ["b"])
        #expect(list.names() == ["   b", "   c", "   new"])
        #expect(list.view.nextDeadline == nil)
        list.rowAnimation = .fade
        list.show(["b", "new"])
        #expect(list.names() == ["   b", " - c", "   new"])
    }

    @Test func `reloaded data are shown as if they had always been there`() {
        let list = list(["a", "b"])
        list.show(["b"])
        list.draw()
        list.reload(["x", "b"])
        #expect(list.names() == ["   x", "   b"])
    }

    @Test func `what is replaced by another identifier does not leave`() {
        let list = list(["a", "old", "z"])
        list.view.expectReplacement(of: "old", by: "new")
        list.show(["a", "new", "z"])
        #expect(list.names() == ["   a", " ~ new", "   z"])
    }

    @Test func `a replacement that never comes is forgotten`() {
        let list = list(["a", "old"])
        list.view.expectReplacement(of: "old", by: "new")
        list.show(["a", "b", "old"])
        list.draw()
        list.show(["a", "b"])
        #expect(list.names() == ["   a", " + b", " - old"])
    }

    @Test func `a replacement that is announced before a reload is forgotten`() {
        let list = list(["a", "old"])
        list.view.expectReplacement(of: "old", by: "new")
        list.reload(["a", "old", "z"])
        list.draw()
        list.show(["a", "new", "z"])
        #expect(list.names() == ["   a", " - old", " + new", "   z"])
    }

    @Test func `what is hidden or shown by the owner has neither left nor come`() {
        let list = list(["a", "b", "c", "d", "e"])
        list.show(["a", "c", "d", "e"])
        list.draw()
        list.view.select("d")
        list.show(["a", "f", "g"], changed: ["a"])
        list.view.forgetChange(of: ["b", "d", "f", "a", "unknown"])
        #expect(list.names().sorted() == [" + g", " - c", ">- e", "   a", "   f"].sorted())
        #expect(list.view.selectedItem == "e", "the row of the selected one is gone")
        list.show(["a", "d", "f", "g"])
        list.view.forgetChange(of: ["d"])
        #expect(list.names().contains { $0.hasSuffix("  d") })
        list.show(["a", "f", "g"])
        #expect(list.names().contains(" - d"), "what leaves later lingers")
        list.wait(4)
        #expect(list.names().map { $0.suffix(1) } == ["a", "f", "g"])
    }

    @Test func `no more departed rows are kept than the limit`() {
        var departures = Departures<Int>(timing: ListTiming())
        let dropped = (0..<(Departures<Int>.limit + 3)).compactMap {
            departures.add($0, showing: ListCell([]))
        }
        #expect(dropped == [0, 1, 2])
        #expect(!departures.contains(2))
        #expect(departures.contains(3))
    }
}
