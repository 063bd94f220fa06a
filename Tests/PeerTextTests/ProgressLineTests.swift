// When the line about long work is shown, what it says, and how it goes.
import TerminalText
import Testing

@testable import PeerText

@Suite struct ProgressLineTests {
    private let start = ContinuousClock.now
    private static let erasure = "\r\u{1b}[K"

    /// Returns the line of work after some seconds.
    private func line(_ work: LongWork, after seconds: Double, columns: Int = 80) -> String? {
        var line = ProgressLine(work, at: start)
        let text = line.advance(to: start + .seconds(seconds), columns: columns)
        return text.map { String($0.dropFirst(Self.erasure.count)) }
    }

    private func reading(_ read: Int, of all: Int?) -> LongWork {
        .reading("peers.jsonl", since: start) { (read, all) }
    }

    @Test func `nothing is shown in the first half second, and nothing is to be removed then`() {
        var line = ProgressLine(.search("looking", until: nil), at: start)
        #expect(line.advance(to: start + .milliseconds(499), columns: 80) == nil)
        #expect(line.remove() == nil)
        #expect(
            line.advance(to: start + .milliseconds(500), columns: 80) == Self.erasure + "looking")
    }

    @Test func `the line is written when it changes, and again after it was removed`() {
        var line = ProgressLine(.search("a", until: nil), at: start)
        let now = start + .seconds(1)
        #expect(line.advance(to: now, columns: 80) == Self.erasure + "a")
        #expect(line.advance(to: now + .seconds(9), columns: 80) == nil)
        line.work = .search("b", until: nil)
        #expect(line.advance(to: now, columns: 80) == Self.erasure + "b")
        #expect(line.remove() == Self.erasure)
        #expect(line.remove() == nil)
        #expect(line.advance(to: now, columns: 80) == Self.erasure + "b")
    }

    @Test func `a search says how long it takes at most`() {
        let search = LongWork.search("3 devices", until: start + .seconds(5))
        #expect(line(search, after: 0.6) == "3 devices, at most 5 s more")
        #expect(line(search, after: 4) == "3 devices, at most 1 s more")
        #expect(line(search, after: 5) == "3 devices")
        #expect(line(search, after: 500) == "3 devices")
    }

    @Test(
        arguments: [
            (0, 1_000_000_000, 0.5, "peers.jsonl: 0 %, 0.0 of 1.0 GB"),
            (430_000_000, 1_000_000_000, 0.9, "peers.jsonl: 43 %, 0.4 of 1.0 GB"),
            (250_000_000, 1_000_000_000, 10, "peers.jsonl: 25 %, 0.3 of 1.0 GB, 30 s left"),
            (12_300_000, 123_000_000, 20, "peers.jsonl: 10 %, 12 of 123 MB, 3 min left"),
            (45_600, 91_200, 1, "peers.jsonl: 50 %, 46 of 91 kB, 1 s left"),
            (1000, 1000, 2, "peers.jsonl: 100 %, 1.0 of 1.0 kB"),
            // The file has become longer.
            (3000, 1000, 2, "peers.jsonl: 100 %, 3.0 of 1.0 kB"),
            (4_200_000, nil, 3, "peers.jsonl: 4.2 MB"), (0, 0, 3, "peers.jsonl: 0.0 kB"),
        ] as [(Int, Int?, Double, String)])
    func `a file has its part, its bytes and the time left`(
        read: Int, all: Int?, seconds: Double, text: String
    ) {
        #expect(line(reading(read, of: all), after: seconds) == text)
    }

    @Test(arguments: [0, 1, 2, 8, 20, 200])
    func `the line is cut before the last column, and hides nothing`(columns: Int) throws {
        let name = "a\u{1b}[31mb\nc\u{202e}d\r日本語" + String(repeating: "x", count: 300)
        let text = try #require(
            line(.search(name, until: nil), after: 1, columns: columns))
        #expect(SafeText(text).width <= max(0, columns - 1))
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202e}" })
    }
}
