// A message in the last line, for a few seconds or until the next key.

/// A message in the last line; its time begins with the next frame.
struct ShownMessage {
    let text: String
    let style: Style
    let duration: Duration
    private var since: ContinuousClock.Instant?

    init(_ text: String, style: Style, duration: Duration) {
        self.text = text
        self.style = style
        self.duration = duration
    }

    /// Starts the time if it has not begun; tells when it ends.
    mutating func settle(at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let begin = since ?? now
        since = begin
        return begin + duration
    }
}

extension TerminalListView {
    /// Says something in the last line, until the next key or for a few seconds.
    ///
    /// A prompt keeps the line to itself. What was said before gives way.
    ///
    /// - Parameters:
    ///   - message: One line; what does not fit is cut.
    ///   - tone: Whether it is good or bad news.
    ///   - duration: For how long from the next frame.
    public func show(
        message: String, tone: Style.Tone = .plain, for duration: Duration = .seconds(4)
    ) {
        self.message = ShownMessage(message, style: Style(.bold, tone: tone), duration: duration)
        setNeedsDisplay()
    }

    /// Lets the message go whose time is over, and plans its end.
    func settleMessage(at now: ContinuousClock.Instant) {
        guard let end = message?.settle(at: now) else { return }
        if now >= end { message = nil } else { nextDeadline = min(nextDeadline ?? end, end) }
    }
}
