// Tests of the search: its rows, and its regardlessness of case, accents and width.
import DiffCore
import FoundationEssentials
import PeerHappenings
import PeerModel
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

    @Test func `a device that matches itself is not expanded by a service that matches too`() {
        let speaker = device("Kitchen", "raop:Kitchen", "http:Admin", address: "10.0.0.9")
        var network = Network(.device, [nas, speaker])
        var choices = RowChoices()
        choices.search = "kitchen"
        #expect(network.text(choices) == ["> Kitchen"])
        #expect(network.rows(choices).matches == [0])
        choices.search = "kitchen admin"
        #expect(network.text(choices) == ["v Kitchen", "    http \"Admin\""])
    }

    @Test func `a word of two letters is not searched in TXT records`() {
        var border = device("border", "meshcop", txt: ["tv=1.3.0", "model=TV box"])
        var network = Network(.device, [border, tv])
        var choices = RowChoices()
        choices.search = "tv"
        #expect(network.text(choices) == ["> tv"])
        choices.search = "tv="
        #expect(network.text(choices) == ["v border", "    meshcop \"border\""])
        border.services[0].name = "hidden TV"
        network.change { $0[border.id] = border }
        choices.search = "tv"
        #expect(network.text(choices).count == 3)
    }

    /// Devices of which the letters "nas" are in more and more remote places.
    private var ranked: [Peer] {
        var box = device("Box", "http")
        box.model = "DS-NAS"
        var remote = device("Remote", "http:nas admin")
        remote.kind = .computer
        return [
            remote, device("Printer", "http", txt: ["server=nas"]), device("Planas", "http"), box,
            device("nas box", "http"), device("nas", "http"), device("Nikon Andes S", "http"),
        ]
    }

    @Test func `pick has the best match first, the list has its order`() {
        var network = Network(.device, ranked)
        var choices = RowChoices()
        choices.search = "nas"
        func names() -> [String] {
            network.text(choices).filter { !$0.hasPrefix(" ") }.map { String($0.dropFirst(2)) }
        }
        #expect(names() == ["Box", "nas", "nas box", "Planas", "Printer", "Remote"])
        choices.matching = .bestFirst
        let best = ["nas", "nas box", "Box", "Planas", "Remote", "Printer"]
        #expect(names() == best)
        choices.isDescending = true
        #expect(names() == best, "the order of the list counts among equal matches only")
        choices.search = ""
        #expect(names().first == "Remote")
    }

    @Test func `by type, the best match of each type comes first`() {
        var network = Network(.device, ranked)
        var choices = RowChoices()
        (choices.search, choices.grouping, choices.matching) = ("nas", .type, .bestFirst)
        #expect(network.text(choices).dropFirst().first == "http \"nas\"")
        #expect(network.text(choices).last == "http \"Printer\"")
    }

    @Test func `letters in order match names only if nothing contains the words`() {
        var samsung = device("Den", "http")
        (samsung.maker, samsung.kind) = ("Samsung", .tv)
        var network = Network(.device, [nas, printer, samsung])
        var choices = RowChoices()
        func found(_ search: String) -> [String] {
            choices.search = search
            return network.text(choices)
        }
        #expect(found("smsng") == ["> Den"])
        #expect(found("SMSNG tv") == ["> Den"], "the other word as it is")
        #expect(found("amsng").isEmpty, "not the start of a word")
        #expect(found("sg").isEmpty, "two letters are in too many names")
        #expect(found("smsgn").isEmpty)
        #expect(found("mvp").isEmpty, "a TXT record is not searched by letters")
        choices.matching = .exact
        #expect(found("smsng").isEmpty)
        choices.matching = .inOrder
        network.change { $0[tv.id] = device("smsng", "http") }
        #expect(found("smsng") == ["> smsng"])
    }

    @Test func `close letters are the better match`() {
        var network = Network(
            .device, [device("Some more songs", "http"), device("Samsung", "http")])
        var choices = RowChoices()
        (choices.search, choices.matching) = ("smsng", .bestFirst)
        #expect(network.text(choices) == ["> Samsung", "> Some more songs"])
    }

    @Test func `every word is marked`() {
        let text = "Laser JET laser"
        let ranges = FoldedText(text).ranges(of: SearchNeedle("jet LASER"))
        #expect(ranges.map { String(text[$0]) } == ["Laser", "JET", "laser"])
        let letters = FoldedText("A Sämsung").ranges(of: SearchNeedle("smsu", isLoose: true))
        #expect(letters.map { String("A Sämsung"[$0]) } == ["S", "m", "s", "u"])
    }

    /// The names of an attacker have a start of a word at every second byte.
    @Test func `searching by letters takes time in proportion to the text`() {
        func time(_ count: Int) -> Duration {
            let text = Array(String(repeating: "s ", count: count).utf8)
            let word = Array("ssssx".utf8)
            return (0..<5).map { _ in
                ContinuousClock().measure {
                    #expect(SearchNeedle.letters(of: word, in: text, text.indices) == nil)
                    let found = SearchNeedle.letters(of: Array("sss".utf8), in: text, text.indices)
                    #expect(found?.count == 3)
                }
            }.min() ?? .zero
        }
        #expect(time(160_000) < time(10_000) * 64, "sixteenfold, not 256-fold")
    }

    @Test func `the searched text of a device is bounded`() {
        var peer = device("x", "http", txt: ["a=\(String(repeating: "v", count: 250))"])
        peer.services = Array(repeating: peer.services[0], count: 1_000)
        #expect(SearchText(.peer(peer), limit: 10_000).bytes.count == 10_000)
        peer.name = String(repeating: "s ", count: 100_000)
        peer.model = "unread"
        let text = SearchText(.peer(peer))
        #expect(SearchMatch(SearchNeedle("unread"), in: text) { _ in true } == nil)
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

    @Test func `the first match is a row that matches itself`() {
        var network = Network(.device, [nas, printer, tv])
        var choices = RowChoices()
        choices.search = "http"
        let rows = network.rows(choices)
        let files = RowID.service(nas.services[0].id, of: nas.id)
        let admin = RowID.service(printer.services[1].id, of: printer.id)
        #expect(
            rows.snapshot.itemIdentifiers == [.device(printer.id), admin, .device(nas.id), files])
        #expect(rows.firstMatch == admin)
        #expect(network.rows().firstMatch == nil)
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
        #expect(FoldedText("abc").ranges(of: needle).isEmpty)
    }

    @Test func `a line feed cannot be searched, so a match does not span two fields`() {
        let peer = device("ab", "ssh", address: "10.0.0.1")
        func match(_ search: String) -> SearchMatch? {
            SearchMatch(SearchNeedle(search), in: SearchText(.peer(peer))) { _ in true }
        }
        #expect(match("ab\nab.local") == nil)
        #expect(match("ab.local") != nil)
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
