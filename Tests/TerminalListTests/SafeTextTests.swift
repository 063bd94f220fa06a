// Tests of escaping, measuring and cutting text.
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
    func `safe text is unchanged and unsafe scalars are escaped`(raw: String, shown: String) {
        #expect(SafeText(raw).text == shown)
    }

    @Test(arguments: [
        "👍🏽", "❤️", "👨‍👩‍👧‍👦 x", "🏳️‍🌈", "🇩🇪", "日本語", "می\u{200c}خواهم", "plain",
    ])
    func `a log keeps complete emoji sequences`(raw: String) {
        #expect(SafeText.logText(raw) == raw)
    }

    @Test(arguments: [
        ("👨\u{200d}x", "👨\\u{200d}x"), ("👨\u{200d}", "👨\\u{200d}"), ("a\u{200d}b", "a\\u{200d}b"),
        ("👨\u{200d}👩\u{202e}", "👨\u{200d}👩\\u{202e}"), ("👍\u{1b}[2J", "👍␛[2J"),
        ("👍\u{e0061}", "👍\\u{e0061}"), ("❤\u{fe0f}\u{fe0f}", "❤\\u{fe0f}\\u{fe0f}"),
        ("🇩🇪\u{3164}", "🇩🇪\\u{3164}"),
    ])
    func `a log escapes scalars that could hide beside an emoji`(raw: String, shown: String) {
        #expect(SafeText.logText(raw) == shown)
    }

    @Test func `a log escapes the joiners of an overlong emoji sequence`() {
        let endless = Array(repeating: "👨", count: 1000).joined(separator: "\u{200d}")
        #expect(SafeText.logText(endless).hasPrefix("👨\\u{200d}👨\\u{200d}"))
        #expect(SafeText.logText("👍🏽", charset: .ascii) == "\\u{1f44d}\\u{1f3fd}")
    }

    @Test(arguments: [
        ("esc\u{1b}", "esc^["), ("del\u{7f}", "del^?"), ("é", "\\u{e9}"), ("日", "\\u{65e5}"),
        ("x👍🏽", "x\\u{1f44d}\\u{1f3fd}"),
    ])
    func `in ASCII other characters are escaped`(raw: String, shown: String) {
        #expect(SafeText(raw, charset: .ascii).text == shown)
    }

    @Test(arguments: [
        ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👍", 2), ("👨‍👩‍👧", 2), ("한", 2), ("한", 2),
        ("ñandú", 5), ("\u{1b}", 1), ("\u{202e}", 8),
    ])
    func `the width is the number of columns on a terminal`(raw: String, width: Int) {
        #expect(SafeText(raw).width == width)
    }

    @Test(arguments: [
        ("printer", 10, "printer   "), ("printer", 7, "printer"), ("printer", 6, "print…"),
        ("printer", 1, "…"), ("printer", 0, ""), ("プリンター", 7, "プリン…"),
        ("プリンター", 6, "プリ… "), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
        ("ab\u{202e}cd", 9, "ab…      "),
    ])
    func `a text is cut between clusters and padded`(raw: String, columns: Int, shown: String) {
        let fitted = SafeText(raw).fitted(to: columns)
        #expect(fitted.text == shown)
        #expect(fitted.width == columns)
    }

    @Test func `an ellipsis in ASCII is two dots`() {
        #expect(SafeText("printer", charset: .ascii).fitted(to: 5).text == "pri..")
        #expect(SafeText("printer", charset: .ascii).fitted(to: 1).text == ".")
    }

    @Test func `trailing alignment pads at the left`() {
        #expect(SafeText("12").fitted(to: 5, alignment: .trailing).text == "   12")
    }
}
