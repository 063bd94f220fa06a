// A screen without a terminal, driven by events and keys.
import FoundationEssentials
import Glibc
import PeerList
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerListCommand

/// Sets the time zone to UTC for the times on screens.
private let zone: Void = {
    unsafe setenv("TZ", "UTC0", 1)
    tzset()
}()

/// The live list in an imaginary window.
@MainActor final class DrivenScreen {
    let screen: PeerScreen
    /// The requests of the screen.
    private(set) var requests: [ScreenRequest] = []
    var size: FrameSize
    private let steps: (Grouping) -> [House.Step]
    /// The time of the next frame.
    private(set) var now = ContinuousClock.now

    /// Creates an empty list.
    init(
        columns: Int = 80, rows: Int = 24, charset: Charset = .unicode,
        grouping: Grouping = .device, keys: [KeyBinding] = [], isRecorded: Bool = false,
        steps: @escaping (Grouping) -> [House.Step] = House.steps
    ) {
        _ = zone
        self.steps = steps
        size = FrameSize(columns: columns, rows: rows)
        let settings = ScreenSettings(
            ScreenOptions(), Config(), charset: charset, environmentAllowsColor: true)
        screen = PeerScreen(settings, keys: keys) { isRecorded ? nil : $0 ?? "eth0 10.0.0.2" }
        screen.request = { [weak self] in self?.requests.append($0) }
        screen.content.clock = House.time(0)
        screen.handle(.began(House.header(grouping)))
    }

    /// Sends the events of the house up to a time in seconds, and draws a frame after each.
    func live(until seconds: Double, _ grouping: Grouping = .device) {
        let since = screen.content.clock ?? House.time(0)
        for step in steps(grouping) {
            switch step {
            case .update(let update, _):
                guard update.time > since, update.time <= House.time(seconds) else { break }
                pass(to: update.time)
                screen.handle(.updated(update))
            case .notice(let notice):
                guard notice.time > since, notice.time <= House.time(seconds) else { break }
                screen.handle(.noticed(notice))
            }
            _ = frame
        }
        pass(to: House.time(seconds))
    }

    /// Advances the time to a time in the house.
    private func pass(to time: Timestamp) {
        let before = screen.content.clock ?? time
        now += .microseconds(time.microseconds - before.microseconds)
        screen.content.clock = time
    }

    /// Presses keys, and draws a frame before each.
    func press(_ keys: Key...) {
        for key in keys {
            _ = frame
            _ = screen.handle(key)
        }
    }

    /// Types a text.
    func type(_ text: String) { for character in text { press(.character(character)) } }

    /// Advances the time.
    func wait(_ time: Duration) { now += time }

    /// The current frame.
    var frame: Frame { screen.frame(size: size, now: now) }

    /// The current frame as text.
    var text: String { frame.text }

    /// Returns the identifier of a device.
    func id(of name: String) throws -> UUID {
        let device = screen.content.seen.devices.first { $0.value.peer.name == name }
        return try #require(device?.key)
    }

    /// Returns the line that contains a text.
    func line(with text: String) throws -> String {
        let line = self.text.split(separator: "\n").first { $0.contains(text) }
        return String(try #require(line, "“\(text)” is not on the screen:\n\(self.text)"))
    }
}
