// The event loop of a program that shows a list and handles no other events.
import Glibc

extension TerminalListView {
    /// Shows the list in the program's terminal until the user quits.
    ///
    /// - Parameter mouse: Whether to receive mouse events. Selecting text then needs Shift.
    /// - Returns: The exit status as of ``run(in:)``, or 1 if the terminal cannot be opened, with a
    ///   message on standard error.
    public func run(mouse: Bool = true) async -> Int32 {
        do throws(TerminalError) {
            return await run(in: try Terminal(mouse: mouse))
        } catch {
            let message = Array("\(error)\n".utf8)
            unsafe write(STDERR_FILENO, message, message.count)
            return 1
        }
    }

    /// Shows the list in a terminal until the user quits, then closes the terminal.
    ///
    /// The list is drawn when it changes and at ``nextDeadline``. A program that waits for other
    /// events needs a loop of its own: see ``Terminal``.
    ///
    /// - Parameter terminal: The terminal; its ``Terminal/charset`` becomes the list's.
    /// - Returns: The exit status: 0 after a key or the end of the task, 128 and the signal's
    ///   number after a signal, 1 when the terminal is gone.
    public func run(in terminal: Terminal) async -> Int32 {
        await ListLoop(view: self, terminal: terminal).run()
    }
}

/// Shows a list in a terminal until the user quits.
private struct ListLoop<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    let view: TerminalListView<Section, Item>
    let terminal: Terminal

    /// Runs until the user quits; returns the exit status.
    func run() async -> Int32 {
        // Yields a wake-up of the terminal, or nil when a frame is due.
        let (wakes, entry) = AsyncStream.makeStream(of: TerminalWakeUp?.self)
        let forwarder = Task { [wakeUps = terminal.wakeUps] in
            for await wakeUp in wakeUps { entry.yield(wakeUp) }
        }
        var timer: Task<Void, Never>?
        view.displayBecameNeeded = { entry.yield(nil) }
        defer {
            view.displayBecameNeeded = nil
            timer?.cancel()
            forwarder.cancel()
            terminal.close()
        }
        view.charset = terminal.charset
        entry.yield(nil)
        for await wakeUp in wakes {
            for event in wakeUp.map(terminal.events) ?? [] {
                if let status = handle(event) { return status }
            }
            let now = ContinuousClock.now
            let isDue = view.nextDeadline.map { now >= $0 } == true
            guard view.needsDisplay || isDue else { continue }
            terminal.draw(view.frame(size: terminal.size, now: now))
            timer?.cancel()
            timer = view.nextDeadline.map { deadline in
                Task {
                    guard (try? await Task.sleep(until: deadline)) != nil else { return }
                    entry.yield(nil)
                }
            }
        }
        return 0
    }

    /// Handles an event; returns the exit status if the program is to end.
    private func handle(_ event: TerminalEvent) -> Int32? {
        var response = KeyResponse.handled
        switch event {
        case .key(let key): response = view.handle(key)
        case .pasted(let text): response = view.handle(pasted: text)
        case .mouse(let event): response = view.handle(event)
        case .suspendRequested: terminal.suspend()
        case .resized, .resumed: view.setNeedsDisplay()
        case .terminated(let signal): return 128 + signal
        case .inputEnded: return 1
        }
        switch response {
        case .quit: return 0
        case .redraw:
            terminal.redraw()
            view.setNeedsDisplay()
        case .handled, .unknown: break
        }
        return nil
    }
}
