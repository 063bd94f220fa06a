// The way through a recording: by the clock, and as the user steps to and fro.
import PeerList
import PeerRecording

/// Plays a recording for the screen.
actor ReplaySession {
    /// How many lines are taken in before the user is listened to again.
    private static let batch = 2000
    /// So many differences that are due together are shown one by one; of more, what came of them.
    private static let singles = 50
    /// How long the time shown stands still at most while nothing happens, in microseconds.
    private static let tick = 500_000.0

    private let playback: Playback
    private let name: String
    private let news: AsyncStream<ScreenNews>.Continuation
    private nonisolated let entry: AsyncStream<ReplayMessage>.Continuation

    private var speed: Double
    private var isPlaying: Bool
    /// A moment of the recording, and when it was reached: the recording's clock goes on from there.
    private var anchor: (recorded: Timestamp, reached: ContinuousClock.Instant)?
    /// Where the recording's clock stands still, if that is not at the time of the last line.
    private var rest: Timestamp?
    /// The time to begin at, until the recording was read so far.
    private var start: RecordingTime?

    /// The list that the screen has, and after how many changes it was so.
    private var shown = (list: RecordedList(), changes: 0, isLost: false)
    private var timer: Task<Void, Never>?

    /// A replay from the beginning, or at rest at a moment.
    ///
    /// - Parameters:
    ///   - playback: The recording, of which nothing is read yet.
    ///   - options: What the user asks for.
    ///   - news: What is to be shown.
    ///   - entry: Where its own timer calls.
    init(
        _ playback: sending Playback, _ options: ReplayOptions,
        news: AsyncStream<ScreenNews>.Continuation,
        entry: AsyncStream<ReplayMessage>.Continuation
    ) {
        self.playback = playback
        let file = options.path.split(separator: "/").last.map(String.init)
        name = options.path == "-" ? "standard input" : file ?? options.path
        speed = options.speed ?? (options.follows ? 0 : 1)
        start = options.time
        isPlaying = options.time == nil
        self.news = news
        self.entry = entry
    }

    /// Plays until the user, a signal or trouble ends it.
    func run(_ messages: AsyncStream<ReplayMessage>) async -> SessionEnd {
        show(isJump: false)
        defer { timer?.cancel() }
        for await message in messages {
            do throws(RecordingError) {
                switch message {
                case .ended(let end): return end
                case .command(let command): try take(command)
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
    /// Takes in how far the recording was read.
    func take(_ index: RecordingIndex) {
        playback.index = index
        let begin = index.activity.span?.lowerBound
        if let moment = begin.flatMap({ start?.moment(inRecordingFrom: $0) }),
            index.hasReached(moment)
        {
            start = nil
            do throws(RecordingError) {
                try playback.seek(to: moment)
            } catch {
                entry.yield(.ended(.failed(error.description)))
            }
            show(isJump: true)
        }
        entry.yield(.due)
    }

    private func take(_ command: ReplayCommand) throws(RecordingError) {
        // Who goes elsewhere does not wait for the moment to begin at.
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
            if try playback.stepBack() { news.yield(.turnedBack) }
        case .leap(let count):
            let time = time(leaping: count)
            try playback.seek(to: time)
            rest = time
            show(isJump: true)
        case .start, .end:
            rest = nil
            if command == .end { try playback.seekToEnd() } else { try playback.seekToStart() }
            show(isJump: true)
        }
    }

    private func time(leaping count: Int) -> Timestamp {
        guard let span = playback.index.activity.span else { return Timestamp(microseconds: 0) }
        let length = span.upperBound.microseconds - span.lowerBound.microseconds
        let goal = (here ?? span.lowerBound).microseconds + length / 20 * Int64(count)
        return min(max(Timestamp(microseconds: goal), span.lowerBound), span.upperBound)
    }

    /// The time in the recording where we are, if there was any line.
    private var here: Timestamp? { (speed == 0 ? nil : now) ?? rest ?? playback.list.time }

    /// The time in the recording while its clock goes.
    private var now: Timestamp? {
        guard let anchor else { return nil }
        let passed = (ContinuousClock.now - anchor.reached) * speed
        let (seconds, attoseconds) = passed.components
        return Timestamp(
            microseconds: anchor.recorded.microseconds + seconds * 1_000_000
                + attoseconds / 1_000_000_000_000)
    }

    /// Takes in what is due, and sees to it that the rest will be.
    private func play() throws(RecordingError) {
        timer?.cancel()
        defer { show(isJump: false) }
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
        // A clock that was set back waits for nothing.
        if next < playback.list.time ?? next { anchor = (next, .now) }
        let wait = speed == 0 ? 0 : Double(next.microseconds - now.microseconds) / speed
        // The longest of times divided by the least of speeds is more than a duration holds.
        wake(after: .microseconds(max(0, min(wait, Self.tick))))
    }

    /// Takes in the first of what is due, each as a difference of its own.
    private func playSingly() throws(RecordingError) {
        guard speed != 0, let now else { return }
        for _ in 0..<Self.singles {
            guard let next = try playback.nextTime(), next <= now else { return }
            try playback.play(upTo: now, atMost: 1)
            showList(isJump: false)
        }
    }

    private func wake(after wait: Duration) {
        timer = Task { [entry] in
            guard (try? await Task.sleep(for: wait)) != nil else { return }
            entry.yield(.due)
        }
    }

    private func show(isJump: Bool) {
        showList(isJump: isJump)
        for notice in playback.removeNotices() { news.yield(.noticed(notice)) }
        news.yield(.replaying(status))
    }

    private func showList(isJump: Bool) {
        let list = playback.list
        if let header = list.header, header != shown.list.header { news.yield(.began(header)) }
        let count = playback.changeCount
        guard count != shown.changes || playback.isLost != shown.isLost || isJump else {
            // The rows are the same; who is asked may be another.
            return shown.list = list
        }
        let isNext = count == shown.changes + 1
        let update = PeerListUpdate(
            from: shown.list, to: list, reasons: isNext ? playback.departureReasons : [:])
        if isJump { news.yield(.turnedBack) }
        news.yield(isJump ? .replaced(update) : isNext ? .updated(update) : .passed(update))
        shown = (list, count, playback.isLost)
    }

    private var status: ReplayStatus {
        let reach = playback.index
        let isAtEnd = playback.changeCount == reach.changeCount
        let motion: ReplayStatus.Motion =
            switch (isAtEnd && anchor == nil, reach.isComplete, isPlaying) {
            case (true, true, _): .atEnd
            case (_, _, false): .paused
            case (true, false, _): .waiting
            case (false, _, _): .playing
            }
        return ReplayStatus(
            name: name, motion: motion, speed: speed, time: here,
            changes: (playback.changeCount, reach.changeCount), activity: reach.activity,
            isComplete: reach.isComplete, isLost: playback.isLost, damage: reach.damage)
    }
}
