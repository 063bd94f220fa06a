// A shell in a terminal of its own, as a user has one, made by tmux.
import Dispatch
import Glibc

/// A shell in a terminal of its own.
///
/// Every window has a tmux server of its own, which ends with ``close()``, or with the tests.
package final class ShellWindow: Sendable {
    /// The screen did not become what was waited for.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Why there can be no window, if so.
    package static let obstacle: String? = {
        let places = ["/usr/bin/tmux", "/bin/tmux", "/usr/local/bin/tmux"]
        return places.contains { unsafe access($0, X_OK) == 0 } ? nil : "tmux is not installed"
    }()

    /// For the files that a test and its shell share.
    package let directory: TemporaryDirectory
    private let socket: String

    /// Opens a window and waits for the shell's prompt.
    ///
    /// `environment` holds settings as `env` takes them: `NO_COLOR=1 LC_ALL=C`.
    package init(columns: Int = 80, rows: Int = 24, environment: String = "LC_ALL=C.UTF-8")
        async throws
    {
        directory = try TemporaryDirectory()
        socket = directory.path + "/tmux"
        // A sanitizer would report a crash in its own way and end with a status of its own. When a terminal
        // goes away, the SIGCONT that follows SIGHUP undoes the stop of threads that the search for leaks
        // waits for, and the program would never end.
        let plain = "handle_segv=0:handle_sigill=0:handle_abort=0:detect_leaks=0"
        let settings =
            environment + " ASAN_OPTIONS=\(plain) TSAN_OPTIONS=\(plain)"
            + " PS1='$ ' SWIFT_BACKTRACE=enable=no HISTFILE="
        try await tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c",
            directory.path, "env \(settings) bash --norc --noprofile")
        do {
            // Interrupted tests do not close the window; the server then ends by itself.
            let end = "tail --pid=\(getpid()) -f /dev/null; tmux -S '\(socket)' kill-server"
            try await tmux("run-shell", "-b", end)
            try await wait { $0.hasPrefix("$") }
        } catch {
            await close()
            throw error
        }
    }

    /// Ends the terminal and whatever runs in it.
    package func close() async {
        _ = try? await tmux("kill-server")
        await directory.remove()
    }

    /// Types a line.
    package func run(_ line: String) async throws { try await tmux("send-keys", line, "Enter") }

    /// Types keys, by their names in tmux.
    package func press(_ keys: String...) async throws { try await tmux(["send-keys"] + keys) }

    /// Sends bytes as a terminal would: a mouse's report, a paste.
    package func pressBytes(_ bytes: [UInt8]) async throws {
        try await tmux(["send-keys", "-H"] + bytes.map { String($0, radix: 16) })
    }

    package func resize(columns: Int, rows: Int) async throws {
        try await tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// Returns a property of the window, in the format language of tmux: `#{cursor_flag}`.
    package func property(_ format: String) async throws -> String {
        try await tmux("display-message", "-p", format)
    }

    /// The latest paste buffer of the window's tmux.
    package func buffer() async throws -> String { try await tmux("show-buffer") }

    /// From now on, what programs send to the terminal is also written to the file `sent`.
    package func recordOutput() async throws {
        try await tmux("pipe-pane", "cat > '\(directory.path)/sent'")
    }

    /// Waits for a text in the output since ``recordOutput()``, and returns that output.
    package func sentOutput(with text: String) async throws -> String {
        try await wait(
            for: { $0.contains(text) }, in: { try TextFile.read(directory.path + "/sent") })
    }

    /// Sends a signal to the process whose id the shell has written into the file `pid`.
    package func signalProgram(_ signal: Int32) throws {
        let text = try TextFile.read(directory.path + "/pid")
        guard let pid = pid_t(text.dropLast()), kill(pid, signal) == 0 else {
            throw Failure(description: "no process \(text)")
        }
    }

    /// Writes to the terminal as another program would.
    package func disturb() async throws {
        let terminal = try await property("#{pane_tty}")
        try await finish(["sh", "-c", "printf '\\033[5;5Hsomebody else' > \(terminal)"])
    }

    /// Waits until the screen is as wanted, and returns it.
    @discardableResult
    package func wait(until matches: (String) -> Bool) async throws -> String {
        try await wait(for: matches, in: { try await tmux("capture-pane", "-p") })
    }

    private func wait(
        for matches: (String) -> Bool, in source: () async throws -> String
    ) async throws -> String {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            let text = try await source()
            if matches(text) { return text }
            guard ContinuousClock.now < end else {
                throw Failure(description: "it stayed as it was:\n\(text)")
            }
            // tmux does not report changes of a screen.
            await withCheckedContinuation { again in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(40)) {
                    again.resume()
                }
            }
        }
    }

    /// Waits until a text is on the screen, and returns the screen.
    @discardableResult
    package func wait(for text: String) async throws -> String {
        try await wait { $0.contains(text) }
    }

    @discardableResult
    private func tmux(_ words: String...) async throws -> String { try await tmux(words) }

    @discardableResult
    private func tmux(_ words: [String]) async throws -> String {
        try await finish(["tmux", "-S", socket] + words)
    }

    @discardableResult
    private func finish(_ words: [String]) async throws -> String {
        let finished = try await FinishedProcess(words)
        guard finished.status == 0 else {
            throw Failure(description: "\(words): \(finished.errors)")
        }
        return finished.output
    }
}
