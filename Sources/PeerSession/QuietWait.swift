// Waits until the list of a one-shot session can be reported.
import FoundationEssentials
import PeerSystem

/// Waits until discovery is quiet, or for the timeout, and then for answers that the list is reported with.
struct QuietWait: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The next step of a session that ends by itself.
    enum Step {
        /// The devices that a cache may have kept are verified.
        case verify([UUID])
        /// Devices are asked whether they answer at their addresses.
        case ask(Set<UUID>)
        /// The list is reported, with a message if it may be incomplete.
        case end(isQuiet: Bool, message: String?)
    }

    /// A reason to wait, although the list could be reported.
    private enum Pause: Int {
        /// The devices are verified. A device that is gone is asked for three times within 3 s.
        case verification
        /// Devices are asked at their addresses. A probe takes at most 14 s for each 64 sockets.
        case addresses

        /// The maximum duration of the pause.
        var limit: Duration { self == .verification ? .seconds(6) : .seconds(30) }
    }

    /// The time between two checks of a list that is not quiet, at least.
    private static let interval = Duration.milliseconds(50)
    /// The time after the result in which its events arrive.
    private static let eventTime = Duration.milliseconds(100)

    private let oneShot: OneShot
    private let start: Instant
    /// The time since the start.
    private var clock = ActiveClock()
    private var check: Duration
    /// The time of the latest event that shows that more may be found.
    private var lastNews = Duration.zero
    /// The time for which the latest event had waited when it was handled; others may wait for as long.
    private var lag = Duration.zero
    /// The latest pause, whether the list was quiet before it, and the time at which it ends; `nil` until one begins.
    private var pause: (kind: Pause, isQuiet: Bool, end: Duration)?

    init(_ oneShot: OneShot, from start: Instant) {
        (self.oneShot, self.start) = (oneShot, start)
        check = max(oneShot.quiet, Self.interval)
    }

    private var limit: Duration { pause?.end ?? min(check, oneShot.timeout) }

    var due: Instant { start + clock.time(of: limit) }

    private mutating func setClock(to now: Instant) {
        clock.advance(to: now - start, limit: limit)
    }

    /// Notes an event that is handled after it has waited for a time.
    mutating func note(isNews: Bool, after wait: Duration, at now: Instant) {
        setClock(to: now)
        lag = wait
        if isNews { lastNews = clock.now - wait }
    }

    /// Begins a pause, unless there was one of this kind or of a later kind; returns whether it begins.
    private mutating func pause(for kind: Pause, isQuiet: Bool) -> Bool {
        if let pause, pause.kind.rawValue >= kind.rawValue { return false }
        pause = (kind, isQuiet, clock.now + kind.limit)
        return true
    }

    /// Ends the pause soon.
    mutating func endPause(at now: Instant) {
        setClock(to: now)
        if let pause { self.pause?.end = min(pause.end, clock.now + Self.eventTime) }
    }

    /// Returns the next step with the list of a source, if it is time for one.
    mutating func advance(to now: Instant, _ source: some ListSource) -> Step? {
        setClock(to: now)
        guard let isQuiet = isQuiet(source) else { return nil }
        if isQuiet, oneShot.verifies {
            let cached = source.cachedDevices
            if !cached.isEmpty, pause(for: .verification, isQuiet: true) { return .verify(cached) }
        }
        if let devices = oneShot.asks?(source.devices.sections), !devices.isEmpty,
            pause(for: .addresses, isQuiet: isQuiet)
        {
            return .ask(devices)
        }
        let names = source.unansweredNames
        let isComplete = isQuiet && names.isEmpty
        let text = isComplete ? nil : OneShot.text(isLate: !isQuiet, waitingFor: names)
        return .end(isQuiet: isQuiet, message: text)
    }

    /// Returns whether the list is quiet or, at the timeout, not; `nil` if the wait goes on.
    private mutating func isQuiet(_ source: some ListSource) -> Bool? {
        if let pause { return pause.end <= clock.now ? pause.isQuiet : nil }
        if check <= clock.now {
            let silence = clock.now - lag - lastNews
            if source.isQuiet(oneShot, silence: silence, age: clock.now) { return true }
            check = clock.now + max(oneShot.quiet - silence, Self.interval)
        }
        return oneShot.timeout <= clock.now ? false : nil
    }
}
