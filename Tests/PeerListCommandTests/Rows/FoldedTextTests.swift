// Tests the search without regard to case, accents and width.
import TestSupport
import Testing

@testable import PeerListCommand

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
        let searched = IndexedDevice.searchText(of: peer)
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
