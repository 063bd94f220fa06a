// Golden screens of the scene at several sizes.
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerList
@testable import PeerListCommand
@testable import PeerRecording

@MainActor @Suite struct SceneScreenTests {
    /// The situations of the golden screens.
    enum Situation: String, CaseIterable {
        case empty, arrival, departure, details, help, filter, search, replay
    }

    nonisolated static let sizes = [(40, 10), (80, 24), (120, 40), (200, 50)]

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
                .init(arrivals: update.arrivals.count, departures: update.departures.count),
                at: update.time)
        }
        return ReplayStatus(
            name: "scene.jsonl", motion: .paused, speed: 2, time: House.time(100),
            changes: (10, 13),
            activity: activity, isComplete: true, isLost: false, damage: (0, nil))
    }

    @Test(arguments: Situation.allCases, sizes)
    func `the list fits the window`(situation: Situation, size: (columns: Int, rows: Int)) throws {
        let driven = screen(situation, columns: size.columns, rows: size.rows)
        let lines = driven.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == size.rows)
        #expect(lines.allSatisfy { SafeText(String($0)).width <= size.columns })
        try expectCommitted(
            driven.text + "\n", "scene-\(situation.rawValue)-\(size.columns)x\(size.rows).txt")
    }

    @Test func `a device that left and returned, and one that does not respond`() throws {
        let driven = DrivenScreen(columns: 100, rows: 20, steps: Scene.steps)
        driven.live(until: 250)
        try expectCommitted(driven.text + "\n", "scene.txt")
    }
}
