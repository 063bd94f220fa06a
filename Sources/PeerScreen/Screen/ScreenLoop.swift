// Runs the live list in a terminal: session events and input in, at most thirty frames a second out.
import FoundationEssentials
import PeerModel
package import PeerSession
import PeerText
package import TerminalList

/// The event loop of the live list.
///
/// Events may arrive faster than frames are drawn: the screen collects them.
@MainActor package final class ScreenLoop {
    /// The maximum number of frames in a time: thirty a second, but the first peers, which follow
    /// right after the empty list, are shown at once.
    private static let frameLimit = (count: 3, time: Duration.milliseconds(100))

    private let terminal: Terminal
    private let screen: PeerScreen
    /// Receives the questions about items; `nil` for a recording.
    private let session: AsyncStream<SessionMessage>.Continuation?
    private let ended: @Sendable (SessionEnd) -> Void

    private var frames: [ContinuousClock.Instant] = []
    private var nextFrame: (due: ContinuousClock.Instant, timer: Task<Void, Never>)?

    /// Creates a loop for an open terminal, which it closes.
    package init(
        _ terminal: Terminal, _ screen: PeerScreen,
        session: AsyncStream<SessionMessage>.Continuation? = nil,
        ended: @escaping @Sendable (SessionEnd) -> Void
    ) {
        self.terminal = terminal
        self.screen = screen
        self.session = session
        self.ended = ended
        screen.request = { [weak self] in self?.perform($0) }
    }

    /// Shows the screen until the task is cancelled, then closes the terminal.
    package func run(_ events: AsyncStream<ScreenEvent>) async {
        let following = Task {
            // The source bounds the events that wait, and keys are handled between any two.
            for await event in events {
                screen.handle(event)
                planFrame()
                await Task.yield()
            }
        }
        defer {
            following.cancel()
            nextFrame?.timer.cancel()
            terminal.close()
        }
        draw()
        for await wakeUp in terminal.wakeUps {
            for event in terminal.events(at: wakeUp) { handle(event) }
            planFrame()
        }
    }

    private func handle(_ event: TerminalEvent) {
        var response = KeyResponse.handled
        switch event {
        case .key(let key): response = screen.handle(key)
        case .mouse(let event): response = screen.handle(event)
        case .pasted(let text): response = screen.view.handle(pasted: text)
        case .resized, .resumed: screen.view.setNeedsDisplay()
        case .suspendRequested: terminal.suspend()
        case .terminated: ended(.interrupted)
        case .inputEnded: ended(.finished)
        }
        switch response {
        case .quit: ended(.finished)
        case .redraw:
            terminal.redraw()
            screen.view.setNeedsDisplay()
        case .handled, .unknown: break
        }
    }

    // MARK: Frames

    /// Draws now if the frame limit allows it, else plans the next frame.
    private func planFrame() {
        // While the terminal is not showing, nothing is drawn: `.resumed` requests a frame.
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
            // The frame has set the next deadline.
            return planFrame()
        }
        if let next = nextFrame, next.due <= due { return }
        nextFrame?.timer.cancel()
        let timer = Task {
            guard (try? await Task.sleep(until: due)) != nil else { return }
            nextFrame = nil
            draw()
            planFrame()
        }
        nextFrame = (due, timer)
    }

    private func draw() {
        guard terminal.isShowing else { return }
        frames = frames.suffix(Self.frameLimit.count - 1) + [.now]
        terminal.draw(screen.frame(size: terminal.size, now: .now))
    }

    // MARK: Requests

    private func perform(_ request: ScreenRequest) {
        switch request {
        case .copy(let text, let what): Task { await copy(text, what) }
        case .run(let command, let waits): Task { await run(command, waits: waits) }
        case .open(let command): Task { await open(command) }
        case .verify(let items, let name, let item): verify(items, of: item, name)
        case .verifyAll(let items): verifyAll(items)
        case .label(let id, let text): label(id, text)
        case .switchMouse: switchMouse()
        case .quit: ended(.finished)
        case .sightings(let items, let row):
            let reply = { @Sendable [weak self] (sightings: ItemSightings) in
                _ = Task { @MainActor in
                    self?.screen.details.setSightings(sightings, of: row)
                    self?.planFrame()
                }
            }
            session?.yield(.sightings(items, reply: reply))
        }
    }

    private func show(_ message: String, _ tone: Style.Tone) {
        screen.show(message, tone)
        planFrame()
    }

    private func switchMouse() {
        let was = terminal.takesMouse
        terminal.takeMouse(!was)
        show(
            terminal.takesMouse
                ? "the mouse acts on the list"
                : was
                    ? "the mouse selects text, until this key is pressed again"
                    : "this terminal reports no mouse", .plain)
    }

    private func copy(_ text: String, _ what: String) async {
        switch await terminal.copy(text) {
        case .sent: show("sent to the terminal: \(what) \(text)", .good)
        case .sentToTmux: show("sent to tmux, which may ignore it: \(what) \(text)", .caution)
        case .buffered: show("in tmux's buffer only: \(what) \(text)", .good)
        case .bufferedAndSent:
            show("in tmux's buffer, and sent to the terminal: \(what) \(text)", .good)
        case .unsupported:
            show("this terminal does not say that it can copy (OSC 52): \(text)", .caution)
        case .tooLong: show("too long to copy", .caution)
        }
    }

    private func run(_ command: [String], waits: Bool) async {
        do throws(TerminalError) {
            let status = try await terminal.run(
                command, printing: CommandWord.text(of: command),
                waiting: waits ? .always : .afterFailure)
            show("\(command[0]) ended with status \(status)", status == 0 ? .good : .caution)
        } catch {
            show("\(error)", .bad)
        }
        planFrame()
    }

    private func open(_ command: [String]) async {
        show("given to \(command[0])", .good)
        do throws(TerminalError) {
            let status = try await Terminal.runInBackground(command)
            guard status != 0 else { return }
            let reason = Self.failure(of: command[0], status: status)
            show("\(reason): \(command.last ?? "") (c copies it)", .caution)
        } catch {
            show("\(error): \(command.last ?? "") (c copies it)", .bad)
        }
    }

    /// Returns why nothing was opened, by the exit statuses of xdg-open(1).
    private static func failure(of program: String, status: Int32) -> String {
        switch status {
        case 3: "\(program) found no program"
        case 4: "the program of \(program) failed"
        default: "\(program) failed (\(status))"
        }
    }

    private func label(_ id: UUID, _ text: String) {
        guard let session else {
            return screen.show("nothing can be labelled in a recording", .caution)
        }
        let reply = { @Sendable [weak self] (failure: String?) in
            _ = Task { @MainActor in
                if let failure { self?.show("not labelled: \(failure)", .caution) }
            }
        }
        session.yield(.label(id, text, reply: reply))
    }

    private func verifyAll(_ items: [UUID]) {
        guard let session = beginVerifying(counted(items.count, "row")) else { return }
        let reply = { @Sendable [weak self] (answer: Verification) in
            _ = Task { @MainActor in
                let name = counted(items.count, "row")
                let verb = items.count == 1 ? ("answers", "does") : ("answer", "do")
                switch answer {
                case .answered(let answered, let all):
                    self?.show("\(name) \(verb.0) for \(answered.count) of \(all) services", .good)
                case .unanswered: self?.show("\(name) \(verb.1) not answer", .bad)
                case .unavailable(let reason):
                    self?.show("\(name) not verified: \(reason)", .caution)
                }
            }
        }
        session.yield(.verify(items, reply: reply))
    }

    /// Shows that a verification begins; returns `nil` for a recording.
    private func beginVerifying(_ name: String) -> AsyncStream<SessionMessage>.Continuation? {
        if session == nil {
            screen.show("nothing can be verified in a recording", .caution)
        } else {
            screen.show("verifying \(name)")
        }
        return session
    }

    /// Verifies a row, and asks its device whether it answers at its addresses; the row of a service, on its port.
    private func verify(_ items: [UUID], of item: RowItem, _ name: String) {
        guard let session = beginVerifying(name) else { return }
        let answers = PartialAnswers { [weak self] verification, addresses in
            guard let self else { return }
            let answer = DeviceAnswer(
                name, verification, voucher: screen.voucher(of: item.device),
                addresses: addresses, isUnreachable: screen.isUnreachable(item.device))
            screen.details.setAnswers(addresses, of: item.device)
            show(answer.text, answer.isThere.map { $0 ? .good : .bad } ?? .caution)
        }
        let verified = { @Sendable (answer: Verification) in
            _ = Task { @MainActor in answers.verification = answer }
        }
        let asked = { @Sendable (addresses: [AddressAnswer]) in
            _ = Task { @MainActor in answers.addresses = addresses }
        }
        session.yield(.verify(items, reply: verified))
        session.yield(.askAddresses(item.service ?? item.device, reply: asked))
    }
}

/// The answers to two questions about a device, which are shown together.
@MainActor private final class PartialAnswers {
    var verification: Verification? { didSet { report() } }
    var addresses: [AddressAnswer]? { didSet { report() } }
    private let body: (Verification, [AddressAnswer]) -> Void

    init(_ body: @escaping (Verification, [AddressAnswer]) -> Void) { self.body = body }

    private func report() {
        if let verification, let addresses { body(verification, addresses) }
    }
}
