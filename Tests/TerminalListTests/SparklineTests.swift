// Tests of bars for counts.
import TerminalList
import Testing

@Suite struct SparklineTests {
    @Test func `the height of a bar is the number of binary digits of its count`() {
        let counts = [0, 1, 2, 4, 8, 16, 32, 64, 128, 255]
        #expect(Sparkline.text(counts, charset: .unicode) == " ▁▂▃▄▅▆▇██")
        #expect(Sparkline.text(counts, charset: .ascii) == " .:-=+*%##")
        #expect(Sparkline.text(counts, charset: .console) == " .:-=+*%##")
    }

    @Test func `the greatest count has a full bar, and only zero has none`() {
        #expect(Sparkline.text([1, 0, -4], charset: .unicode) == "█  ")
        #expect(Sparkline.text([1], of: 1_000_000, charset: .unicode) == "▁")
        #expect(Sparkline.text([.max, 1, 5], of: 2, charset: .unicode) == "█▄█")
        #expect(Sparkline.text([0, 0], charset: .unicode) == "  ")
        #expect(Sparkline.text([], charset: .unicode) == "")
    }
}
