// The loop of the live list: news and what happens at the terminal in, at most thirty frames a second out.
import TerminalList

/// Shows a screen on the terminal.
///
/// News may come faster than anybody can look. The screen gathers them, and
/// frames are skipped rather than drawn late.
@MainActor final class ScreenLoop {
    /// At most so many frames are drawn in a tenth of a second: thirty a second, and yet the first
    /// peers, which come right after the empty list, need not wait for their turn.
    private static let frameLimit = (count: 3, time: Duration.milliseconds(100))

    /// What the loop waits for.
    private enum Wake: Sendable {
        case terminal(TerminalWakeUp)
        case frame
        case answer
    }

    let terminal: Terminal
    let screen: PeerScreen
    /// Who can be asked about items of the list; `nil`: nobody.
    let session: SessionQuestions?
    private let ended: @Sendable (SessionEnd) -> Void

    /// When the last few frames were drawn, oldest first.
    private var frames: [ContinuousClock.Instant] = []
    private var nextFrame: (due: ContinuousClock.Instant, timer: Task<Void, Never>)?
    private let wakes = AsyncStream<Wake>.makeStream()

    /// A loop for a terminal that has just been taken.
    ///
    /// - Parameters:
    ///   - terminal: The terminal; the loop gives it back.
    ///   - screen: What is shown.
    ///   - session: Who can be asked about items of the list; `nil`: nobody.
    ///   - ended: Told when the user or a signal asks for the end.
    init(
        _ terminal: Terminal, _ screen: PeerScreen, session: SessionQuestions? = nil,
        ended: @escaping @Sendable (SessionEnd) -> Void
    ) {
        self.terminal = terminal
        self.screen = screen
        self.session = session
        self.ended = ended
        screen.ask = { [weak self] in self?.carryOut($0) }
    }

    /// Shows the screen until the task is cancelled, and gives the terminal back.
    ///
    /// - Parameter news: What the session tells.
    func run(_ news: AsyncStream<ScreenEvent>) async {
        let entry = wakes.continuation
        let forwarders = [
            // What waits is bounded where the news come from, and keys come between any two of them.
            Task {
                for await item in news {
                    screen.take(item)
                    planFrame()
                    await Task.yield()
                }
            },
            Task { [wakeUps = terminal.wakeUps] in
                for await wakeUp in wakeUps { entry.yield(.terminal(wakeUp)) }
            },
        ]
        defer {
            for task in forwarders { task.cancel() }
            nextFrame?.timer.cancel()
            terminal.close()
        }
        draw()
        for await wake in wakes.stream {
            take(wake)
            planFrame()
        }
    }
}

extension ScreenLoop {
    private func take(_ wake: Wake) {
        switch wake {
        case .terminal(let wakeUp):
            for event in terminal.events(at: wakeUp) { take(event) }
        case .answer: break
        case .frame:
            nextFrame = nil
            draw()
        }
    }

    private func take(_ event: TerminalEvent) {
        switch event {
        case .key(let key): take(screen.handle(key))
        case .mouse(let event): take(screen.handle(event))
        case .pasted(let text): take(screen.paste(text))
        case .resized, .resumed: screen.setNeedsFrame()
        case .suspendRequested: terminal.suspend()
        case .terminated: ended(.interrupted)
        case .inputEnded: ended(.finished)
        }
    }

    private func take(_ response: KeyResponse) {
        switch response {
        case .quit: ended(.finished)
        case .redraw:
            terminal.redraw()
            screen.setNeedsFrame()
        case .handled, .unknown: break
        }
    }

    /// Has a frame planned for what the screen was told meanwhile.
    func wake() { wakes.continuation.yield(.answer) }

    /// Draws at once what can be drawn, else when a frame's time has passed or something is due.
    private func planFrame() {
        // What happens meanwhile is marked when it is seen: `.resumed` has a frame drawn.
        guard terminal.isShowing else { return }
        let now = ContinuousClock.now
        let due: ContinuousClock.Instant
        if screen.needsFrame {
            let isFree = frames.count < Self.frameLimit.count
            due = isFree ? now : frames[0] + Self.frameLimit.time
        } else if let deadline = screen.nextDeadline {
            due = deadline
        } else {
            return
        }
        guard due > now else {
            draw()
            // What was drawn decides when the next frame is due by itself.
            return planFrame()
        }
        if let next = nextFrame, next.due <= due { return }
        nextFrame?.timer.cancel()
        let timer = Task { [entry = wakes.continuation] in
            guard (try? await Task.sleep(until: due)) != nil else { return }
            entry.yield(.frame)
        }
        nextFrame = (due, timer)
    }

    private func draw() {
        guard terminal.isShowing else { return }
        frames = frames.suffix(Self.frameLimit.count - 1) + [.now]
        terminal.draw(screen.frame(size: terminal.size, now: .now))
    }
}
