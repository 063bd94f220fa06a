// Plays a recording in the list, by its clock and by the user's commands.
package import FoundationEssentials
import PeerHappenings
package import PeerModel
package import PeerRecording
package import PeerSession
package import PeerText

/// A move in a recording: the list is as of another line, or time has passed.
package struct ReplayMove: SourceEvent {
    package let time: Timestamp
    /// Whether the list is of another time, so that what happened in between is not said.
    let isSeek: Bool
}

/// The list of a recording at the time that is shown.
package struct ReplaySource: ListSource {
    private let playback: Playback
    fileprivate let player: ReplayPlayer

    private var run: UUID?
    /// The initial fill of a list that was empty at its start.
    private var fill = RecordedFill()
    /// The displayed list, and the number of changes before it.
    private var shown = (list: RecordedList(), changes: 0, isLost: false)

    /// A replay of a file, or of standard input as `-`, from the start, or paused at a time; `entry` receives
    /// the messages of its own timer, and `events` what the session does not know of the replay.
    package init(
        _ playback: sending Playback, path: String, speed: Double, start: RecordingTime?,
        events: AsyncStream<ScreenEvent>.Continuation,
        entry: AsyncStream<ReplayMessage>.Continuation
    ) {
        self.playback = playback
        player = ReplayPlayer(
            playback, path: path, speed: speed, start: start, events: events, entry: entry)
    }

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
}

extension Session where Source == ReplaySource {
    package func replay(_ messages: AsyncStream<ReplayMessage>) async -> SessionEnd {
        let player = source.player
        player.show(in: self)
        defer { player.stop() }
        for await message in messages {
            do throws(RecordingError) {
                switch message {
                case .ended(let end): return end
                case .command(let command): try player.perform(command, in: self)
                case .due: break
                }
                try player.play(in: self)
            } catch {
                return .failed(error.description)
            }
        }
        return .finished
    }

    package func setIndex(_ index: RecordingIndex) { source.player.setIndex(index, in: self) }
}

private typealias ReplaySession = Session<ReplaySource>

/// Moves the list of a session to other times of a recording, by its clock and by the user's commands.
private final class ReplayPlayer {
    /// The maximum number of lines that are applied before commands are handled again.
    private static let batch = 2000
    /// The maximum number of simultaneous differences that are shown one by one.
    private static let singles = 50
    /// The time in microseconds in which what happens is one step.
    private static let moment: Int64 = 1_000_000
    /// The time in microseconds before a sought time of which the changes are read, and the number of lines after
    /// which less of it is read; and the maximum number of lines, as checkpoints are apart.
    private static let past: Int64 = 3_600_000_000
    private static let pastLines = (usual: 2_000, most: 10_000)
    /// The maximum interval between updates of the displayed time, in microseconds.
    private static let tick = 500_000.0

    private let playback: Playback
    private let name: String
    private let events: AsyncStream<ScreenEvent>.Continuation
    private let entry: AsyncStream<ReplayMessage>.Continuation

    private var speed: Double
    private var isPlaying: Bool
    /// A time in the recording, and when it was reached: the recording's clock runs from there.
    private var anchor: (recorded: Timestamp, reached: ContinuousClock.Instant)?
    /// The time at which the recording's clock is stopped, if not at the last line.
    private var rest: Timestamp?
    /// The time to start at, until the recording is indexed so far.
    private var start: RecordingTime?
    private var timer: Task<Void, Never>?

    init(
        _ playback: Playback, path: String, speed: Double, start: RecordingTime?,
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

    // MARK: The clock

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

    private func time(leaping count: Int) -> Timestamp {
        guard let span = playback.index.activity.span else { return Timestamp(microseconds: 0) }
        let length = span.upperBound.microseconds - span.lowerBound.microseconds
        let goal = (here ?? span.lowerBound).microseconds + length / 20 * Int64(count)
        return min(max(Timestamp(microseconds: goal), span.lowerBound), span.upperBound)
    }

    /// Sets the timer for the next line, or stops the clock.
    private func setTimer() throws(RecordingError) {
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

    // MARK: Moves

    func perform(
        _ command: ReplayCommand, in session: isolated ReplaySession
    ) throws(RecordingError) {
        // A command ends the wait for the time to start at.
        start = nil
        rest = here
        anchor = nil
        switch command {
        case .pause:
            if status.motion == .atEnd {
                isPlaying = true
                try rewindToStart(in: session)
            } else {
                isPlaying.toggle()
                if !isPlaying { settle(in: session) }
            }
        case .faster: speed = max(speed, min(speed * 2, 65_536))
        case .slower: speed = speed == 0 ? 65_536 : min(speed, max(speed / 2, 1 / 16))
        case .forward:
            (isPlaying, rest) = (false, nil)
            try stepForward(in: session)
        case .back:
            (isPlaying, rest) = (false, nil)
            if try stepBack() { events.yield(.rewound) }
        case .leap(let count):
            let time = time(leaping: count)
            try seek(to: time, in: session)
            rest = time
        case .start: try rewindToStart(in: session)
        case .end:
            rest = nil
            if let span = playback.index.activity.span {
                try seek(to: span.upperBound, in: session)
            }
            try playback.seekToEnd()
            if session.source.isMoved { show(isSeek: true, in: session) }
        }
    }

    private func rewindToStart(in session: isolated ReplaySession) throws(RecordingError) {
        rest = nil
        try playback.seekToStart()
        show(isSeek: true, in: session)
    }

    /// Applies all that happened in the moment of the next difference, and says it.
    private func stepForward(in session: isolated ReplaySession) throws(RecordingError) {
        guard try playback.stepForward() else { return }
        move(in: session)
        guard let time = playback.list.time else { return }
        let end = time.advanced(by: Self.moment - 1)
        if try !playSingly(upTo: end, in: session) {
            try playback.play(upTo: end, atMost: Self.batch)
            move(in: session)
        }
        settle(in: session)
    }

    /// Goes back to before the moment of the last difference; returns whether there was one.
    private func stepBack() throws(RecordingError) -> Bool {
        let last = playback.list.time
        guard try playback.stepBack() else { return false }
        guard let start = last?.advanced(by: -Self.moment) else { return true }
        for _ in 0..<Self.singles {
            guard let time = playback.list.time, time > start, try playback.stepBack() else {
                return true
            }
        }
        try playback.seek(to: start)
        return true
    }

    /// Seeks to a time by way of the hour before it, so that the list shows what happened then and what has left.
    private func seek(
        to time: Timestamp, in session: isolated ReplaySession
    ) throws(RecordingError) {
        let hour = time.advanced(by: -Self.past)
        let lines = Self.pastLines
        let start = max(hour, playback.time(lines.usual, linesBefore: time) ?? hour)
        settle(in: session)
        if playback.list.time.map({ $0 < start || $0 > time }) ?? true {
            try playback.seek(to: start)
            show(isSeek: true, in: session)
        }
        try playSingly(upTo: time, atMost: lines.most, in: session)
        settle(in: session)
        if let next = try playback.nextTime(), next <= time {
            try playback.seek(to: time)
            show(isSeek: true, in: session)
        } else {
            // The rows have no marks of changes that are not of this time.
            events.yield(.rewound)
            let here = playback.list.time ?? Timestamp(microseconds: 0)
            session.apply(ReplayMove(time: here, isSeek: true), at: .now)
        }
    }

    /// Says what has happened up to the displayed line.
    private func settle(in session: isolated ReplaySession) {
        if let time = playback.list.time { session.settle(at: time) }
    }

    /// Applies the lines that are due, and sets the timer for the next one.
    func play(in session: isolated ReplaySession) throws(RecordingError) {
        timer?.cancel()
        defer { show(in: session) }
        guard isPlaying, start == nil else { return }
        if let next = try playback.nextTime() {
            if anchor == nil { anchor = (rest ?? playback.list.time ?? next, .now) }
            rest = nil
            if speed != 0, let now { try playSingly(upTo: now, in: session) }
            try playback.play(upTo: speed == 0 ? nil : now, atMost: Self.batch)
        }
        try setTimer()
    }

    /// Applies the lines up to a time, each as a difference of its own; returns whether there are no more than `count`.
    @discardableResult
    private func playSingly(
        upTo end: Timestamp, atMost count: Int = singles, in session: isolated ReplaySession
    ) throws(RecordingError) -> Bool {
        for _ in 0..<count {
            guard let next = try playback.nextTime(), next <= end else { return true }
            try playback.play(upTo: end, atMost: 1)
            move(in: session)
        }
        return false
    }

    /// Shows the list at the current time, as another list than before if that was sought.
    func show(isSeek: Bool = false, in session: isolated ReplaySession) {
        move(isSeek: isSeek, in: session)
        if let here { session.pass(to: here) }
        events.yield(.replaying(status))
    }

    private func move(isSeek: Bool = false, in session: isolated ReplaySession) {
        let isMoved = isSeek || session.source.isMoved
        guard let time = isMoved ? playback.list.time : here ?? playback.list.time else {
            return isMoved ? rewind(to: Timestamp(microseconds: 0), isSeek, in: session) : ()
        }
        if isSeek || session.source.isBack { return rewind(to: time, isSeek, in: session) }
        session.apply(ReplayMove(time: time, isSeek: false), at: .now)
    }

    /// Shows the list of a time without what happened before.
    private func rewind(to time: Timestamp, _ isSeek: Bool, in session: isolated ReplaySession) {
        session.forget()
        if isSeek { events.yield(.rewound) }
        session.apply(ReplayMove(time: time, isSeek: isSeek), at: .now)
    }

    /// Extends the recording to more lines, and starts at the time to start at as soon as it has that.
    func setIndex(_ index: RecordingIndex, in session: isolated ReplaySession) {
        playback.index = index
        let begin = index.activity.span?.lowerBound
        if let time = begin.flatMap({ start?.timestamp(inRecordingFrom: $0) }),
            index.hasReached(time)
        {
            start = nil
            do throws(RecordingError) {
                try seek(to: time, in: session)
            } catch {
                entry.yield(.ended(.failed(error.description)))
            }
            show(in: session)
        }
        entry.yield(.due)
    }

    func stop() { timer?.cancel() }
}
