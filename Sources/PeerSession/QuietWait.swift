// Waits until the list of a one-shot session can be reported.
import FoundationEssentials
import PeerModel

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
    private var check: Instant
    /// The time of the latest event that shows that more may be found.
    var lastNews: Timestamp
    /// The latest pause, whether the list was quiet before it, and the time at which it ends; `nil` until one begins.
    private var pause: (kind: Pause, isQuiet: Bool, end: Instant)?

    init(_ oneShot: OneShot, from start: Moment) {
        (self.oneShot, self.start, lastNews) = (oneShot, start.instant, start.time)
        check = start.instant + max(oneShot.quiet, Self.interval)
    }

    var due: Instant { pause?.end ?? min(check, start + oneShot.timeout) }

    /// Begins a pause, unless there was one of this kind or of a later kind; returns whether it begins.
    private mutating func pause(for kind: Pause, isQuiet: Bool, at now: Instant) -> Bool {
        if let pause, pause.kind.rawValue >= kind.rawValue { return false }
        pause = (kind, isQuiet, now + kind.limit)
        return true
    }

    /// Ends the pause soon.
    mutating func endPause(at now: Instant) {
        if let pause { self.pause?.end = min(pause.end, now + Self.eventTime) }
    }

    /// Returns the next step with the list of a source, which has handled all events up to a time; `nil` before one is due.
    mutating func advance(
        to now: Instant, handledUpTo time: Timestamp, _ source: some ListSource
    ) -> Step? {
        guard let isQuiet = isQuiet(at: now, handledUpTo: time, source) else { return nil }
        if isQuiet, oneShot.verifies {
            let cached = source.cachedDevices
            if !cached.isEmpty, pause(for: .verification, isQuiet: true, at: now) {
                return .verify(cached)
            }
        }
        if let devices = oneShot.asks?(source.devices.sections), !devices.isEmpty,
            pause(for: .addresses, isQuiet: isQuiet, at: now)
        {
            return .ask(devices)
        }
        let names = source.unansweredNames
        let isComplete = isQuiet && names.isEmpty
        let text = isComplete ? nil : OneShot.text(isLate: !isQuiet, waitingFor: names)
        return .end(isQuiet: isQuiet, message: text)
    }

    /// Returns whether the list is quiet or, at the timeout, not; `nil` if the wait goes on.
    private mutating func isQuiet(
        at now: Instant, handledUpTo time: Timestamp, _ source: some ListSource
    ) -> Bool? {
        if let pause { return pause.end <= now ? pause.isQuiet : nil }
        if check <= now {
            // The clock may have been set back.
            lastNews = min(lastNews, time)
            let silence = Duration.microseconds(time.microseconds - lastNews.microseconds)
            if source.isQuiet(oneShot, silence: silence, age: now - start) { return true }
            check = now + max(oneShot.quiet - silence, Self.interval)
        }
        return start + oneShot.timeout <= now ? false : nil
    }
}
