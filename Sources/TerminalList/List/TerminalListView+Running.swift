// Shows a list in a terminal until it is left: the loop that most programs need.
import Glibc

/// What the loop waits for.
private enum Wake: Sendable {
    /// Something happened at the terminal.
    case terminal(TerminalWakeUp)
    /// The list changed, or its deadline has come.
    case display
}

extension TerminalListView {
    /// Shows the list in the program's terminal until it is left: all that a small program needs.
    ///
    /// ```swift
    /// exit(await view.run())
    /// ```
    ///
    /// - Returns: The status to exit with, as of ``run(in:)``; also 1 where there is no terminal to
    ///   be had. Standard error then says why.
    public func run() async -> Int32 {
        do throws(TerminalError) {
            return await run(in: try Terminal())
        } catch {
            let message = Array("\(error)\n".utf8)
            unsafe write(STDERR_FILENO, message, message.count)
            return 1
        }
    }

    /// Shows the list in a terminal until it is left, then gives the terminal back.
    ///
    /// Keys do what the key table says. The list is drawn when it changes, whoever changes it, and
    /// when ``nextDeadline`` has come, and not otherwise.
    ///
    /// A program that has more to wait for writes a loop of its own: see ``Terminal``.
    ///
    /// - Parameter terminal: The terminal; its ``Terminal/charset`` becomes the list's.
    /// - Returns: The status to exit with: 0 after a key or the end of the task, 128 and the
    ///   signal's number after a signal, 1 when the terminal is gone.
    public func run(in terminal: Terminal) async -> Int32 {
        let (wakes, entry) = AsyncStream.makeStream(of: Wake.self)
        let forwarder = Task { [wakeUps = terminal.wakeUps] in
            for await wakeUp in wakeUps { entry.yield(.terminal(wakeUp)) }
        }
        var timer: Task<Void, Never>?
        displayBecameNeeded = { entry.yield(.display) }
        defer {
            displayBecameNeeded = nil
            timer?.cancel()
            forwarder.cancel()
            terminal.close()
        }
        charset = terminal.charset
        entry.yield(.display)
        for await wake in wakes {
            if case .terminal(let wakeUp) = wake {
                for event in terminal.events(at: wakeUp) {
                    if let status = take(event, at: terminal) { return status }
                }
            }
            let now = ContinuousClock.now
            guard needsDisplay || nextDeadline.map({ now >= $0 }) == true else { continue }
            terminal.draw(frame(size: terminal.size, now: now))
            timer?.cancel()
            timer = nextDeadline.map { deadline in
                Task {
                    guard (try? await Task.sleep(until: deadline)) != nil else { return }
                    entry.yield(.display)
                }
            }
        }
        return 0
    }

    /// Does what an event asks for; the status to exit with, if it asks for the end.
    private func take(_ event: TerminalEvent, at terminal: Terminal) -> Int32? {
        switch event {
        case .key(let key): return take(handle(key), at: terminal)
        case .pasted(let text): return take(handle(pasted: text), at: terminal)
        case .mouse(let event): return take(handle(event), at: terminal)
        case .suspendRequested: terminal.suspend()
        case .resized, .resumed: setNeedsDisplay()
        case .terminated(let signal): return 128 + signal
        case .inputEnded: return 1
        }
        return nil
    }

    private func take(_ response: KeyResponse, at terminal: Terminal) -> Int32? {
        switch response {
        case .quit: return 0
        case .redraw:
            terminal.redraw()
            setNeedsDisplay()
        case .handled, .unknown: break
        }
        return nil
    }
}
