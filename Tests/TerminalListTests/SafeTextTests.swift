// What safe text looks like, and how it is cut.
import TerminalList
import Testing

@Suite struct SafeTextTests {
    @Test(arguments: [
        ("plain ASCII, all of it ~", "plain ASCII, all of it ~"),
        ("esc\u{1b}[2J", "esc␛[2J"), ("line\nfeed", "line␊feed"), ("del\u{7f}", "del␡"),
        ("\r\n", "␍␊"), ("c1\u{9b}", "c1\\u{9b}"), ("bidi\u{202e}", "bidi\\u{202e}"),
        ("nas\u{200b}", "nas\\u{200b}"), ("é e\u{301}", "é e\u{301}"),
        ("日本語", "日本語"), ("한국어", "한국어"), ("می\u{200c}خواهم", "می\u{200c}خواهم"),
        ("a\u{200c}b", "a\\u{200c}b"), ("👍🏽", "👍"), ("❤️", "❤"), ("👨‍👩‍👧 x", "👨 x"),
        ("1️⃣", "1\u{20e3}"), ("\u{301}x", "\\u{301}x"), ("", ""),
    ])
    func `a text is shown as it is where that is safe`(raw: String, shown: String) {
        #expect(SafeText(raw).text == shown)
    }

    @Test(arguments: [
        "👍🏽", "❤️", "👨‍👩‍👧‍👦 x", "🏳️‍🌈", "🇩🇪", "日本語", "می\u{200c}خواهم", "plain",
    ])
    func `a log has emoji sequences whole`(raw: String) { #expect(SafeText.logText(raw) == raw) }

    @Test(arguments: [
        ("👨\u{200d}x", "👨\\u{200d}x"), ("👨\u{200d}", "👨\\u{200d}"), ("a\u{200d}b", "a\\u{200d}b"),
        ("👨\u{200d}👩\u{202e}", "👨\u{200d}👩\\u{202e}"), ("👍\u{1b}[2J", "👍␛[2J"),
        ("👍\u{e0061}", "👍\\u{e0061}"),
    ])
    func `a log shows what could hide beside an emoji`(raw: String, shown: String) {
        #expect(SafeText.logText(raw) == shown)
    }

    @Test func `a log shows the joiners of an endless emoji sequence`() {
        let endless = Array(repeating: "👨", count: 1000).joined(separator: "\u{200d}")
        #expect(SafeText.logText(endless).hasPrefix("👨\\u{200d}👨\\u{200d}"))
        #expect(SafeText.logText("👍🏽", charset: .ascii) == "\\u{1f44d}\\u{1f3fd}")
    }

    @Test(arguments: [
        ("esc\u{1b}", "esc^["), ("del\u{7f}", "del^?"), ("é", "\\u{e9}"), ("日", "\\u{65e5}"),
        ("x👍🏽", "x\\u{1f44d}\\u{1f3fd}"),
    ])
    func `in ASCII all else is spelled out`(raw: String, shown: String) {
        #expect(SafeText(raw, charset: .ascii).text == shown)
    }

    @Test(arguments: [
        ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👍", 2), ("👨‍👩‍👧", 2), ("한", 2), ("한", 2),
        ("ñandú", 5), ("\u{1b}", 1), ("\u{202e}", 8),
    ])
    func `the width is what a terminal uses`(raw: String, width: Int) {
        #expect(SafeText(raw).width == width)
    }

    @Test(arguments: [
        ("printer", 10, "printer   "), ("printer", 7, "printer"), ("printer", 6, "print…"),
        ("printer", 1, "…"), ("printer", 0, ""), ("プリンター", 7, "プリン…"),
        ("プリンター", 6, "プリ… "), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
        ("ab\u{202e}cd", 9, "ab…      "),
    ])
    func `a text is cut where it may be, and padded`(raw: String, columns: Int, shown: String) {
        let fitted = SafeText(raw).fitted(to: columns)
        #expect(fitted.text == shown)
        #expect(fitted.width == columns)
    }

    @Test func `an ellipsis in ASCII is two dots`() {
        #expect(SafeText("printer", charset: .ascii).fitted(to: 5).text == "pri..")
        #expect(SafeText("printer", charset: .ascii).fitted(to: 1).text == ".")
    }

    @Test func `a number stands at the right`() {
        #expect(SafeText("12").fitted(to: 5, alignment: .trailing).text == "   12")
    }

    @Test func `bytes that are no UTF-8 are spelled out, and the rest is read`() {
        let bytes: [UInt8] = [0x63, 0x61, 0x66, 0xe9, 0x20, 0xc3, 0xa9, 0xff, 0xc3]
        #expect(SafeText(bytes: bytes).text == "caf\\x{e9} é\\x{ff}\\x{c3}")
    }
}
