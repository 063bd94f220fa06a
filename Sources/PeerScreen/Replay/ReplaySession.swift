// Plays a recording in the list, by its clock and by the user's commands.
import PeerHappenings
import PeerModel
package import PeerRecording
package import PeerSession
package import PeerText
package import TerminalList

package actor ReplaySession {
    /// The maximum number of lines that are applied before commands are handled again.
    private static let batch = 2000
    /// The maximum number of simultaneous differences that are shown one by one.
    private static let singles = 50
    /// The maximum interval between updates of the displayed time, in microseconds.
    private static let tick = 500_000.0

    private let playback: Playback
    private let name: String
    private let events: AsyncStream<ScreenEvent>.Continuation
    private nonisolated let entry: AsyncStream<ReplayMessage>.Continuation

    private var speed: Double
    private var isPlaying: Bool
    /// A time in the recording, and when it was reached: the recording's clock runs from there.
    private var anchor: (recorded: Timestamp, reached: ContinuousClock.Instant)?
    /// The time at which the recording's clock is stopped, if not at the last line.
    private var rest: Timestamp?
    /// The time to start at, until the recording is indexed so far.
    private var start: RecordingTime?

    private var account = Happenings()
    private var fill = RecordedFill()
    /// The displayed list, and the number of changes before it.
    private var shown = (list: RecordedList(), changes: 0, isLost: false)
    private var timer: Task<Void, Never>?

    /// A replay of a file, or of standard input as `-`, from the start, or paused at a time; `entry` receives
    /// the messages of its own timer.
    package init(
        _ playback: sending Playback, path: String, speed: Double, start: RecordingTime?,
        events: AsyncStream<ScreenEvent>.Continuation,
        entry: AsyncStream<ReplayMessage>.Continuation
    ) {
        self.playback = playback
        let file = path.split(separator: "/").last.map(String.init)
        name = path == "-" ? "standard input" : file ?? path
        (self.speed, self.start) = (speed, start)
        isPlaying = start == nil
        self.events = events
        self.entry = entry
    }

    package func run(_ messages: AsyncStream<ReplayMessage>) async -> SessionEnd {
        show(isSeek: false)
        defer { timer?.cancel() }
        for await message in messages {
            do throws(RecordingError) {
                switch message {
                case .ended(let end): return end
                case .command(let command): try perform(command)
                case .due: break
                }
                try play()
            } catch {
                return .failed(error.description)
            }
        }
        return .finished
    }
}

extension ReplaySession {
    package func setIndex(_ index: RecordingIndex) {
        playback.index = index
        let begin = index.activity.span?.lowerBound
        if let time = begin.flatMap({ start?.timestamp(inRecordingFrom: $0) }),
            index.hasReached(time)
        {
            start = nil
            do throws(RecordingError) {
                try playback.seek(to: time)
            } catch {
                entry.yield(.ended(.failed(error.description)))
            }
            show(isSeek: true)
        }
        entry.yield(.due)
    }

    private func perform(_ command: ReplayCommand) throws(RecordingError) {
        // A command ends the wait for the time to start at.
        start = nil
        rest = here
        anchor = nil
        switch command {
        case .pause: isPlaying.toggle()
        case .faster: speed = max(speed, min(speed * 2, 65_536))
        case .slower: speed = speed == 0 ? 65_536 : min(speed, max(speed / 2, 1 / 16))
        case .forward:
            isPlaying = false
            rest = nil
            _ = try playback.stepForward()
        case .back:
            isPlaying = false
            rest = nil
            if try playback.stepBack() { events.yield(.rewound) }
        case .leap(let count):
            let time = time(leaping: count)
            try playback.seek(to: time)
            rest = time
            show(isSeek: true)
        case .start, .end:
            rest = nil
            if command == .end { try playback.seekToEnd() } else { try playback.seekToStart() }
            show(isSeek: true)
        }
    }

    private func time(leaping count: Int) -> Timestamp {
        guard let span = playback.index.activity.span else { return Timestamp(microseconds: 0) }
        let length = span.upperBound.microseconds - span.lowerBound.microseconds
        let goal = (here ?? span.lowerBound).microseconds + length / 20 * Int64(count)
        return min(max(Timestamp(microseconds: goal), span.lowerBound), span.upperBound)
    }

    /// The current time in the recording, if there was any line.
    private var here: Timestamp? { (speed == 0 ? nil : now) ?? rest ?? playback.list.time }

    /// The time in the recording while its clock runs.
    private var now: Timestamp? {
        guard let anchor else { return nil }
        let passed = (ContinuousClock.now - anchor.reached) * speed
        let (seconds, attoseconds) = passed.components
        return anchor.recorded.advanced(
            by: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    /// Applies the lines that are due, and sets the timer for the next one.
    private func play() throws(RecordingError) {
        timer?.cancel()
        defer { show(isSeek: false) }
        guard isPlaying, start == nil else { return }
        if let next = try playback.nextTime() {
            if anchor == nil { anchor = (rest ?? playback.list.time ?? next, .now) }
            rest = nil
            try playSingly()
            try playback.play(upTo: speed == 0 ? nil : now, atMost: Self.batch)
        }
        guard let next = try playback.nextTime(), let now else {
            anchor = nil
            return
        }
        // After the clock was set back, the next line is due at once.
        if next < playback.list.time ?? next { anchor = (next, .now) }
        let wait = speed == 0 ? 0 : Double(next.microseconds - now.microseconds) / speed
        // Bounded, because the longest time at the lowest speed would overflow a duration.
        let bounded = Duration.microseconds(max(0, min(wait, Self.tick)))
        timer = Task { [entry] in
            guard (try? await Task.sleep(for: bounded)) != nil else { return }
            entry.yield(.due)
        }
    }

    /// Applies the first lines that are due, each as a difference of its own.
    private func playSingly() throws(RecordingError) {
        guard speed != 0, let now else { return }
        for _ in 0..<Self.singles {
            guard let next = try playback.nextTime(), next <= now else { return }
            try playback.play(upTo: now, atMost: 1)
            showList(isSeek: false)
        }
    }

    private func show(isSeek: Bool) {
        showList(isSeek: isSeek)
        if let here {
            fill.advance(to: here)
            setFill()
            say(until: here)
        }
        for notice in playback.removeNotices() { events.yield(.noticed(notice)) }
        events.yield(.replaying(status))
    }

    private func showList(isSeek: Bool) {
        let list = playback.list
        if let header = list.header, header != shown.list.header {
            events.yield(.began(header))
            if let time = list.time, fill.begin(header.run, isEmpty: list.count == 0, at: time) {
                setFill()
            }
        }
        let count = playback.changeCount
        guard count != shown.changes || playback.isLost != shown.isLost || isSeek else {
            // The rows are the same, but the backend may differ.
            return shown.list = list
        }
        let isNext = count == shown.changes + 1
        let items = ItemChanges(
            from: shown.list, to: list, reasons: isNext ? playback.departureReasons : [:])
        if isSeek { events.yield(.rewound) }
        events.yield(isSeek ? .replaced(items) : isNext ? .updated(items) : .passed(items))
        // A step back undoes what happened.
        if isSeek || count < shown.changes {
            account.reset()
            fill.end(at: list.time ?? Timestamp(microseconds: 0))
            setFill()
        } else {
            if let time = list.time {
                // What settled before this line, however fast it is played.
                fill.advance(to: time)
                setFill()
                say(until: time)
                if !items.arrivals.isEmpty { fill.find(at: time) }
            }
            account.apply(items)
        }
        shown = (list, count, playback.isLost)
    }

    private func setFill() {
        guard account.fill != fill.fill else { return }
        account.fill = fill.fill
        events.yield(.fill(fill.fill))
    }

    /// Says what has happened and settled at a time of the recording.
    private func say(until time: Timestamp) {
        let happened = account.removeDue(at: time)
        if !happened.isEmpty { events.yield(.happened(happened)) }
    }

    private var status: ReplayStatus {
        let index = playback.index
        let isAtEnd = playback.changeCount == index.changeCount
        let motion: ReplayStatus.Motion =
            switch (isAtEnd && anchor == nil, index.isComplete, isPlaying) {
            case (true, true, _): .atEnd
            case (_, _, false): .paused
            case (true, false, _): .waiting
            case (false, _, _): .playing
            }
        return ReplayStatus(
            name: name, motion: motion, speed: speed, time: here,
            changes: (playback.changeCount, index.changeCount), activity: index.activity,
            isComplete: index.isComplete, readPart: index.readPart, isLost: playback.isLost,
            damage: index.damage)
    }
}

package enum ReplayCommand: Sendable, Equatable {
    case pause
    /// Step back or forward by one difference.
    case back, forward
    /// Seek by twentieths of the recording's duration.
    case leap(Int)
    case start, end
    case faster, slower

    /// Returns the key bindings, which send commands to a session.
    package static func keys(_ session: AsyncStream<ReplayMessage>.Continuation) -> [KeyBinding] {
        let rows: [([Key], help: String, ReplayCommand, hint: String?, rank: Int)] = [
            ([.character(" ")], "pause, resume", .pause, "pause", 99),
            ([.left, .character("h")], "one step back", .back, "back", 98),
            ([.right, .character("l")], "one step forward", .forward, "forward", 98),
            ([.character("[")], "5 % back", .leap(-1), "-5 %", 80),
            ([.character("]")], "5 % forward", .leap(1), "+5 %", 80),
            ([.home], "to the start of the recording", .start, nil, 0),
            ([.end], "to the end of the recording", .end, nil, 0),
            ([.character("+"), .character("=")], "twice as fast", .faster, "faster", 70),
            ([.character("-")], "half as fast", .slower, "slower", 70),
        ]
        return rows.map { keys, help, command, hint, rank in
            KeyBinding(keys, help, hint: hint, hintRank: rank, section: "Playing") {
                session.yield(.command(command))
            }
        }
    }
}

package enum ReplayMessage: Sendable {
    case command(ReplayCommand)
    /// The next line is due, or the displayed time is.
    case due
    case ended(SessionEnd)
}
