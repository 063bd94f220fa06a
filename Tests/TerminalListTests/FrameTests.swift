// Tests of writing text and styles into a frame.
import TerminalList
import Testing

@Suite struct FrameTests {
    private func frame(_ columns: Int = 10, _ rows: Int = 2) -> Frame {
        Frame(size: FrameSize(columns: columns, rows: rows))
    }

    @Test func `a text is cut at the edges of the frame`() {
        var frame = frame()
        frame.write(SafeText("0123456789abc"), row: 0, column: 5)
        frame.write(SafeText("0123456789abc"), row: 1, column: -3)
        frame.write(SafeText("nowhere"), row: 2, column: 0)
        frame.write(SafeText("nowhere"), row: -1, column: 0)
        #expect(frame.text == "     01234\n3456789abc")
    }

    @Test func `a wide character that does not fit is dropped`() {
        var frame = frame()
        frame.write(SafeText("日本語"), row: 0, column: 5)
        frame.write(SafeText("日本語"), row: 1, column: -1)
        #expect(frame.text == "     日本\n 本語")
    }

    @Test(arguments: [(2, "日x 語"), (3, "日 x語"), (4, "日本x")])
    func `the rest of a half overwritten wide character is a space`(column: Int, line: String) {
        var frame = frame()
        frame.write(SafeText("日本語"), row: 0, column: 0)
        frame.write(SafeText("x"), row: 0, column: column)
        #expect(frame.text == line + "\n")
    }

    @Test func `a wide character over two others leaves spaces in both other halves`() {
        var frame = frame()
        frame.write(SafeText("日本"), row: 0, column: 0)
        frame.write(SafeText("語"), row: 0, column: 1)
        #expect(frame.text == " 語\n")
    }

    @Test func `a style added to a line keeps the styles of its texts`() {
        var frame = frame()
        frame.write(SafeText("ab"), row: 0, column: 0, style: Style(tone: .bad))
        frame.restyle(row: 0, adding: Style(.reverse, tone: .good))
        #expect(frame.style(row: 0, column: 0) == Style(.reverse, tone: .bad))
        #expect(frame.style(row: 0, column: 5) == Style(.reverse, tone: .good))
    }

    @Test func `an escape differs in style from the same text`() {
        var frame = frame()
        frame.write(SafeText("\u{1b}"), row: 0, column: 0)
        frame.write(SafeText("␛"), row: 1, column: 0)
        #expect(frame.style(row: 0, column: 0) != frame.style(row: 1, column: 0))
    }
}
