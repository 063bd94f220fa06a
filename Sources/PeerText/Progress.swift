// Shows the progress of a command on standard error, if that is a terminal.
import Dispatch
import Glibc
package import PeerRecording
import PeerSystem
import Synchronization
import TerminalText

/// The progress of this command, one line on the terminal.
///
/// A timer draws it; other output on the terminal removes it before, and so does a signal.
package enum Progress {
    private struct State {
        var line: ProgressLine?
        /// The number of bodies that write other output.
        var hidings = 0
        var timer: (any DispatchSourceTimer)?
    }

    /// The pause between two drawings, in milliseconds.
    private static let pause = 200
    private static let state = Mutex(State())

    /// Begins to show work, if standard error is a terminal that can remove a line.
    ///
    /// - Parameters:
    ///   - work: The work that is begun.
    ///   - isWanted: Whether the user wants to see it.
    ///   - handlesSignals: Whether the command ends by itself at signals.
    /// - Returns: Whether it is shown.
    @discardableResult package static func begin(
        _ work: LongWork, isWanted: Bool, handlesSignals: Bool = false
    ) -> Bool {
        let terminal = environmentVariable("TERM") ?? ""
        guard isWanted, isatty(STDERR_FILENO) == 1, !["", "dumb"].contains(terminal) else {
            return false
        }
        let line = ProgressLine(work, charset: .adoptFromEnvironment(), at: .now)
        if !handlesSignals { Interruption.watch { end() } }
        state.withLock { state in
            let timer = DispatchSource.makeTimerSource(queue: .global())
            timer.setEventHandler { draw() }
            let delay = Int(ProgressLine.delay / .milliseconds(1))
            timer.schedule(
                deadline: .now() + .milliseconds(delay), repeating: .milliseconds(pause))
            timer.activate()
            (state.line, state.timer) = (line, timer)
        }
        return true
    }

    /// Changes what is shown at the next drawing.
    package static func update(_ work: @autoclosure () -> LongWork) {
        state.withLock { state in
            if state.line != nil { state.line?.work = work() }
        }
    }

    /// Opens a recording, and shows how much of it is read.
    package static func open(
        _ path: String, follows: Bool = false
    ) throws(RecordingError) -> Recording {
        update(.search("opening \(path)", until: nil))
        let recording = try Recording(path: path, follows: follows)
        update(.reading(recording, path: path))
        return recording
    }

    /// Removes the line for the time of a body that writes other output; the next drawing shows it again.
    package static func hide<Result>(during body: () -> Result) -> Result {
        state.withLock { state in
            write(state.line?.remove())
            state.hidings += 1
        }
        defer { state.withLock { $0.hidings -= 1 } }
        return body()
    }

    package static func end() {
        state.withLock { state in
            write(state.line?.remove())
            state.line = nil
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private static func draw() {
        // The terminal may be stopped or another job's.
        var request = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        let group = tcgetpgrp(STDERR_FILENO)
        guard unsafe poll(&request, 1, 0) == 1, group < 0 || group == getpgrp() else { return }
        let columns = FrameSize(ofWindow: STDERR_FILENO)?.columns ?? 80
        state.withLock { state in
            guard state.hidings == 0 else { return }
            write(state.line?.advance(to: .now, columns: columns))
        }
    }

    private static func write(_ text: String?) {
        guard let text else { return }
        _ = writeAll(Array(text.utf8), to: STDERR_FILENO)
    }
}
