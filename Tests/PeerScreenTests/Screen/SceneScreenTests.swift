// Golden screens of the scene at several sizes, and the lines below a replayed list.
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerModel
@testable import PeerRecording
@testable import PeerScreen

@MainActor @Suite struct SceneScreenTests {
    /// The situations of the golden screens.
    enum Situation: String, CaseIterable {
        case empty, arrival, departure, details, help, filter, search, replay
    }

    /// The sizes of the golden screens; three situations show what the wide layout adds.
    nonisolated static let sizes = [(40, 10), (80, 24)]
    nonisolated static let wide: Set<Situation> = [.departure, .details, .replay]
    /// Sizes that only the number and the width of the lines are checked at.
    nonisolated static let otherSizes = [
        (20, 5), (39, 9), (60, 16), (79, 23), (99, 30), (100, 30), (120, 40), (160, 45), (200, 50),
        (240, 70),
    ]

    private func screen(_ situation: Situation, columns: Int, rows: Int) -> DrivenScreen {
        let driven = DrivenScreen(
            columns: columns, rows: rows,
            keys: situation == .replay
                ? ReplayCommand.keys(AsyncStream.makeStream().continuation) : [],
            isRecorded: situation == .replay, steps: Scene.steps)
        switch situation {
        case .empty:
            _ = driven.frame
            driven.wait(.seconds(12))
        case .arrival: driven.live(until: 1.5)
        case .departure: driven.live(until: 120)
        case .details:
            driven.live(until: 100)
            driven.press(.down, .enter)
        case .help:
            driven.live(until: 100)
            driven.press(.character("?"))
        case .filter:
            driven.live(until: 100)
            driven.press(.character("t"), .down, .character(" "))
        case .search:
            driven.live(until: 100)
            driven.press(.character("/"))
            driven.type("zoe air")
        case .replay:
            driven.live(until: 100)
            driven.screen.handle(.replaying(Self.status))
        }
        return driven
    }

    /// A replay of the scene, paused after the arrivals.
    private static var status: ReplayStatus {
        var activity = RecordingActivity()
        for step in Scene.steps(.device) {
            guard case .update(let update, _) = step else { continue }
            activity.add(
                .init(
                    arrivals: update.items.arrivals.count, departures: update.items.departures.count
                ),
                at: update.items.time)
        }
        return ReplayStatus(
            name: "scene.jsonl", motion: .paused, speed: 2, time: House.time(100),
            changes: (10, 13),
            activity: activity, isComplete: true, isLost: false, damage: (0, nil))
    }

    @Test(arguments: Situation.allCases, sizes + otherSizes)
    func `the list fits the window`(situation: Situation, size: (columns: Int, rows: Int)) {
        let driven = screen(situation, columns: size.columns, rows: size.rows)
        let lines = driven.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == size.rows)
        #expect(lines.allSatisfy { SafeText(String($0)).width <= size.columns })
    }

    @Test(arguments: Situation.allCases)
    func `the list looks as committed`(situation: Situation) throws {
        let sizes = Self.sizes + (Self.wide.contains(situation) ? [(120, 40)] : [])
        for (columns, rows) in sizes {
            try expectCommitted(
                screen(situation, columns: columns, rows: rows).text + "\n",
                "scene-\(situation.rawValue)-\(columns)x\(rows).txt")
        }
    }

    @Test func `a device that left and returned, and one that does not respond`() throws {
        let driven = DrivenScreen(columns: 100, rows: 20, steps: Scene.steps)
        driven.live(until: 250)
        try expectCommitted(driven.text + "\n", "scene.txt")
    }
}

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

    @Test func `the part of the file that was read so far is shown`() {
        var status = status(.waiting, at: 50)
        status.readPart = 0.437
        #expect(
            text(status.footer(columns: 80, charset: .unicode)).last?.contains(
                "9 so far, 43 % read") == true)
        status.isComplete = true
        #expect(text(status.footer(columns: 80, charset: .unicode)).last?.contains("read") == false)
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

    /// Characters that the fonts of Debian's package console-setup-linux lack.
    static let notOnConsole = "▁▂▃▄▅▆▇⏸✓▏"

    @Test func `on the Linux console, the status has signs that its fonts have`() {
        for motion in [ReplayStatus.Motion.playing, .paused, .waiting, .atEnd] {
            let footer = text(status(motion, at: 50).footer(columns: 40, charset: .console))
                .joined()
            #expect(footer.contains("●"))
            #expect(!footer.contains { Self.notOnConsole.contains($0) })
        }
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
