// A screen without a terminal: news and keys in, text out.
import FoundationEssentials
import Glibc
import PeerList
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerListCommand

/// Has the times on the screens told in UTC, whatever the machine's zone is.
private let zone: Void = {
    unsafe setenv("TZ", "UTC0", 1)
    tzset()
}()

/// The live list as its user drives it, in a window that there is not.
@MainActor final class DrivenScreen {
    let screen: PeerScreen
    /// What it has asked of others.
    private(set) var requests: [ScreenRequest] = []
    var size: FrameSize
    private let steps: (Grouping) -> [House.Step]
    /// The time by which changes are marked.
    private(set) var now = ContinuousClock.now

    /// A list in which a part of what happens in the house has happened.
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
        screen.ask = { [weak self] in self?.requests.append($0) }
        screen.content.clock = House.time(0)
        screen.take(.began(House.header(grouping)))
    }

    /// Lets the house happen, from the beginning until so many seconds have passed; with a frame
    /// after each difference.
    func live(until seconds: Double, _ grouping: Grouping = .device) {
        let since = screen.content.clock ?? House.time(0)
        for step in steps(grouping) {
            switch step {
            case .update(let update, _):
                guard update.time > since, update.time <= House.time(seconds) else { break }
                pass(to: update.time)
                screen.take(.updated(update))
            case .notice(let notice):
                guard notice.time > since, notice.time <= House.time(seconds) else { break }
                screen.take(.noticed(notice))
            }
            _ = frame
        }
        pass(to: House.time(seconds))
    }

    /// Lets the time go on to a moment in the house.
    private func pass(to time: Timestamp) {
        let before = screen.content.clock ?? time
        now += .microseconds(time.microseconds - before.microseconds)
        screen.content.clock = time
    }

    /// Presses keys, with a frame after each.
    func press(_ keys: Key...) {
        for key in keys {
            _ = frame
            _ = screen.handle(key)
        }
    }

    /// Types a text.
    func type(_ text: String) { for character in text { press(.character(character)) } }

    /// Lets time pass in which nothing happens.
    func wait(_ time: Duration) { now += time }

    /// The window now.
    var frame: Frame { screen.frame(size: size, now: now) }

    /// The window as text.
    var text: String { frame.text }

    /// The identifier of a device, by its name.
    func id(of name: String) throws -> UUID {
        let device = screen.content.seen.devices.first { $0.value.peer.name == name }
        return try #require(device?.key)
    }

    /// The line of the window that holds a text.
    func line(with text: String) throws -> String {
        let line = self.text.split(separator: "\n").first { $0.contains(text) }
        return String(try #require(line, "“\(text)” is not on the screen:\n\(self.text)"))
    }
}
