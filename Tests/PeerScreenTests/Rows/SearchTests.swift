// Tests of the search: its rows, and its regardlessness of case, accents and width.
import DiffCore
import FoundationEssentials
import PeerHappenings
import PeerList
import PeerListTestSupport
import Testing
import TestSupport

@testable import PeerScreen
@testable import PeerText

@Suite struct SearchTests {
    private let nas = device("nas", "http:Files", "smb:Files", address: "10.0.0.4")
    private let printer = device(
        "brn3005", "ipp:Büro Drucker", "http:Admin", address: "10.0.0.20",
        txt: ["ty=Laser JET", "mac=\u{1}", "duplex"])
    private let tv = device("tv", "googlecast:客厅", address: "fe80::1%eth0")

    private func text(_ search: String, _ change: (inout RowChoices) -> Void = { _ in }) -> [String]
    {
        var network = Network(.device, [nas, printer, tv])
        var choices = RowChoices()
        choices.search = search
        change(&choices)
        return network.text(choices)
    }

    @Test(arguments: ["BUERO", "drucker", "buro", "internet print", "_ipp"])
    func `a device with a matching service is expanded to show it`(search: String) {
        #expect(
            text(search)
                == (search == "BUERO" ? [] : ["v brn3005", "    ipp \"Büro Drucker\""]))
    }

    @Test(arguments: ["brn", "BRN3005.local", "10.0.0.20"])
    func `a device that matches itself keeps its expansion`(search: String) {
        #expect(text(search) == ["> brn3005"])
        #expect(text(search) { $0.expansion.setAll(isExpanded: true) }.count == 3)
    }

    @Test(arguments: ["tv", "OLED55", "lg", "LG tv", "media player", "media-player"])
    func `kind, maker and model are searched`(search: String) {
        var (screen, player) = (device("den", "http"), device("attic", "http"))
        (screen.kind, screen.maker, screen.model) = (.tv, "LG", "OLED55B9PUA")
        player.kind = .mediaPlayer
        var network = Network(.device, [nas, screen, player])
        var choices = RowChoices()
        choices.search = search
        let isPlayer = search.hasPrefix("media")
        #expect(network.text(choices) == [isPlayer ? "> attic" : "> den"])
        let gone = [screen, player].map { DepartedItem(.peer($0), at: House.time(0), .goodbye) }
        #expect(
            gone.filter(RowFilter(choices).includes).map(\.id) == [isPlayer ? player.id : screen.id]
        )
    }

    @Test(arguments: ["laser jet", "ty=laser", "duplex", "mac="])
    func `keys and values of TXT records are searched`(search: String) {
        #expect(
            text(search) == ["v brn3005", "    ipp \"Büro Drucker\"", "    http \"Admin\""])
    }

    /// The words may be in the device itself and in a service of it, in any order.
    @Test(arguments: ["brn laser", "LASER brn", "jet  duplex ", "10.0.0.20 drucker"])
    func `a search of several words finds rows with all of them`(search: String) {
        let services = ["    ipp \"Büro Drucker\"", "    http \"Admin\""]
        #expect(
            text(search) == ["v brn3005"] + (search.contains("drucker") ? [services[0]] : services))
    }

    @Test func `words in different services are found in their device`() {
        #expect(
            text("drucker admin")
                == ["v brn3005", "    ipp \"Büro Drucker\"", "    http \"Admin\""])
        #expect(text("drucker files").isEmpty, "no device has both")
        #expect(text("brn nothing").isEmpty)
        #expect(text("brn 10.0.0.20") == ["> brn3005"])
    }

    @Test func `every word is marked`() {
        let text = "Laser JET laser"
        let ranges = FoldedText(text).ranges(of: SearchNeedle("jet LASER"))
        #expect(ranges.map { String(text[$0]) } == ["Laser", "JET", "laser"])
    }

    @Test func `services of hidden types are not found`() {
        #expect(text("drucker") { $0.hiddenTypes = ["_ipp._tcp"] }.isEmpty)
        #expect(text("laser") { $0.hiddenTypes = ["_ipp._tcp"] }.count == 2)
    }

    @Test func `by type, a service is found by its device too`() {
        let rows = text("10.0.0.4") { $0.grouping = .type }
        #expect(
            rows == [
                "# Web site  _http._tcp", "http \"Files\"",
                "# Windows file sharing  _smb._tcp", "smb \"Files\"",
            ])
    }

    @Test func `hidden rows are counted`() {
        var network = Network(.device, [nas, printer, tv])
        var choices = RowChoices()
        choices.search = "files"
        let counts = network.rows(choices).counts
        #expect(counts.hiddenBySearch == 2)
        #expect(counts.shown == .init(devices: 1, services: 2))
        #expect(counts.all == .init(devices: 3, services: 5))
    }

    @Test func `the next and previous match skip rows that do not match themselves`() {
        var network = Network(.device, [nas, printer, tv])
        var choices = RowChoices()
        choices.search = "http"
        let rows = network.rows(choices)
        let files = RowID.service(nas.services[0].id, of: nas.id)
        let admin = RowID.service(printer.services[1].id, of: printer.id)
        #expect(
            rows.snapshot.itemIdentifiers == [.device(printer.id), admin, .device(nas.id), files])
        #expect(rows.match(after: nil) == admin)
        #expect(rows.match(after: .device(printer.id)) == admin)
        #expect(rows.match(after: admin) == files)
        #expect(rows.match(after: files) == admin)
        #expect(rows.match(after: admin, backwards: true) == files)
        #expect(rows.match(after: .device(nas.id), backwards: true) == admin)
        #expect(network.rows().match(after: nil) == nil)
    }

    @Test func `after a search the selection is the same row or its device`() {
        var network = Network(.device, [nas, printer, tv])
        let admin = RowID.service(printer.services[1].id, of: printer.id)
        var choices = RowChoices()
        #expect(network.rows().nearest(to: admin, network.seen) == .device(printer.id))

        choices.expansion.set(printer.id, isExpanded: true)
        #expect(network.rows(choices).nearest(to: admin, network.seen) == admin)

        choices.grouping = .type
        let byType = network.rows(choices)
        let listing = RowID.listing(printer.services[1].id)
        #expect(byType.nearest(to: admin, network.seen) == listing)
        #expect(
            byType.nearest(to: .device(printer.id), network.seen)
                == .listing(printer.services[0].id))
        #expect(network.rows().nearest(to: listing, network.seen) == .device(printer.id))

        network.change { $0[printer.id] = nil }
        #expect(network.rows().nearest(to: admin, network.seen) == nil)
    }

    @Test func `departed rows are searched like the others`() {
        var network = Network(.device, [nas])
        let gone = [tv, printer].map {
            DepartedItem(
                .peer($0), at: Timestamp(microseconds: 0), .goodbye)
        }
        var choices = RowChoices()
        choices.showsDeparted = true
        #expect(
            network.text(choices, departed: gone)
                == ["> nas", "# Departed", "  tv (tv.local)", "  brn3005 (brn3005.local)"])
        choices.search = "客"
        #expect(network.text(choices, departed: gone) == ["# Departed", "  tv (tv.local)"])
        choices.hiddenTypes = ["_googlecast._tcp"]
        #expect(network.text(choices, departed: gone).isEmpty)
    }
}

@Suite struct FoldedTextTests {
    private func found(_ needle: String, in text: String) -> [String] {
        FoldedText(text).ranges(of: SearchNeedle(needle)).map { String(text[$0]) }
    }

    @Test(arguments: [
        ("office", "Office OFFICE", ["Office", "OFFICE"]),
        ("buro", "Büro", ["Büro"]),
        ("büro", "Buro", ["Buro"]),
        ("bu\u{308}ro", "Büro", ["Büro"]),
        ("buro", "bu\u{308}ro", ["bu\u{308}ro"]),
        ("strasse", "Hauptstraße 1", ["straße"]),
        ("ß", "Strasse", ["ss"]),
        ("ωσ", "ΩΣ ως", ["ΩΣ", "ως"]),
        ("tv 4", "ＴＶ　４", ["ＴＶ", "４"]),
        ("fi", "ﬁle", ["ﬁ"]),
        ("mhz", "5 ㎒", ["㎒"]),
        ("カ", "ｶﾒﾗ", ["ｶ"]),
        ("客厅", "客厅 TV", ["客厅"]),
        ("한", "한국", ["한"]),
        ("пе", "Пётр", ["Пё"]),
        ("ιο", "Ἰοῦ", ["Ἰο"]),
        ("שלום", "שָׁלוֹם", ["שָׁלוֹם"]),
        ("printer", "pri\u{200B}nt\u{AD}er", ["pri\u{200B}nt\u{AD}er"]),
        ("aa", "aaaa a", ["aa", "aa"]),
        ("x", "Büro", []),
        ("e", "é\u{301}\u{302}.", ["é\u{301}\u{302}"]),
    ])
    func `case, accents, width and spelling do not matter`(
        needle: String, text: String, expected: [String]
    ) {
        // Compared as code points, since equal texts may be spelled differently.
        #expect(
            found(needle, in: text).map { Array($0.unicodeScalars) }
                == expected.map { Array($0.unicodeScalars) })
    }

    @Test(arguments: [("か", "が"), ("क", "क्क"), ("i", "ı")])
    func `a mark that forms another letter is not an accent`(needle: String, text: String) {
        let whole = SearchNeedle(text)
        #expect(SearchNeedle(needle) != whole)
        #expect(FoldedText(text).ranges(of: whole).count == 1)
    }

    @Test func `a match covers whole characters`() {
        #expect(found("👩", in: "a 👩‍👧 b") == ["👩‍👧"])
        #expect(found("s", in: "ß") == ["ß"])
    }

    @Test(arguments: ["", "\u{301}", "\u{200B}", "\n\u{1b}"])
    func `a search text without letters matches everything and marks nothing`(text: String) {
        let needle = SearchNeedle(text)
        #expect(needle.isEmpty)
        #expect(needle.isFound(in: []))
        #expect(FoldedText("abc").ranges(of: needle).isEmpty)
    }

    @Test func `a line feed cannot be searched, so a match does not span two fields`() {
        let peer = device("ab", "ssh", address: "10.0.0.1")
        var searched: [UInt8] = []
        FoldedText.append(peer.searchFields, to: &searched, limit: .max)
        #expect(!SearchNeedle("ab\nab.local").isFound(in: searched))
        #expect(SearchNeedle("ab.local").isFound(in: searched))
    }

    /// A failure names its seed.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func `a search finds what a naive search finds`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let letters = [
            "a", "b", "A", "é", "e\u{301}", "ß", "s", "\u{301}", "한", "🇩🇪", "ﬁ", "\u{200d}",
        ]
        func text(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &generator)).map { _ in
                letters.randomElement(using: &generator) ?? ""
            }.joined()
        }
        let (hay, needle) = (text(0...30), text(1...2))
        var folded: [UInt8] = []
        FoldedText.append(hay, to: &folded)
        var wanted: [UInt8] = []
        FoldedText.append(needle, to: &wanted)
        let isThere =
            !wanted.isEmpty && folded.indices.contains { folded[$0...].starts(with: wanted) }

        let ranges = FoldedText(hay).ranges(of: SearchNeedle(needle))

        #expect(ranges.isEmpty == !isThere)
        for range in ranges {
            #expect(!found(needle, in: String(hay[range])).isEmpty)
            let boundaries = hay.indices + [hay.endIndex]
            #expect(boundaries.contains(range.lowerBound) && boundaries.contains(range.upperBound))
        }
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    }
}
