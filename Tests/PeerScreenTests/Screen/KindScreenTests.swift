// Golden screens of devices with kinds, and tests of their signs, colours, search and order.
import DiffCore
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerScreen

@MainActor @Suite(.timeLimit(.minutes(10))) struct KindScreenTests {
    @Test(arguments: [0, 1, 3, 50, 500], [(80, 24), (40, 10)])
    func `a list says what its devices are`(
        count: Int, size: (columns: Int, rows: Int)
    ) throws {
        let driven = DrivenScreen.household(count, columns: size.columns, rows: size.rows)
        let lines = driven.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { SafeText(String($0)).width <= size.columns })
        guard [3, 500].contains(count) else { return }
        try expectCommitted(
            driven.text + "\n", "kinds-\(count)-\(size.columns)x\(size.rows).txt")
    }

    @Test(arguments: [(80, 24), (120, 40), (200, 50)])
    func `the household, in a narrow window and in wide ones`(columns: Int, rows: Int) throws {
        let driven = DrivenScreen.household(50, columns: columns, rows: rows)
        try expectCommitted(driven.text + "\n", "kinds-50-\(columns)x\(rows).txt")
    }

    @Test func `with the ASCII character set the sign of a kind is a letter`() throws {
        let driven = DrivenScreen.household(50, rows: 60, charset: .ascii)
        let isASCII = driven.text.unicodeScalars.allSatisfy(\.isASCII)
        #expect(isASCII)
        #expect(try driven.line(with: "AXIS M1065").contains("  V  camera  "))
        #expect(try driven.line(with: "EPSON").contains("  P  EPSON ET-2850"))
    }

    @Test func `each kind has a category, a sign of one column, and an entry in the help`() {
        let kinds = DeviceKind.categories.flatMap(\.kinds)
        #expect(kinds.count == DeviceKind.allCases.count)
        #expect(Set(kinds) == Set(DeviceKind.allCases))
        for (signs, charset) in [(KindSigns.symbols, Charset.unicode), (.letters, .ascii)] {
            let legend = DeviceKind.legend(signs).map { ($0.label + " ", $0.text + ",") }
            for kind in DeviceKind.allCases {
                let sign = kind.sign(signs).text
                #expect(SafeText(sign, charset: charset).text == sign)
                #expect(SafeText(sign, charset: charset).width == 1)
                #expect(
                    legend.contains {
                        $0.contains(sign + " ") && $1.contains(kind.title + ",")
                    })
            }
        }
    }

    @Test func `symbols are no emoji, no signs of folding, and not of ambiguous width`() {
        // Of these blocks, East Asian locales draw many characters wide: Unicode, EastAsianWidth.txt.
        let ambiguous = "●○◆◇■□▲△▶▷▼▽★☆☎♪♬♀♂≡⊙⊕▣▤▥▦▧▨▩◎◐◑◈→←↑↓"
        for kind in DeviceKind.allCases {
            let glyph = kind.glyph
            #expect(!"▸▾▹▶>+-".contains(glyph) && !ambiguous.contains(glyph))
            let isEmoji = glyph.unicodeScalars.contains { $0.properties.isEmoji }
            #expect(!isEmoji, "\(glyph)")
        }
    }

    @Test func `signs are symbols, letters or none`() throws {
        for (signs, expected) in [
            (KindSigns.symbols, "❏  printer"), (.letters, "P  printer"), (.none, "series  printer"),
        ] {
            var settings = ScreenSettings()
            settings.signs = signs
            let driven = DrivenScreen(columns: 120, settings: settings, steps: Scene.steps)
            driven.live(until: 100)
            #expect(try driven.line(with: "Brother").contains(expected))
            driven.size = FrameSize(columns: 120, rows: 60)
            driven.press(.character("?"))
            #expect(driven.text.contains("Kinds") == (signs != .none))
        }
        var plain = ScreenSettings()
        plain.charset = .ascii
        #expect(plain.signs == .letters)
        plain.signs = .none
        #expect(plain.signs == .none)
    }

    @Test func `the sign alone is coloured`() throws {
        let driven = DrivenScreen.household(3)
        let frame = driven.frame
        let lines = frame.text.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(lines.firstIndex { $0.contains("❏  printer") })
        let sign = try #require(lines[row].firstIndex(of: "❏"))
        let column = lines[row].distance(from: lines[row].startIndex, to: sign)
        #expect(frame.style(row: row, column: column).tone == .category1)
        #expect(frame.style(row: row, column: column + 3) == .plain)
    }

    @Test func `a search for a kind finds its devices`() {
        let driven = DrivenScreen.household(50, rows: 80)
        driven.press(.character("/"))
        driven.type("tv")
        let text = driven.text
        for name in ["Samsung 7 Series", "LG webOS TV 4D91", "Projector D871", "Dining Room TV"] {
            #expect(text.contains(name))
        }
        for name in ["AXIS M1065", "HP Color", "printserver"] { #expect(!text.contains(name)) }
    }

    /// Returns the kinds of the rows, `-` for none, each once if they are sorted by it.
    private func kinds(_ driven: DrivenScreen) -> [String] {
        let content = driven.screen.content
        return content.rows.snapshot.itemIdentifiers.reduce(into: []) { kinds, row in
            let kind = content.seen.device(of: row)?.peer.kind?.title ?? "-"
            if kinds.last != kind { kinds.append(kind) }
        }
    }

    @Test func `the key and a click on the title sort by kind`() throws {
        let driven = DrivenScreen.household(50)
        for _ in RowSort.allCases.drop(while: { $0 != .name }).dropFirst() {
            driven.press(.character("s"))
        }
        #expect(driven.text.contains("Kind ▲"))
        let sorted = kinds(driven)
        #expect(Set(sorted).count == sorted.count)
        #expect(sorted.last == "-")
        let titles = sorted.dropLast().map { $0.lowercased() }
        #expect(titles == titles.sorted())
        let line = try driven.line(with: "Kind ▲")
        let title = try #require(line.firstRange(of: "Kind")).lowerBound
        let column = line.distance(from: line.startIndex, to: title)
        _ = driven.screen.handle(MouseEvent(.press, row: 2, column: column))
        #expect(driven.text.contains("Kind ▼"))
        #expect(kinds(driven) == sorted.reversed())
    }

    @Test func `a session grouped by type says what devices are when it is regrouped`() throws {
        let driven = DrivenScreen.household(50, rows: 80, grouping: .type)
        driven.press(.character("g"))
        #expect(try driven.line(with: "LG webOS TV 4D91").contains("LG OLED55B9PUA"))
    }
}

extension DrivenScreen {
    /// Returns a list of devices that arrived some time ago, of a house with as many equal floors as
    /// necessary.
    static func household(
        _ count: Int, columns: Int = 80, rows: Int = 24, charset: Charset = .unicode,
        grouping: Grouping = .device, picker: Picker? = nil
    ) -> DrivenScreen {
        let driven = DrivenScreen(
            columns: columns, rows: rows, charset: charset, grouping: grouping, picker: picker
        ) { grouping in
            var script = ListScript()
            let sections = count == 0 ? [] : devices(count).sections(grouping)
            let update = script.change(.arrived, at: House.time(1), to: sections)
            return count == 0 ? [] : [.update(update, list: script.sections)]
        }
        driven.live(until: 2, grouping)
        driven.wait(.seconds(30))
        _ = driven.frame
        return driven
    }

    /// The devices of one floor.
    private nonisolated static let floor = Scene.household.map { $0.peer(since: House.time(1)) }

    nonisolated static func devices(_ count: Int) -> [Peer] {
        (0..<count).map { index in
            var peer = floor[index % floor.count]
            guard index >= floor.count else { return peer }
            let number = index / floor.count + 1
            peer.id = Identity.uuid(forName: "\(number) \(peer.id)")
            peer.identity.value += " \(number)"
            peer.name += " \(number)"
            for index in peer.services.indices {
                peer.services[index].id = Identity.uuid(
                    forName: "\(number) \(peer.services[index].id)")
            }
            return peer
        }
    }
}
