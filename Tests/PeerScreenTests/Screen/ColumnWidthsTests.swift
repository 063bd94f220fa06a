// Tests of the widths of columns, which the texts of all rows determine.
import DiffCore
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerText
import TerminalList
import Testing

@testable import PeerScreen

@MainActor @Suite(.timeLimit(.minutes(10))) struct ColumnWidthsTests {
    private func visible(_ driven: DrivenScreen) -> [String] {
        let columns = driven.screen.view.columns
        return ColumnLayout(columns, from: 3, to: driven.size.columns).slots
            .map { "\(columns[$0.index].title) \($0.start) \($0.width)" }
    }

    @Test(arguments: [120, 200])
    func `in a wide window nine names and kinds of ten are whole`(columns: Int) throws {
        let driven = DrivenScreen.household(50, columns: columns, rows: 60)
        let devices = driven.screen.content.seen.devices.values
        let text = driven.text
        #expect(devices.count { text.contains(SafeText($0.peer.displayName).text + "  ") } >= 45)
        #expect(devices.count { text.contains($0.peer.deviceText) } >= 45)
    }

    @Test func `one long name takes no space from the other columns`() throws {
        let devices = DrivenScreen.devices(20)
        let long = device(String(repeating: "long ", count: 12), "http", address: "10.99.0.250")
        let widths = [devices, devices + [long]].map { devices in
            let driven = DrivenScreen(columns: 100)
            var script = ListScript()
            driven.update(
                script.change(.arrived, at: House.time(1), to: devices.sections(.device)).items)
            return visible(driven)
        }
        #expect(widths[0] == widths[1])
    }

    @Test(arguments: [40, 60, 80, 120])
    func `a port and an address are whole or not shown`(columns: Int) throws {
        let driven = DrivenScreen.household(50, columns: columns, rows: 300)
        driven.press(.character("g"))
        let services = driven.screen.content.seen.devices.values.flatMap(\.peer.services)
        let ports = Set(services.compactMap(\.port).map { "\($0)" })
        for line in driven.text.split(separator: "\n") {
            #expect(!line.contains(#/ \d+… /#), "\(line)")
            for match in line.matches(of: #/10\.99[^ ]*/#) {
                #expect(match.output.split(separator: ".").count == 4, "\(line)")
                #expect(!match.output.hasSuffix("…"), "\(line)")
            }
        }
        if columns >= 80 { #expect(ports.contains { driven.text.contains(" \($0) ") }) }
    }

    @Test func `a wider window shows more of a household`() {
        let whole = [80, 120, 240].map { columns in
            let driven = DrivenScreen.household(50, columns: columns, rows: 60)
            let text = driven.text
            return driven.screen.content.seen.devices.values.count {
                text.contains($0.peer.deviceText)
            }
        }
        #expect(whole[0] < whole[1] && whole[1] < whole[2], "\(whole)")
        let wide = DrivenScreen.household(50, columns: 200, rows: 60).text
        #expect(wide.contains("Host"))
        let widest = DrivenScreen.household(50, columns: 300, rows: 60).text
        #expect(widest.contains("10.99.0.152 fd99::"))
        let narrow = DrivenScreen.household(50, columns: 80, rows: 60).text
        #expect(narrow.contains("10.99.0.152 +2") && !narrow.contains("Host"))
    }

    @Test func `nothing is cut beside empty cells`() throws {
        let layouts = DrivenScreen.household(50).screen.view.columns
        for columns in 40...240 {
            let slots = ColumnLayout(layouts, from: 3, to: columns).slots
            let end = try #require(slots.last.map { $0.start + $0.width })
            let wantsMore = slots.contains { $0.width < layouts[$0.index].maximum ?? 0 }
            #expect(!wantsMore || end == columns, "\(columns)")
        }
    }

    @Test func `no column moves while devices leave and return, and while the list scrolls`() throws
    {
        let driven = DrivenScreen.household(50, columns: 120)
        let before = visible(driven)
        driven.press(.end, .pageUp)
        var script = ListScript()
        let all = DrivenScreen.devices(50).sections(.device)
        _ = script.change(.arrived, at: House.time(1), to: all)
        let short = all.map { section in
            let items = section.items.filter { SafeText($0.displayName).width < 12 }
            return ListSection(id: section.id, items: items)
        }
        driven.update(script.change(.departed, at: House.time(40), to: short).items)
        _ = driven.frame
        #expect(visible(driven) == before)
        #expect(driven.screen.content.seen.devices.count < 30)
        driven.update(script.change(.arrived, at: House.time(50), to: all).items)
        _ = driven.frame
        #expect(visible(driven) == before)
    }

    /// Its name may be an identifier of 63 letters until its host is known.
    private func resolving(_ name: String) -> Peer {
        let service = Service(
            id: Identity.uuid(forName: name), name: name, type: "_hap._tcp", domain: "local")
        return Peer(
            unresolved: service, presence: .resolving, firstSeen: House.time(0),
            lastSeen: House.time(0))
    }

    @Test func `a device that resolves moves no column after the start, and keeps no width then`() {
        let driven = DrivenScreen(columns: 120)
        let long = resolving(String(repeating: "0123456789", count: 5))
        var script = ListScript()
        func show(_ peers: [Peer], at time: Double) {
            driven.update(
                script.change(.arrived, at: House.time(time), to: peers.sections(.device)).items)
            _ = driven.frame
        }
        func nameWidth() -> Int? {
            ColumnLayout(driven.screen.view.columns, from: 3, to: 120).slots.first?.width
        }
        let devices = DrivenScreen.devices(5)
        driven.screen.handle(.fill(.running))
        show(devices, at: 1)
        let width = nameWidth()
        show(devices + [long], at: 2)
        #expect(nameWidth() == 52, "in the start everything that is known is shown")
        driven.screen.handle(.fill(.over(House.time(3))))
        show(devices + [long, resolving("short")], at: 4)
        #expect(nameWidth() == 52)
        show(devices, at: 5)
        #expect(nameWidth() == width)
        show(devices + [long], at: 6)
        #expect(nameWidth() == width)
        show(devices, at: 7)
        #expect(nameWidth() == width)
    }

    @Test(arguments: [80, 120, 200])
    func `services below devices leave no empty cells in the column of kinds`(columns: Int) throws {
        let driven = DrivenScreen.household(50, columns: columns, rows: 60)
        driven.press(.character("+"))
        _ = driven.frame
        let shown = driven.screen.view.columns
        let layout = ColumnLayout(shown, from: 3, to: columns)
        let kind = try #require(layout.slots.first { shown[$0.index].title == "Kind" })
        let longest = driven.screen.content.seen.devices.values.map {
            SafeText($0.peer.deviceText).width
        }.max()
        #expect(kind.width <= max(18, try #require(longest)))
        let end = try #require(layout.slots.last)
        #expect(end.start + end.width == columns)
    }

    @Test func `a change measures its own devices, and a key none`() throws {
        let driven = DrivenScreen.household(50)
        let content = driven.screen.content
        let count = content.measuredCount
        #expect(count >= 50)
        driven.press(.down, .character("s"), .character("S"), .right, .character("/"))
        driven.type("tv")
        driven.press(.escape, .character("d"), .end)
        _ = driven.frame
        #expect(content.measuredCount == count)
        var script = ListScript()
        let all = DrivenScreen.devices(50).sections(.device)
        _ = script.change(.arrived, at: House.time(1), to: all)
        let fewer = all.map { ListSection(id: $0.id, items: Array($0.items.dropLast())) }
        driven.update(script.change(.departed, at: House.time(40), to: fewer).items)
        _ = driven.frame
        #expect(content.measuredCount == count + 1)
    }

    @Test(arguments: [40, 80, 120])
    func `the column of the order is shown with its sign`(columns: Int) {
        let driven = DrivenScreen.household(50, columns: columns)
        for _ in RowSort.allCases {
            driven.press(.character("s"))
            let sort = driven.screen.content.choices.sort
            #expect(driven.text.contains("▲"), "\(sort)")
        }
        driven.press(.character("S"))
        #expect(driven.text.contains("▼"))
    }

    @Test func `after a change of the order its first rows are shown, if the selected row is one`()
        throws
    {
        let driven = DrivenScreen.household(50)
        driven.press(.end)
        #expect(driven.text.contains("of 50"))
        driven.press(.character("S"))
        let items = driven.screen.content.rows.snapshot.itemIdentifiers
        #expect(driven.text.contains("1-19 of 50"))
        #expect(driven.screen.view.selectedItem == items.first)
    }

    @Test func `widths are those of the texts that are there, and never shrink by themselves`() {
        var widths = ColumnWidths(columnCount: 1)
        let ids = (0..<10).map { Identity.uuid(forName: "\($0)") }
        let texts = ["a", "bb"] + Array(repeating: "ccc", count: 7)
        for (id, text) in zip(ids, texts + [String(repeating: "d", count: 300)]) {
            widths.set(id, to: [[.init(text, short: "x")]], .unicode)
        }
        widths.update(mayShrink: false)
        let need = ColumnWidths.Need(usual: 3, usualShort: 1, longest: 160)
        #expect(widths.needs == [need])
        widths.set(ids[9], to: [], .unicode)
        widths.update(mayShrink: false)
        #expect(widths.needs == [need])
        widths.update(mayShrink: true)
        #expect(widths.needs[0].longest == 3)
        widths.set(ids[9], to: [["dddd"]], .unicode, isProvisional: true)
        widths.update(mayShrink: false)
        #expect(widths.needs[0].longest == 4)
        widths.set(ids[9], to: [["d"]], .unicode)
        widths.update(mayShrink: false)
        #expect(widths.needs[0].longest == 3, "a provisional text keeps no width")
        for id in ids { widths.set(id, to: [], .unicode) }
        widths.update(mayShrink: true)
        #expect(widths.needs == [ColumnWidths.Need()])
    }
}
