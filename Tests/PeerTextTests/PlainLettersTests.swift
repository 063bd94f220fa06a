// Tests of text for terminals that show ASCII only.
import PeerText
import TerminalText
import Testing

@Suite struct PlainLettersTests {
    @Test(arguments: [
        ("Zoë’s MacBook Pro", "Zoe's MacBook Pro"), ("Büro oben", "Buro oben"),
        ("Straße – Æther", "Strasse - AEther"), ("Cafe\u{301}", "Cafe"), ("ﬁ²", "fi2"),
        ("plain", "plain"),
        // What looks like no letter, hides or controls stays, and is shown escaped.
        ("客厅 TV", "客厅 TV"), ("a\u{202e}b\u{200b}", "a\u{202e}b\u{200b}"),
        ("\u{301}a", "\u{301}a"), ("🖨", "🖨"), ("\u{1b}[2J", "\u{1b}[2J"),
    ])
    func `accented letters are plain ones in ASCII`(text: String, plain: String) {
        let shown = text.readable(in: .ascii)
        #expect(shown.unicodeScalars.elementsEqual(plain.unicodeScalars), "\(shown)")
        #expect(text.readable(in: .unicode) == text)
        let safe = SafeText(shown, charset: .ascii).text
        #expect(safe.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
    }
}
