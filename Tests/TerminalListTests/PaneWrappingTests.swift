// Tests of wrapping a pane's lines.
import TerminalList
import TestSupport
import Testing

@Suite struct PaneWrappingTests {
    private let list = ListFixture()

    private func show(_ lines: [TextPane.Line]) {
        list.view.pane = TextPane("x", "x", lines, placement: .full)
    }

    /// The pane's lines.
    private func text() -> [String] {
        list.draw(40, 12).text.split(separator: "\n", omittingEmptySubsequences: false)
            .dropFirst(2).dropLast().map(String.init)
    }

    @Test func `lines are wrapped between words and indented from the second row on`() {
        show([
            TextPane.Line([.init("txt   a description of forty columns, and then some more words")]
            ),
            TextPane.Line([.init("z")]),
        ])
        #expect(
            text().prefix(3) == [
                "txt   a description of forty columns,", "  and then some more words", "z",
            ])
    }

    @Test func `a word longer than the pane is broken, but no character or escape`() {
        show([
            TextPane.Line([.init(String(repeating: "プ", count: 30))], indent: 0),
            TextPane.Line([.init(String(repeating: "x", count: 36) + "\u{202e}y")], indent: 0),
        ])
        #expect(
            text().prefix(4) == [
                String(repeating: "プ", count: 20), String(repeating: "プ", count: 10),
                String(repeating: "x", count: 36), "\\u{202e}y",
            ])
    }

    @Test func `pieces keep their styles across rows, and matches are marked`() {
        list.view.highlight = { text in text == "words" ? [text.startIndex..<text.endIndex] : [] }
        show([
            TextPane.Line([
                .init("thirty-eight columns of plain text ok ", style: Style(tone: .muted)),
                .init("words"),
            ])
        ])
        let frame = list.draw(40, 12)
        #expect(frame.style(row: 2, column: 5).tone == .muted)
        #expect(frame.style(row: 3, column: 2).attributes == [.bold, .underline])
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `wrapped text keeps every word and fits its width`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = ["a", "bc", "プ", "e\u{301}", "\u{202e}", " ", " ", "defghijklm"]
        let raw = (0..<60).map { _ in alphabet.randomElement(using: &generator) ?? "" }.joined()
        let columns = Int.random(in: 40...80, using: &generator)
        show([TextPane.Line([.init(raw)], indent: Int.random(in: 0...9, using: &generator))])
        let frame = list.draw(columns, 40)
        let shown = frame.text.split(separator: "\n").dropFirst(2).dropLast().joined()
        #expect(shown.filter { $0 != " " } == SafeText(raw).text.filter { $0 != " " })
    }
}
