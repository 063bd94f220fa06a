// What a stranger's text may not do to the terminal or to the list.
import TestSupport
import Testing

@testable import TerminalList

@Suite struct HostileTextTests {
    @Test(arguments: HostileText.all)
    func `nothing that could steer a terminal is left`(hostile: HostileText) {
        for charset in [Charset.unicode, .ascii] {
            let text = SafeText(hostile.text, charset: charset).text
            #expect(text.unicodeScalars.allSatisfy { $0.isHarmless }, "\(text)")
        }
    }

    @Test(arguments: HostileText.all)
    func `the attack is seen, not swallowed`(hostile: HostileText) {
        guard hostile.attack != "width lies" else { return }
        let safe = SafeText(hostile.text)
        #expect(safe.cells.contains { $0.isEscape })
        let hidden = hostile.text.unicodeScalars.filter { !$0.isHarmless }
        #expect(safe.cells.count >= hidden.count)
    }

    @Test(arguments: HostileText.all)
    func `the columns to its right stand where they stand for any name`(hostile: HostileText) {
        let list = ListFixture()
        list.show([hostile.text], animating: false)
        for columns in [40, 80, 120] {
            let frame = list.draw(columns, 10)
            let row = frame.lines[2]
            let start = ColumnLayout(ListFixture.columns, from: 3, to: columns).places[1].start
            #expect(row.count == columns)
            #expect(row[start..<(start + 8)].map(\.text).joined() == "10.0.0.0")
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `63 bytes of anything are harmless and measured rightly`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<63).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for charset in [Charset.unicode, .ascii] {
            let safe = SafeText(bytes: bytes, charset: charset)
            #expect(safe.text.unicodeScalars.allSatisfy { $0.isHarmless })
            #expect(safe.cells.reduce(0) { $0 + $1.width } == safe.width)
            #expect(safe.cells.allSatisfy { (1...2).contains($0.width) })
            #expect(safe.fitted(to: 20).width == 20)
            let repaired = SafeText(String(decoding: bytes, as: UTF8.self), charset: charset)
            #expect(repaired.text.unicodeScalars.allSatisfy { $0.isHarmless })
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `any scalars are harmless, and each cell is one character and what is drawn over it`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        var raw = ""
        for _ in 0..<30 {
            let limit: UInt32 = Bool.random(using: &generator) ? 0x3000 : 0x11_0000
            guard let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator))
            else { continue }
            raw.unicodeScalars.append(scalar)
        }
        for cell in SafeText(raw).cells {
            let widths = cell.text.unicodeScalars.map(displayWidth(of:))
            #expect(widths.first == cell.width)
            #expect(widths.dropFirst().allSatisfy { $0 == 0 })
            #expect(widths.count <= 5)
        }
    }

    @Test func `a text without end costs no more than the field it is shown in`() {
        let endless = String(repeating: "\u{301}", count: 100_000)
        let safe = SafeText(endless, upTo: 20)
        #expect(safe.width > 20)
        #expect(safe.width < 40)
        #expect(safe.fitted(to: 20).width == 20)
    }
}
