// Plays a recording in the list, by its clock and by the user's commands.
package import FoundationEssentials
import PeerHappenings
package import PeerModel
package import PeerRecording
package import PeerSession
package import PeerText
package import TerminalList

/// A move in a recording: the list is as of another line, or time has passed.
package struct ReplayMove: SourceEvent {
    package let time: Timestamp
    /// Whether the list is of another time, so that what happened in between is not said.
    let isSeek: Bool
}

/// The list of a recording at the time that is shown.
package struct ReplaySource: ListSource {
    /// The maximum number of lines that are applied before commands are handled again.
    fileprivate static let batch = 2000
    /// The maximum number of simultaneous differences that are shown one by one.
    fileprivate static let singles = 50
    /// The time in microseconds in which what happens is one step.
    fileprivate static let moment: Int64 = 1_000_000
    /// The time in microseconds before a sought time of which the changes are read, and the number of lines after
    /// which less of it is read; and the maximum number of lines, as checkpoints are apart.
    fileprivate static let past: Int64 = 3_600_000_000
    fileprivate static let pastLines = (usual: 2_000, most: 10_000)
    /// The maximum interval between updates of the displayed time, in microseconds.
    private static let tick = 500_000.0

    fileprivate let playback: Playback
    private let name: String
    fileprivate let events: AsyncStream<ScreenEvent>.Continuation
    fileprivate let entry: AsyncStream<ReplayMessage>.Continuation

    fileprivate var speed: Double
    fileprivate var isPlaying: Bool
    /// A time in the recording, and when it was reached: the recording's clock runs from there.
    fileprivate var anchor: (recorded: Timestamp, reached: ContinuousClock.Instant)?
    /// The time at which the recording's clock is stopped, if not at the last line.
    fileprivate var rest: Timestamp?
    /// The time to start at, until the recording is indexed so far.
    fileprivate var start: RecordingTime?

    private var run: UUID?
    /// The initial fill of a list that was empty at its start.
    private var fill = RecordedFill()
    /// The displayed list, and the number of changes before it.
    private var shown = (list: RecordedList(), changes: 0, isLost: false)
    fileprivate var timer: Task<Void, Never>?

    /// A replay of a file, or of standard input as `-`, from the start, or paused at a time; `entry` receives
    /// the messages of its own timer, and `events` what the session does not know of the replay.
    package init(
        _ playback: sending Playback, path: String, speed: Double, start: RecordingTime?,
        events: AsyncStream<ScreenEvent>.Continuation,
        entry: AsyncStream<ReplayMessage>.Continuation
    ) {
        self.playback = playback
        let shown = recordingName(ofPath: path)
        name = shown.split(separator: "/").last.map(String.init) ?? shown
        (self.speed, self.start) = (speed, start)
        isPlaying = start == nil
        (self.events, self.entry) = (events, entry)
    }

    // MARK: The list

    package var devices: RecordedList { playback.list }
    package var services: RecordedList? { nil }

    /// Whether the list differs from the displayed one.
    fileprivate var isMoved: Bool {
        playback.changeCount != shown.changes || playback.isLost != shown.isLost
    }

    /// Whether the list is of an earlier line than the displayed one.
    fileprivate var isBack: Bool { playback.changeCount < shown.changes }

    package mutating func apply(_ move: ReplayMove) -> SourceEffects {
        let list = playback.list
        var effects = SourceEffects.none
        if let header = list.header, header != shown.list.header {
            effects.header = header
            if header.run != run {
                run = header.run
                effects.fill = fill.begin(list, at: move.time)
            }
        }
        effects.notices = playback.removeNotices()
        effects.happenings = playback.removeHappenings().compactMap { fill.handle($0) }
        guard isMoved || move.isSeek else {
            // The rows are the same, but the backend may differ.
            shown.list = list
            return effects
        }
        let isNext = playback.changeCount == shown.changes + 1
        let items = ItemChanges(
            from: shown.list, to: list, reasons: isNext ? playback.departureReasons : [:])
        let step: UpdateStep = move.isSeek ? .seek : isBack ? .undone : isNext ? .line : .lines
        effects.items = (items, step)
        if !step.isHappening {
            if fill.end() { effects.fill = .over(move.time) }
        } else if !items.arrivals.isEmpty {
            fill.find(at: move.time)
        }
        shown = (list, playback.changeCount, playback.isLost)
        return effects
    }

    package mutating func fillEnd(before move: ReplayMove) -> Timestamp? { fillEnd(at: move.time) }
    package mutating func fillEnd(at time: Timestamp) -> Timestamp? { fill.end(at: time) }
    package var fillDue: Timestamp? { fill.due }

    package func verify(_ ids: [UUID], _ reply: @escaping @Sendable (Verification) -> Void) {
        reply(.unavailable("it is a recording"))
    }

    // MARK: The clock

    /// The current time in the recording, if there was any line.
    fileprivate var here: Timestamp? { (speed == 0 ? nil : now) ?? rest ?? playback.list.time }

    /// The time in the recording while its clock runs.
    fileprivate var now: Timestamp? {
        guard let anchor else { return nil }
        let passed = (ContinuousClock.now - anchor.reached) * speed
        let (seconds, attoseconds) = passed.components
        return anchor.recorded.advanced(
            by: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    fileprivate func time(leaping count: Int) -> Timestamp {
        guard let span = playback.index.activity.span else { return Timestamp(microseconds: 0) }
        let length = span.upperBound.microseconds - span.lowerBound.microseconds
        let goal = (here ?? span.lowerBound).microseconds + length / 20 * Int64(count)
        return min(max(Timestamp(microseconds: goal), span.lowerBound), span.upperBound)
    }

    /// Sets the timer for the next line, or stops the clock.
    fileprivate mutating func setTimer() throws(RecordingError) {
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

    fileprivate var status: ReplayStatus {
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

extension Session where Source == ReplaySource {
    package func replay(_ messages: AsyncStream<ReplayMessage>) async -> SessionEnd {
        show()
        defer { source.timer?.cancel() }
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

    package func setIndex(_ index: RecordingIndex) {
        source.playback.index = index
        let begin = index.activity.span?.lowerBound
        if let time = begin.flatMap({ source.start?.timestamp(inRecordingFrom: $0) }),
            index.hasReached(time)
        {
            source.start = nil
            do throws(RecordingError) {
                try seek(to: time)
            } catch {
                source.entry.yield(.ended(.failed(error.description)))
            }
            show()
        }
        source.entry.yield(.due)
    }

    private func perform(_ command: ReplayCommand) throws(RecordingError) {
        let playback = source.playback
        // A command ends the wait for the time to start at.
        source.start = nil
        source.rest = source.here
        source.anchor = nil
        switch command {
        case .pause:
            if source.status.motion == .atEnd {
                source.isPlaying = true
                try rewindToStart()
            } else {
                source.isPlaying.toggle()
                if !source.isPlaying { settle() }
            }
        case .faster: source.speed = max(source.speed, min(source.speed * 2, 65_536))
        case .slower:
            source.speed =
                source.speed == 0 ? 65_536 : min(source.speed, max(source.speed / 2, 1 / 16))
        case .forward:
            (source.isPlaying, source.rest) = (false, nil)
            try stepForward()
        case .back:
            (source.isPlaying, source.rest) = (false, nil)
            if try stepBack() { source.events.yield(.rewound) }
        case .leap(let count):
            let time = source.time(leaping: count)
            try seek(to: time)
            source.rest = time
        case .start: try rewindToStart()
        case .end:
            source.rest = nil
            if let span = playback.index.activity.span { try seek(to: span.upperBound) }
            try playback.seekToEnd()
            if source.isMoved { show(isSeek: true) }
        }
    }

    private func rewindToStart() throws(RecordingError) {
        source.rest = nil
        try source.playback.seekToStart()
        show(isSeek: true)
    }

    /// Applies all that happened in the moment of the next difference, and says it.
    private func stepForward() throws(RecordingError) {
        let playback = source.playback
        guard try playback.stepForward() else { return }
        move()
        guard let time = playback.list.time else { return }
        let end = time.advanced(by: ReplaySource.moment - 1)
        for _ in 0..<ReplaySource.singles {
            guard let next = try playback.nextTime(), next <= end else { return settle() }
            try playback.play(upTo: end, atMost: 1)
            move()
        }
        try playback.play(upTo: end, atMost: ReplaySource.batch)
        move()
        settle()
    }

    /// Goes back to before the moment of the last difference; returns whether there was one.
    private func stepBack() throws(RecordingError) -> Bool {
        let playback = source.playback
        let last = playback.list.time
        guard try playback.stepBack() else { return false }
        guard let start = last?.advanced(by: -ReplaySource.moment) else { return true }
        for _ in 0..<ReplaySource.singles {
            guard let time = playback.list.time, time > start, try playback.stepBack() else {
                return true
            }
        }
        try playback.seek(to: start)
        return true
    }

    /// Seeks to a time by way of the hour before it, so that the list shows what happened then and what has left.
    private func seek(to time: Timestamp) throws(RecordingError) {
        let playback = source.playback
        let hour = time.advanced(by: -ReplaySource.past)
        let lines = ReplaySource.pastLines
        let start = max(hour, playback.time(lines.usual, linesBefore: time) ?? hour)
        settle()
        if playback.list.time.map({ $0 < start || $0 > time }) ?? true {
            try playback.seek(to: start)
            show(isSeek: true)
        }
        for _ in 0..<lines.most {
            guard let next = try playback.nextTime(), next <= time else { break }
            try playback.play(upTo: time, atMost: 1)
            move()
        }
        settle()
        if let next = try playback.nextTime(), next <= time {
            try playback.seek(to: time)
            show(isSeek: true)
        } else {
            // The rows have no marks of changes that are not of this time.
            source.events.yield(.rewound)
            let here = source.devices.time ?? Timestamp(microseconds: 0)
            apply(ReplayMove(time: here, isSeek: true), at: .now)
        }
    }

    /// Says what has happened up to the displayed line.
    private func settle() {
        if let time = source.devices.time { settle(at: time) }
    }

    /// Applies the lines that are due, and sets the timer for the next one.
    private func play() throws(RecordingError) {
        source.timer?.cancel()
        defer { show() }
        guard source.isPlaying, source.start == nil else { return }
        if let next = try source.playback.nextTime() {
            if source.anchor == nil {
                source.anchor = (source.rest ?? source.playback.list.time ?? next, .now)
            }
            source.rest = nil
            try playSingly()
            try source.playback.play(
                upTo: source.speed == 0 ? nil : source.now, atMost: ReplaySource.batch)
        }
        try source.setTimer()
    }

    /// Applies the first lines that are due, each as a difference of its own.
    private func playSingly() throws(RecordingError) {
        guard source.speed != 0, let now = source.now else { return }
        for _ in 0..<ReplaySource.singles {
            guard let next = try source.playback.nextTime(), next <= now else { return }
            try source.playback.play(upTo: now, atMost: 1)
            move()
        }
    }

    private func show(isSeek: Bool = false) {
        move(isSeek: isSeek)
        if let here = source.here { pass(to: here) }
        source.events.yield(.replaying(source.status))
    }

    private func move(isSeek: Bool = false) {
        let isMoved = isSeek || source.isMoved
        guard let time = isMoved ? source.devices.time : source.here ?? source.devices.time else {
            return isMoved ? rewind(to: Timestamp(microseconds: 0), isSeek) : ()
        }
        if isSeek || source.isBack { return rewind(to: time, isSeek) }
        apply(ReplayMove(time: time, isSeek: false), at: .now)
    }

    /// Shows the list of a time without what happened before.
    private func rewind(to time: Timestamp, _ isSeek: Bool) {
        forget()
        if isSeek { source.events.yield(.rewound) }
        apply(ReplayMove(time: time, isSeek: isSeek), at: .now)
    }
}

package enum ReplayCommand: Sendable, Equatable {
    case pause
    /// Step back or forward by all that happened in one moment.
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
            ([.character("+")], "twice as fast", .faster, "faster", 70),
            ([.character("-")], "half as fast", .slower, "slower", 70),
        ]
        return rows.map { keys, help, command, hint, rank in
            KeyBinding(keys, help, hint: hint, hintRank: rank, section: ReplayStatus.keySection) {
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
