// Tests the lines below a replayed list.
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerList
@testable import PeerListCommand
@testable import PeerRecording

@Suite struct ReplayStatusTests {
    /// A recording of 100 seconds: much at its beginning, little at its end.
    private func status(_ motion: ReplayStatus.Motion, at second: Double?) -> ReplayStatus {
        var activity = RecordingActivity()
        activity.add(.init(arrivals: 100, departures: 0), at: House.time(0))
        activity.add(.init(arrivals: 0, departures: 7), at: House.time(50))
        activity.add(.init(arrivals: 1, departures: 1), at: House.time(100))
        return ReplayStatus(
            name: "house", motion: motion, speed: 10, time: second.map(House.time),
            changes: (3, 9), activity: activity, isComplete: motion != .waiting,
            isLost: false, damage: (0, nil))
    }

    private func text(_ lines: [[ListCell.Field]]) -> [String] {
        lines.map { $0.map(\.text).joined() }
    }

    @Test func `arrivals are above departures, and the position is marked in both`() {
        let footer = status(.playing, at: 50).footer(columns: 12, charset: .unicode)
        #expect(text(footer)[..<2] == ["+ █        ▁", "-      ▃   ▁"])
        for line in footer[..<2] {
            #expect(line[2].style.attributes == [.reverse])
            #expect(line[1].text.count == 5)
        }
        #expect(text(footer)[2] == "  ━━━━━●────")
    }

    @Test func `with the ASCII character set the status is ASCII`() {
        for motion in [ReplayStatus.Motion.playing, .paused, .waiting, .atEnd] {
            let footer = status(motion, at: 50).footer(columns: 40, charset: .ascii)
            #expect(text(footer).joined().utf8.allSatisfy { $0 < 0x80 })
        }
    }

    @Test(arguments: [
        (ReplayStatus.Motion.playing, "▶ ×10  "), (.paused, "⏸ paused, ×10  "), (.atEnd, "■ end  "),
        (.waiting, "▶ waiting  "),
    ])
    func `the status names the motion`(motion: ReplayStatus.Motion, words: String) {
        let line = text(status(motion, at: 50).footer(columns: 40, charset: .unicode))[3]
        #expect(line.hasPrefix(words))
        #expect(line.contains(motion == .waiting ? "3 of 9 so far" : "3 of 9"))
    }

    @Test func `before the first line no position is marked`() {
        let footer = status(.paused, at: nil).footer(columns: 40, charset: .unicode)
        #expect(footer[0].count == 2)
        #expect(text(footer)[3].contains("at the start"))
    }

    @Test func `the warning counts the damaged parts`() {
        var status = status(.playing, at: 1)
        #expect(status.warning == nil)
        let damage = RecordingDamage(
            line: 4, byte: 17, message: "a colon was expected", isCutOff: false)
        status.damage = (3, damage)
        #expect(
            status.warning == "skipped: line 4, byte 17: a colon was expected (and 2 more)")
    }
}
