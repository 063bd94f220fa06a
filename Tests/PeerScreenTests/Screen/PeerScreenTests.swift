// Golden screens of the live list, and tests of its keys and the mouse, on a screen without a terminal.
import FoundationEssentials
import Glibc
import PeerHappenings
import PeerModel
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerScreen
@testable import PeerSession
@testable import PeerText

@MainActor @Suite(.timeLimit(.minutes(10))) struct PeerScreenTests {
    private func expectScreen(_ driven: DrivenScreen, _ name: String) throws {
        try expectCommitted(driven.text + "\n", "list-\(name).txt")
    }

    @Test func `an empty list shows its message`() throws {
        try expectScreen(DrivenScreen(), "nobody")
        try expectScreen(DrivenScreen(columns: 40, rows: 10), "nobody-40x10")
    }

    @Test func `one peer, this machine`() throws {
        let driven = DrivenScreen()
        driven.live(until: 0.2)
        try expectScreen(driven, "one")
    }

    @Test(arguments: [(80, 24), (40, 8), (40, 10), (200, 60)])
    func `three peers in windows of all sizes`(columns: Int, rows: Int) throws {
        let driven = DrivenScreen(columns: columns, rows: rows)
        driven.live(until: 10)
        try expectScreen(driven, "three-\(columns)x\(rows)")
    }

    @Test func `three peers, one of which is leaving and is seen for a few seconds`() throws {
        let driven = DrivenScreen()
        driven.live(until: 300)
        try expectScreen(driven, "leaving")
        driven.wait(.seconds(60))
        _ = driven.frame
        #expect(!driven.text.contains("▸ brn30055c"))
        #expect(driven.text.contains("08:35 brn30055c left"))
    }

    @Test func `a list in ASCII without colours`() throws {
        let driven = DrivenScreen(charset: .ascii)
        driven.live(until: 140)
        driven.press(.character("+"))
        try expectScreen(driven, "ascii")
        let isASCII = driven.text.unicodeScalars.allSatisfy(\.isASCII)
        #expect(isASCII)
    }

    @Test func `a device is expanded and collapsed`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.right)
        try expectScreen(driven, "unfolded")
        driven.press(.down, .left)
        #expect(try driven.line(with: "brn30055c").hasPrefix(">"))
        #expect(!driven.text.contains("port 6631"))
        driven.press(.character("+"))
        #expect(driven.text.contains("port 22"))
        driven.press(.character("-"))
        #expect(!driven.text.contains("port 22"))
    }

    @Test func `an expanded device stays expanded when it changes`() {
        let driven = DrivenScreen()
        driven.live(until: 3)
        driven.press(.down, .right)
        #expect(driven.text.contains("port 631 "))
        driven.live(until: 10)
        #expect(driven.text.contains("port 80"))
    }

    /// The selection goes from the television to its service, and from the printer's to the printer.
    @Test func `services grouped by type are below the title of their type`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.down, .character("g"))
        try expectScreen(driven, "by-type")
        driven.press(.down, .character("g"))
        #expect(try driven.line(with: "▸ brn30055c").hasPrefix(">"))
    }

    @Test func `a list grouped by type can be regrouped by device`() throws {
        let driven = DrivenScreen(grouping: .type)
        driven.live(until: 10, .type)
        driven.press(.character("g"))
        #expect(try driven.line(with: "▸ brn30055c").contains("10.0.0.10"))
    }

    @Test func `a search shows marked matches, and Esc restores the list`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.down, .down, .character("/"))
        driven.type("BRÖTHER")
        try expectScreen(driven, "searching")
        #expect(try driven.line(with: "port 6631").hasPrefix(">"))
        driven.press(.escape)
        #expect(try driven.line(with: "▸ Zoë's laptop").hasPrefix(">"))
        #expect(driven.text.contains("▸ tv"))
    }

    @Test func `Esc ends an accepted search, and the selected row stays selected`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.character("/"))
        driven.type("6631")
        driven.press(.enter)
        #expect(try driven.line(with: "port 6631").hasPrefix(">"))
        driven.press(.escape)
        #expect(try driven.line(with: "▸ brn30055c").hasPrefix(">"))
        #expect(driven.text.contains("▸ tv"))
    }

    @Test(arguments: [80, 100, 120])
    func `the bottom line says what Esc leaves now`(columns: Int) throws {
        let driven = DrivenScreen.household(3, columns: columns)
        func last() throws -> Substring { try #require(driven.text.split(separator: "\n").last) }
        #expect(try last().contains(": menu"))
        #expect(try !last().contains("Esc"))
        driven.press(.character("/"))
        driven.type("printer")
        driven.press(.enter)
        #expect(try last().contains("Esc show all"))
        driven.press(.character("p"))
        #expect(try last().contains("Esc close"))
        driven.press(.tab)
        #expect(try last().contains("Esc back to the list"))
        #expect(try last().ranges(of: "Esc").count == 1)
    }

    @Test func `the menu of the second button acts on the row below the pointer`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        let line = try #require(
            driven.text.split(separator: "\n", omittingEmptySubsequences: false)
                .firstIndex { $0.contains("▸ tv") })
        _ = driven.screen.handle(MouseEvent(.secondaryPress, row: line, column: 8))
        #expect(driven.text.contains("─ Menu: press a key"))
        #expect(driven.text.contains("> details"))
        driven.press(.enter)
        #expect(driven.text.contains("tv (tv.local)"))
        _ = driven.screen.handle(MouseEvent(.secondaryPress, row: 4, column: 8))
        let labels = driven.screen.view.choices?.entries.map(\.label) ?? []
        #expect(labels.contains("copy an address, a name, a value or JSON"))
        #expect(!labels.contains("details of the selected row"), "they are shown")
        driven.press(.escape)
        #expect(driven.text.contains("tv (tv.local)"))
    }

    @Test func `M asks for the mouse to be released or taken`() {
        let driven = DrivenScreen()
        driven.press(.character("M"))
        #expect(driven.requests == [.switchMouse])
    }

    @Test func `Esc while a search is edited restores the former search`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.character("/"))
        driven.type("zoe")
        driven.press(.enter, .character("/"))
        driven.type("x")
        #expect(driven.text.contains("Nothing matches"))
        driven.press(.escape)
        #expect(try driven.line(with: "▸ Zoë's laptop").hasPrefix(">"))
        #expect(!driven.text.contains("▸ tv"))
        #expect(driven.screen.view.highlight != nil)
    }

    @Test func `the row of an accepted search is in view when the search ends`() throws {
        let driven = DrivenScreen.household(500)
        driven.press(.character("/"))
        driven.type("10.99.0.139")
        driven.press(.enter)
        let row = try #require(driven.screen.view.selectedItem)
        driven.press(.escape)
        #expect(driven.screen.view.selectedItem == row)
        #expect(driven.text.split(separator: "\n").contains { $0.hasPrefix(">") })
    }

    @Test func `search matches are marked in their columns`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.character("/"))
        driven.type("n30")
        driven.press(.enter)
        let frame = driven.frame
        let row = try #require(
            frame.text.split(separator: "\n", omittingEmptySubsequences: false)
                .firstIndex { $0.contains("▸ brn30055c") })
        let line = frame.text.split(separator: "\n", omittingEmptySubsequences: false)[row]
        let column = try #require(line.firstRange(of: "n30055c")).lowerBound
        let place = line.distance(from: line.startIndex, to: column)
        let plain = frame.style(row: row, column: place - 1)
        #expect(frame.style(row: row, column: place) != plain)
        #expect(frame.style(row: row, column: place + 2) != plain)
        #expect(frame.style(row: row, column: place + 3) == plain)
    }

    @Test func `a hidden type stays hidden when its device returns`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.character("t"))
        try expectScreen(driven, "types")
        driven.press(.tab, .escape)
        #expect(driven.text.contains("0 of 3 peers"))
        #expect(driven.text.contains("types that are switched off"))
        driven.live(until: 300)
        #expect(!driven.text.contains("▸ Zoë's laptop"))
    }

    @Test func `the list is sorted by name, address, arrival or type, and reversed`() throws {
        let driven = DrivenScreen(columns: 120)
        driven.live(until: 10)
        driven.press(.character("s"))
        #expect(try driven.line(with: "Name").contains("Addresses ▲"))
        driven.press(.character("S"))
        #expect(try driven.line(with: "Name").contains("Addresses ▼"))
        driven.press(.character("s"))
        #expect(try driven.line(with: "Name").contains("Since ▼"))
    }

    @Test func `departed devices are shown with time and reason`() throws {
        let driven = DrivenScreen()
        driven.live(until: 301)
        driven.wait(.seconds(60))
        driven.press(.character("d"))
        try expectScreen(driven, "departed")
    }

    @Test func `the help contains every key`() throws {
        let driven = DrivenScreen(columns: 80, rows: 62)
        driven.press(.character("?"))
        try expectScreen(driven, "help")
        let text = driven.text
        for row in ListKeys.all where row.section != ListKeys.HelpSection.fleet.rawValue {
            #expect(text.contains(row.help), "\(row.name)")
        }
    }

    @Test func `leaving an empty search restores the selection`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.down, .down, .character("/"))
        driven.type("tv")
        driven.press(.backspace, .backspace, .escape)
        #expect(try driven.line(with: "▸ Zoë's laptop").hasPrefix(">"))
    }

    @Test func `an accepted search is shown in the header`() {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.character("/"))
        driven.type("tv")
        driven.press(.enter)
        #expect(driven.text.contains("1 of 3 peers, 1 of 4 services, /tv"))
    }

    @Test func `closing full details restores the details beside the list`() throws {
        let driven = DrivenScreen(columns: 90)
        driven.live(until: 10)
        driven.press(.character("p"))
        #expect(driven.text.contains("State"))
        #expect(driven.text.contains("▸ tv"))
        driven.press(.enter)
        #expect(!driven.text.contains("▸ tv"))
        driven.press(.escape)
        #expect(driven.text.contains("State"))
        #expect(driven.text.contains("▸ tv"))
        driven.press(.character("p"))
        #expect(!driven.text.contains("State"))
    }

    @Test func `J and K show the details of the next and the previous device`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.right, .enter)
        #expect(driven.text.contains("brn30055c (brn30055c.local)"))
        #expect(!driven.text.contains("Reached at"))
        driven.press(.character("J"))
        #expect(driven.text.contains("tv (tv.local)"))
        driven.press(.character("J"), .character("J"))
        #expect(driven.text.contains("this is the last device"))
        driven.press(.character("K"), .character("K"))
        #expect(driven.text.contains("brn30055c (brn30055c.local)"))
        driven.press(.escape)
        #expect(try driven.line(with: "▾ brn30055c").hasPrefix(">"))
    }

    @Test func `a list in ASCII says why, once, and its names are readable`() throws {
        var settings = ScreenSettings()
        settings.asciiReason = "LC_ALL=C"
        let driven = DrivenScreen(charset: .ascii, settings: settings)
        driven.live(until: 10)
        #expect(driven.text.contains("Zoe's laptop"))
        driven.press(.end)
        driven.press(.enter)
        #expect(driven.text.contains("Name        Zoe's laptop"))
        let other = DrivenScreen(charset: .ascii, settings: settings)
        #expect(other.text.contains("ASCII only, because of LC_ALL=C"))
        other.wait(.seconds(5))
        #expect(!other.text.contains("ASCII only"))
    }

    @Test func `what leaves in the initial fill is counted, and what is found there is not`() {
        let driven = DrivenScreen()
        driven.screen.handle(.fill(.running))
        var script = ListScript()
        let all = DrivenScreen.devices(10).sections(.device)
        let some = all.map { ListSection(id: $0.id, items: Array($0.items.dropLast(4))) }
        let fewer = all.map { ListSection(id: $0.id, items: Array($0.items.dropLast(6))) }
        driven.screen.content.clock = House.time(30)
        driven.update(script.change(.arrived, at: House.time(1), to: all).items)
        #expect(!driven.text.contains("last hour"))
        driven.update(script.change(.departed, at: House.time(2), to: some).items)
        #expect(driven.text.contains("- ▸ "))
        #expect(driven.text.contains(" left "))
        driven.screen.handle(.fill(.over(House.time(10))))
        #expect(driven.text.contains("+0 ") && driven.text.contains("-4"))
        #expect(driven.text.contains("- ▸ "))
        driven.update(script.change(.departed, at: House.time(20), to: fewer).items)
        #expect(driven.text.contains("-6"))
    }

    @Test func `the grouping stays in the hints while the list scrolls`() {
        let driven = DrivenScreen.household(50)
        for _ in 0..<49 {
            #expect(driven.text.contains("g group") && driven.text.contains("of 50"))
            driven.press(.down)
        }
    }

    @Test func `keys in the details act on their row`() throws {
        let driven = DrivenScreen()
        driven.live(until: 200.5)
        driven.press(.enter)
        #expect(driven.text.contains("brn30055c (brn30055c.local)"))
        driven.live(until: 301)
        driven.wait(.seconds(60))
        driven.press(.character("v"))
        let isAsked = driven.requests.contains { if case .verify = $0 { true } else { false } }
        #expect(!isAsked, "another row is selected by now, but not shown")
        #expect(driven.text.contains("the device has departed"))
    }

    @Test func `a command that does not fit the window cannot be chosen`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.down, .down, .character("x"))
        #expect(driven.text.contains("ssh -p 22 -- anna.local"))
        driven.press(.enter)
        #expect(driven.requests == [.run(["ssh", "-p", "22", "--", "anna.local"])])
        driven.press(.up, .up, .character("o"), .enter)
        #expect(driven.requests.last == .open(["xdg-open", "http://brn30055c.local/"]))
    }

    private func action(
        _ title: String, _ command: String, key: Key? = nil, types: [String] = []
    ) throws -> CustomAction {
        CustomAction(
            title: title, keys: key.map { [$0] } ?? [], types: types,
            command: try CommandTemplate(CommandWord.split(command[...])))
    }

    @Test(arguments: [(80, 24), (40, 10)])
    func `an action of the settings shows its arguments before it runs`(columns: Int, rows: Int)
        throws
    {
        let settings = ScreenSettings(actions: [
            try action("Ping", "ping -c 3 {address}", key: .function(6)),
            try action("Queue", "lpq -h {host}:{port} -P {txt.rp}", types: ["_ipp._tcp"]),
        ])
        let driven = DrivenScreen(columns: columns, rows: rows, settings: settings)
        driven.live(until: 10)
        driven.press(.function(6))
        #expect(try driven.line(with: "ping -c 3 10.0.0.10").contains(columns > 40 ? "Ping" : "P"))
        #expect(driven.requests.isEmpty)
        driven.press(.enter)
        #expect(driven.requests == [.run(["ping", "-c", "3", "10.0.0.10"], waits: true)])
        driven.press(.character("a"))
        try expectScreen(driven, "actions-\(columns)x\(rows)")
        driven.press(.escape, .down, .character("a"), .enter)
        #expect(driven.requests.last == .run(["ping", "-c", "3", "10.0.0.30"], waits: true))
    }

    @Test func `in a window without room for the list, no action of the settings runs`() throws {
        let settings = ScreenSettings(actions: [
            try action("Danger", "touch x", key: .function(6))
        ])
        for (columns, rows) in [(39, 7), (39, 24), (80, 7)] {
            let driven = DrivenScreen(columns: columns, rows: rows, settings: settings)
            driven.live(until: 10)
            driven.press(.function(6), .enter, .character("x"), .enter, .character("o"), .enter)
            #expect(driven.requests.isEmpty)
            #expect(driven.screen.view.choices == nil)
        }
    }

    @Test func `an action that does not fit the row says why`() throws {
        let settings = ScreenSettings(actions: [
            try action("Stream", "mpv {host}", key: .character("m"), types: ["_rtsp._tcp"]),
            try action("Path", "a {txt.path}", key: .character("y")),
        ])
        let empty = DrivenScreen(settings: settings)
        for key in "may" {
            empty.press(.character(key))
            #expect(empty.text.contains("select a row first"))
        }
        let driven = DrivenScreen(columns: 120, settings: settings)
        driven.live(until: 10)
        driven.press(.character("m"))
        #expect(
            driven.text.contains(
                "Stream is not possible for brn30055c: there is no service of _rtsp._tcp"))
        driven.press(.down, .character("y"))
        #expect(driven.text.contains("Path is not possible for tv: "))
        driven.press(.character("a"))
        #expect(driven.text.contains("tv has no actions, nor do the settings for it"))
        #expect(driven.requests.isEmpty)
        driven.live(until: 301)
        driven.wait(.seconds(60))
        driven.press(.character("d"), .end, .character("m"))
        #expect(driven.text.contains("the device has departed"))
    }

    @Test func `a command that does not fit a line is shown as a whole before it runs`() throws {
        let text = "text '\(String(repeating: "a b ", count: 15))end' {host}"
        let settings = ScreenSettings(actions: [try action("Long", text, key: .character("m"))])
        let driven = DrivenScreen(columns: 40, rows: 10, settings: settings)
        driven.live(until: 10)
        driven.press(.character("m"))
        #expect(driven.text.contains("Run this?"))
        #expect(driven.requests.isEmpty)
        driven.press(.escape, .character("a"))
        #expect(driven.text.contains("Actions"))
        driven.press(.enter)
        #expect(driven.text.contains("Run this?"))
        #expect(driven.requests.isEmpty)
        #expect(driven.text.contains("b end' brn30055c.local"))
        driven.press(.enter)
        guard case .run(let words, _)? = driven.requests.last else {
            Issue.record("\(driven.requests)")
            return
        }
        #expect(words.count == 3)

        let longer = "text \(String(repeating: "a", count: 300)) {host}"
        let refused = DrivenScreen(
            columns: 40, rows: 10,
            settings: ScreenSettings(actions: [try action("Long", longer, key: .character("m"))]))
        refused.live(until: 10)
        refused.press(.character("m"))
        #expect(refused.text.contains("make the window larger for this command"))
        #expect(refused.requests.isEmpty)

        // The window becomes smaller, then too small for all of it.
        let shrunk = DrivenScreen(
            columns: 80, rows: 10,
            settings: ScreenSettings(actions: [try action("Long", longer, key: .character("m"))]))
        shrunk.live(until: 10)
        shrunk.press(.character("m"))
        #expect(shrunk.text.contains("Run this?"))
        shrunk.size = FrameSize(columns: 60, rows: 10)
        shrunk.press(.enter)
        #expect(shrunk.text.contains("Run this?"))
        shrunk.size = FrameSize(columns: 40, rows: 10)
        shrunk.press(.enter)
        #expect(shrunk.text.contains("make the window larger for this command"))
        #expect(shrunk.requests.isEmpty)
    }

    @Test func `an action of the settings takes its key, and is in the help`() throws {
        let settings = ScreenSettings(actions: [
            try action("Ping", "ping {host}", key: .character("q"))
        ])
        let driven = DrivenScreen(columns: 80, rows: 60, settings: settings)
        driven.live(until: 10)
        driven.press(.character("q"))
        #expect(driven.text.contains("ping brn30055c.local"))
        driven.press(.escape, .character("?"))
        #expect(driven.text.contains("Your actions"))
        #expect(try driven.line(with: "Ping").contains("q"))
        #expect(try !driven.line(with: " quit").contains("q "))
    }

    @Test func `settings choose the order, the grouping and the columns at the start`() throws {
        let settings = ScreenSettings(
            sort: .address, isDescending: true, columns: ["addresses", "since"])
        let driven = DrivenScreen(columns: 120, settings: settings)
        driven.live(until: 10)
        let titles = try driven.line(with: "Name")
        #expect(titles.contains("Addresses ▼") && titles.contains("Since"))
        #expect(!titles.contains("Kind") && !titles.contains("Services"))
        let since = titles.distance(
            from: titles.startIndex, to: try #require(titles.firstRange(of: "Since")).lowerBound)
        _ = driven.screen.handle(MouseEvent(.press, row: 2, column: since))
        #expect(try driven.line(with: "Name").contains("Since ▲"))
        driven.press(.character("g"))
        #expect(try driven.line(with: "Service").contains("Addresses"))
        #expect(try !driven.line(with: "Service").contains("Port"))

        let grouped = DrivenScreen(settings: ScreenSettings(grouping: .type, columns: []))
        grouped.live(until: 10)
        #expect(grouped.text.contains("Internet printing"))
        grouped.press(.character("g"))
        #expect(try grouped.line(with: "Name").hasSuffix("Name ▲"))
        #expect(try grouped.line(with: "▸ tv").hasSuffix("tv"))
    }

    @Test func `settings show the details beside the list where there is room`() throws {
        let settings = ScreenSettings(showsDetails: true)
        let driven = DrivenScreen(columns: 100, settings: settings)
        driven.live(until: 10)
        #expect(try driven.line(with: "brn30055c.local").contains("▸ tv") == false)
        #expect(driven.text.contains("State"))
        driven.press(.character("p"))
        #expect(!driven.text.contains("State"))
        driven.live(until: 140)
        #expect(!driven.text.contains("State"))
        let narrow = DrivenScreen(columns: 40, settings: settings)
        narrow.live(until: 10)
        #expect(!narrow.text.contains("State"))
        #expect(narrow.text.contains("▸ tv"))
    }

    @Test func `a frame is due every minute for the strip of the last hour`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.wait(.seconds(60))
        _ = driven.frame
        let due = try #require(driven.screen.nextDeadline)
        #expect(due > driven.now)
        #expect(due <= driven.now + .seconds(60))
    }

    @Test func `rows hidden or shown by a search are not marked`() throws {
        let driven = DrivenScreen()
        driven.live(until: 131)
        driven.wait(.seconds(60))
        driven.press(.character("/"))
        driven.type("10.0.0.10")
        driven.press(.enter)
        driven.live(until: 301)
        #expect(!driven.text.contains("▸ tv"))
        driven.press(.character("d"))
        #expect(try !driven.line(with: "left 08:35").contains("+"))
    }

    @Test func `details show the paths of a peer when the session reports them`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.down, .enter)
        try expectScreen(driven, "details")
        guard case .sightings(_, let row)? = driven.requests.last else {
            Issue.record("the paths were not requested: \(driven.requests)")
            return
        }
        let paths = ["eth0", "wlan0"].flatMap { name in
            AddressFamily.allCases.map { NetworkPath(name, $0) }
        }
        driven.screen.details.setSightings(
            ItemSightings(paths: Array(paths.dropLast()), lastSeen: House.time(9.5)), of: row)
        #expect(try driven.line(with: "Last heard").contains("08:30:09"))
        #expect(driven.text.contains("eth0  IPv4, IPv6"))
        #expect(try driven.line(with: "wlan0").hasSuffix("wlan0  IPv4"))
        let count = driven.requests.count
        for _ in 0..<100 { driven.screen.handle(.sighted) }
        _ = driven.frame
        #expect(driven.requests.count == count + 1, "they are requested again, once per frame")
    }

    @Test func `a MAC address that is learned is in the details, and does not mark the row`() throws
    {
        let driven = DrivenScreen { grouping in
            var (script, nas) = (ListScript(), device("nas", "http"))
            return (1...3).map { step in
                nas.macs = step == 2 ? ["00:00:5e:00:53:01"] : nas.macs
                nas.addresses = step == 3 ? ["10.0.0.9"] : nas.addresses
                let update = script.change(
                    step == 1 ? .arrived : .changed, at: House.time(Double(step) * 20),
                    to: [nas].sections(grouping))
                return .update(update, list: script.sections)
            }
        }
        driven.live(until: 39)
        driven.press(.character("p"))
        driven.live(until: 40)
        #expect(try driven.line(with: "▸ nas").hasPrefix(">  ▸"))
        driven.press(.enter)
        #expect(driven.text.contains("00:00:5e:00:53:01"))
        driven.press(.escape)
        driven.live(until: 60)
        #expect(try driven.line(with: "▸ nas").hasPrefix(">~ ▸"), "\(driven.text)")
    }

    @Test func `details beside the list`() throws {
        let driven = DrivenScreen(columns: 120, rows: 30)
        driven.live(until: 140)
        driven.press(.enter)
        try expectScreen(driven, "beside-120x30")
    }

    /// The laptop comes first until it has another name.
    @Test func `the first row is selected until the first key or click`() throws {
        let driven = DrivenScreen()
        driven.live(until: 3)
        #expect(try driven.line(with: "▸ anna").hasPrefix(">"))
        driven.live(until: 10)
        #expect(try driven.line(with: "▸ brn30055c").hasPrefix(">"))
        let used = DrivenScreen()
        used.live(until: 3)
        used.press(.down, .up)
        used.live(until: 10)
        #expect(try used.line(with: "▸ Zoë's laptop").hasPrefix(">"))
        let early = DrivenScreen()
        early.press(.character("?"), .escape)
        early.live(until: 10)
        #expect(early.text.contains("\n>"), "a key before the first row leaves none unselected")
    }

    @Test func `after the list was empty for a moment, the first row is selected again`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.down, .character("t"), .tab, .enter)
        #expect(driven.text.contains("0 of 3 peers"))
        driven.press(.escape)
        #expect(try driven.line(with: "▸ brn30055c").hasPrefix(">"))

        let seen = driven.screen.content.seen
        let all = Dictionary(
            uniqueKeysWithValues: seen.itemIDs.compactMap { id in seen.item(id).map { (id, $0) } })
        driven.screen.handle(
            .passed(ItemChanges(at: House.time(11), from: all.keys, { all[$0] }, to: [:])))
        _ = driven.frame
        driven.wait(.seconds(60))
        #expect(!driven.text.contains("\n>"))
        driven.screen.handle(.passed(ItemChanges(at: House.time(12), arrivals: all)))
        #expect(try driven.line(with: "▸ brn30055c").hasPrefix(">"))
        driven.press(.enter)
        #expect(driven.text.contains("brn30055c (brn30055c.local)"))
    }

    @Test func `sorting leaves the selection on its device, by keys and by a click on a title`()
        throws
    {
        let driven = DrivenScreen.household(50)
        for _ in 0..<17 { driven.press(.down) }
        let row = try #require(driven.screen.view.selectedItem)
        for key in "sssssS" {
            driven.press(.character(key))
            #expect(driven.screen.view.selectedItem == row)
            #expect(driven.text.contains("\n>"), "it is in view")
        }
        for _ in 0..<2 {
            _ = driven.screen.handle(MouseEvent(.press, row: 2, column: 5))
            #expect(driven.screen.view.selectedItem == row)
            #expect(driven.text.contains("\n>"))
        }
        let fresh = DrivenScreen.household(50)
        fresh.press(.character("s"))
        #expect(
            fresh.text.split(separator: "\n", omittingEmptySubsequences: false)[3].hasPrefix(">"),
            "nobody has chosen another row than the first")
    }

    @Test func `an empty list counts the seconds`() throws {
        let driven = DrivenScreen()
        #expect(driven.text.contains("for 0 s."))
        let due = try #require(driven.screen.nextDeadline)
        #expect(due == driven.now + .seconds(1))
        driven.wait(.milliseconds(400))
        #expect(driven.text.contains("for 0 s."))
        #expect(driven.screen.nextDeadline == due, "a frame in between puts nothing off")
        driven.wait(.seconds(11))
        #expect(driven.text.contains("for 11 s."))
        #expect(driven.text.contains("peerlist doctor"))
    }

    @Test func `a hidden type is not in the services column`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        #expect(try driven.line(with: "▸ brn30055c").contains("http ipp"))
        driven.press(.character("t"))
        while driven.screen.view.choices?.selectedID != "_http._tcp" { driven.press(.down) }
        driven.press(.character(" "), .enter)
        #expect(driven.screen.view.choices == nil)
        #expect(try !driven.line(with: "▸ brn30055c").contains("http"))
        #expect(try driven.line(with: "▸ brn30055c").contains("ipp"))
    }

    @Test func `a search shows a device that has just left once, if it matches`() {
        let driven = DrivenScreen()
        driven.live(until: 300)
        #expect(driven.text.contains("- ▸ brn30055c"))
        driven.press(.character("/"))
        driven.type("brn")
        #expect(!driven.text.contains("- ▸ brn30055c"))
        #expect(driven.text.contains("-   brn30055c"))
        driven.press(.escape, .character("/"))
        driven.type("zoe")
        #expect(!driven.text.contains("-   brn30055c"))
    }

    @Test func `an unanswered peer has a sign in a narrow window`()
        throws
    {
        let driven = DrivenScreen(columns: 40)
        driven.live(until: 140)
        #expect(!driven.text.contains("unanswered"))
        #expect(try driven.line(with: "tv").hasPrefix(" ?"))
    }

    @Test func `V verifies all visible items and no others`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.character("V"))
        guard case .verifyAll(let all)? = driven.requests.last else {
            Issue.record("nothing is verified: \(driven.requests)")
            return
        }
        #expect(Set(all) == Set(driven.screen.content.seen.devices.keys))
        #expect(all.count == 3)
        driven.press(.character("/"))
        driven.type("tv.local")
        driven.press(.enter, .character("V"))
        #expect(driven.requests.last == .verifyAll([try driven.id(of: "tv")]))
    }

    @Test func `v verifies a device and asks at its addresses, and a service on its port`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.down, .character("v"))
        guard case .verify(let ids, _, let item)? = driven.requests.last else {
            Issue.record("nothing is verified: \(driven.requests)")
            return
        }
        #expect(ids == [item.device])
        #expect(item.service == nil)
        driven.press(.right, .down, .character("v"))
        guard case .verify(_, _, let child)? = driven.requests.last else {
            Issue.record("no service is verified: \(driven.requests)")
            return
        }
        #expect(child.device == item.device)
        #expect(child.service != nil)
    }

    @Test func `L labels the selected device, and Esc leaves its label`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.down, .character("L"))
        driven.type("Living room")
        driven.press(.escape)
        #expect(driven.requests.isEmpty)
        driven.press(.character("L"))
        driven.type("Living room")
        driven.press(.enter)
        #expect(driven.requests.last == .label(try driven.id(of: "tv"), "Living room"))
    }

    @Test func `an empty label is a request to remove it, and a long one is refused`() throws {
        var tv = try #require(House.devices().flatMap(\.items).map(\.peer).last { $0.name == "tv" })
        (tv.label, tv.isNew) = ("Living room", true)
        var script = ListScript()
        let update = script.change(
            .arrived, at: House.time(3), to: [ListSection(id: "local", items: [.peer(tv)])])
        let driven = DrivenScreen()
        driven.update(update.items)
        _ = driven.frame
        driven.wait(.seconds(60))
        #expect(try driven.line(with: "Living room").hasPrefix(">* ▸ Living room"))
        driven.press(.character("L"), .control("u"))
        _ = driven.screen.view.handle(pasted: String(repeating: "é", count: 50 << 10))
        driven.press(.enter)
        #expect(driven.text.contains("the label has 512 bytes; shorten it to at most 255"))
        #expect(driven.requests.isEmpty)
        driven.press(.character("L"), .enter)
        #expect(driven.requests.isEmpty, "it has that label")
        driven.press(.character("L"), .control("u"), .enter)
        #expect(driven.requests == [.label(tv.id, "")])
    }

    @Test func `what was there at the start has neither a mark nor a time, and newcomers have`()
        throws
    {
        let driven = DrivenScreen()
        driven.screen.handle(.fill(.running))
        driven.live(until: 1)
        try expectScreen(driven, "start")
        driven.live(until: 1.5)
        driven.screen.handle(.fill(.over(House.time(1))))
        driven.live(until: 4)
        try expectScreen(driven, "newcomer")
        #expect(try driven.line(with: "10.0.0.30").hasPrefix(" +"))
        driven.size = FrameSize(columns: 80, rows: 60)
        driven.press(.enter)
        #expect(try driven.line(with: "Arrived").contains("before 08:30:00"))
    }

    @Test func `events before the end of the initial fill have no marks in the frame after it`()
        throws
    {
        let driven = DrivenScreen()
        driven.screen.handle(.fill(.running))
        for case .update(let update, _) in House.steps(.device).prefix(4) {
            if update.items.time > House.time(1) {
                driven.screen.handle(.fill(.over(House.time(1))))
            }
            driven.update(update.items)
        }
        #expect(try driven.line(with: "10.0.0.30").hasPrefix(" +"))
        #expect(try !driven.line(with: "10.0.0.9").contains("+"))
    }

    @Test func `details show when a device was last heard`() throws {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.down, .enter)
        #expect(try driven.line(with: "Last heard").contains("08:30:02"))
        let heard = ItemSightings(paths: [], lastSeen: House.time(90))
        driven.screen.details.setSightings(heard, of: .device(try driven.id(of: "tv")))
        #expect(try driven.line(with: "Last heard").contains("08:31:30"))
    }

    @Test func `a click on a title sorts by its column, and a second one reverses the order`()
        throws
    {
        let driven = DrivenScreen()
        driven.live(until: 10)
        let titles = try driven.line(with: "Addresses")
        let range = try #require(titles.firstRange(of: "Addresses"))
        let column = titles.distance(from: titles.startIndex, to: range.lowerBound)
        for sign in ["▲", "▼", "▲"] {
            _ = driven.frame
            _ = driven.screen.handle(MouseEvent(.press, row: 2, column: column))
            #expect(try driven.line(with: "Name").contains("Addresses \(sign)"))
        }
    }

    @Test func `full details show the hints of row keys and disable list keys`() {
        let driven = DrivenScreen()
        driven.live(until: 10)
        driven.press(.enter)
        let details = driven.text
        #expect(details.hasSuffix("x ssh   a actions   : menu   ? help   Esc back"))
        for key in "gsSdt/z+-" { driven.press(.character(key)) }
        #expect(driven.text == details)
        driven.press(.escape)
        #expect(driven.text.contains("Name ▲"))
    }
}

/// Sets the time zone to UTC for the times on screens.
private let zone: Void = {
    unsafe setenv("TZ", "UTC0", 1)
    tzset()
}()

extension ScreenSettings {
    /// The standard settings, with some others.
    init(
        sort: RowSort = .name, isDescending: Bool = false, grouping: Grouping? = nil,
        columns: Set<String>? = nil, showsDetails: Bool = false, actions: [CustomAction] = []
    ) {
        self.init()
        (self.sort, self.isDescending, self.grouping) = (sort, isDescending, grouping)
        (self.columns, self.showsDetails, self.actions) = (columns, showsDetails, actions)
    }
}

/// The live list in an imaginary window.
@MainActor final class DrivenScreen {
    let screen: PeerScreen
    /// The requests of the screen.
    private(set) var requests: [ScreenRequest] = []
    var size: FrameSize
    private let steps: (Grouping) -> [House.Step]
    private var account = Happenings()
    /// The time of the next frame.
    private(set) var now = ContinuousClock.now

    /// Creates an empty list.
    init(
        columns: Int = 80, rows: Int = 24, charset: Charset = .unicode,
        grouping: Grouping = .device, keys: [KeyBinding] = [], isRecorded: Bool = false,
        settings: ScreenSettings = ScreenSettings(), picker: Picker? = nil,
        steps: @escaping (Grouping) -> [House.Step] = House.steps
    ) {
        _ = zone
        self.steps = steps
        size = FrameSize(columns: columns, rows: rows)
        var settings = settings
        settings.charset = charset
        screen = PeerScreen(settings, keys: keys, picker: picker) {
            isRecorded ? nil : $0 ?? "eth0 10.0.0.2"
        }
        screen.request = { [weak self] in self?.requests.append($0) }
        screen.content.clock = House.time(0)
        screen.handle(.began(House.header(grouping)))
    }

    /// Sends changes, and what happened by them at once.
    func update(_ items: ItemChanges) {
        screen.handle(.updated(items))
        account.fill = screen.content.history.fill
        account.apply(items)
        screen.handle(.happened(account.removeAll()))
    }

    /// Sends the events of the house up to a time in seconds, and draws a frame after each.
    func live(until seconds: Double, _ grouping: Grouping = .device) {
        let since = screen.content.clock ?? House.time(0)
        for step in steps(grouping) {
            switch step {
            case .update(let update, _):
                guard update.items.time > since, update.items.time <= House.time(seconds) else {
                    continue
                }
                pass(to: update.items.time)
                self.update(update.items)
            case .notice(let notice):
                guard notice.time > since, notice.time <= House.time(seconds) else { continue }
                screen.handle(.noticed(notice))
            }
            _ = frame
        }
        pass(to: House.time(seconds))
    }

    /// Advances the time to a time in the house.
    private func pass(to time: Timestamp) {
        let before = screen.content.clock ?? time
        now += .microseconds(time.microseconds - before.microseconds)
        screen.content.clock = time
    }

    /// Presses keys, and draws a frame before each.
    func press(_ keys: Key...) {
        for key in keys {
            _ = frame
            _ = screen.handle(key)
        }
    }

    /// Types a text.
    func type(_ text: String) { for character in text { press(.character(character)) } }

    /// Advances the time.
    func wait(_ time: Duration) { now += time }

    /// The current frame.
    var frame: Frame { screen.frame(size: size, now: now) }

    /// The current frame as text.
    var text: String { frame.text }

    /// Returns the identifier of a device.
    func id(of name: String) throws -> UUID {
        let device = screen.content.seen.devices.first { $0.value.peer.name == name }
        return try #require(device?.key)
    }

    /// Returns the line that contains a text.
    func line(with text: String) throws -> String {
        let line = self.text.split(separator: "\n").first { $0.contains(text) }
        return String(try #require(line, "“\(text)” is not on the screen:\n\(self.text)"))
    }
}
