// The grid: what is written stands in its column, and nothing else moves.
import Testing

@testable import TerminalList

@Suite struct FrameTests {
    private func frame(_ columns: Int = 10, _ rows: Int = 2) -> Frame {
        Frame(size: FrameSize(columns: columns, rows: rows))
    }

    @Test func `a text is cut at the edges`() {
        var frame = frame()
        frame.write(SafeText("0123456789abc"), row: 0, column: 5)
        frame.write(SafeText("0123456789abc"), row: 1, column: -3)
        frame.write(SafeText("nowhere"), row: 2, column: 0)
        frame.write(SafeText("nowhere"), row: -1, column: 0)
        #expect(frame.text == "     01234\n3456789abc")
    }

    @Test func `a wide character that does not fit is left out`() {
        var frame = frame()
        frame.write(SafeText("日本語"), row: 0, column: 5)
        frame.write(SafeText("日本語"), row: 1, column: -1)
        #expect(frame.text == "     日本\n 本語")
        #expect(frame.lines.allSatisfy { $0.count == 10 })
    }

    @Test(arguments: [(2, "日x 語"), (3, "日 x語"), (4, "日本x")])
    func `half a wide character is a space`(column: Int, line: String) {
        var frame = frame()
        frame.write(SafeText("日本語"), row: 0, column: 0)
        frame.write(SafeText("x"), row: 0, column: column)
        #expect(frame.text == line + "\n")
    }

    @Test func `a wide character over two others leaves both other halves as spaces`() {
        var frame = frame()
        frame.write(SafeText("日本"), row: 0, column: 0)
        frame.write(SafeText("語"), row: 0, column: 1)
        #expect(frame.text == " 語\n")
    }

    @Test func `a line's style adds to its texts' styles`() {
        var frame = frame()
        frame.write(SafeText("ab"), row: 0, column: 0, style: Style(tone: .bad))
        frame.restyle(row: 0, adding: Style(.reverse, tone: .good))
        #expect(frame.style(row: 0, column: 0) == Style(.reverse, tone: .bad))
        #expect(frame.style(row: 0, column: 5) == Style(.reverse, tone: .good))
    }

    @Test func `what stands for a forbidden character is told from the same text sent as it is`() {
        var frame = frame()
        frame.write(SafeText("\u{1b}"), row: 0, column: 0)
        frame.write(SafeText("␛"), row: 1, column: 0)
        #expect(frame.style(row: 0, column: 0) != frame.style(row: 1, column: 0))
    }
}
