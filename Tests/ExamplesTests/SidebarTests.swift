// Tests of the sidebar example: outlines, and structs as identifiers.
import TerminalList
import Testing

@testable import Sidebar

@MainActor @Suite struct SidebarTests {
    @Test func `the folders in both sections, the first expanded`() throws {
        let list = DrivenList(Sidebar(), \.view)
        try list.expectScreen("sidebar-80x24")
        try list.expectScreen("sidebar-40x10", columns: 40, rows: 10)
    }

    @Test func `Right expands a folder, and Left collapses it`() throws {
        let list = DrivenList(Sidebar(), \.view)
        list.press(.down, .down, .down, .right)
        try list.expectScreen("sidebar-unfolded-80x24")
        list.press(.up, .up, .left)
        list.settle()
        #expect(list.lines[1].hasPrefix(">  ▸ Home"))
        #expect(list.lines[2].hasPrefix("   ▸ Work"))
    }

    @Test func `a changed struct is a new item and loses selection and expansion`() throws {
        let list = DrivenList(Sidebar(), \.view)
        list.press(.down, .character("u"))
        #expect(list.lines.contains { $0.hasPrefix(" + ▸ Home") && $0.hasSuffix("4") })
        #expect(list.lines.contains { $0.hasPrefix(">  ▸ Work") })
        try list.expectScreen("sidebar-struct-80x24")
    }

    @Test func `keys between two frames have their effect`() {
        let sidebar = Sidebar()
        let list = DrivenList(sidebar, \.view)
        list.press(.down)
        for key in [Key.character("u"), .character("u"), .right, .left, .character("u")] {
            _ = sidebar.view.handle(key)
        }
        #expect(list.lines.contains { $0.hasPrefix(">+ ▸ Home") && $0.hasSuffix("4") })
    }

    @Test func `the children of a changed struct remain and can be expanded again`() {
        let list = DrivenList(Sidebar(), \.view)
        list.press(.down, .character("u"))
        list.settle()
        list.press(.home, .right)
        list.settle()
        #expect(
            list.lines[1...3].map { String($0.dropFirst(3).prefix(10)) }
                == ["▾ Home    ", "    Family", "  ▸ Travel"])
    }

    @Test func `a constant identifier keeps selection and expansion`() throws {
        let list = DrivenList(Sidebar(), \.view)
        list.press(.end, .up, .up, .up, .character("u"))
        try list.expectScreen("sidebar-identifier-80x24")
        list.settle()
        #expect(list.lines.contains { $0.hasPrefix(">  ▾ Home") && $0.hasSuffix("4") })
    }
}
