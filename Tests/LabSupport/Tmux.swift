// A terminal for a program under test, whose screen and keys belong to the test.

/// A terminal of a given size on a machine of the lab, made by a tmux of its own.
///
/// It ends with its machine.
package struct Tmux: Sendable {
    private let lab: Lab
    private let socket: String

    /// Opens a terminal that runs a command given to the shell.
    package init(
        in lab: Lab, on host: String, columns: Int = 80, rows: Int = 24, running command: String
    ) async throws {
        self.lab = lab
        socket = "\(lab.directory.path)/tmux-\(host)-\(UInt32.random(in: 0 ... .max))"
        let started = try await lab.run(
            host,
            [
                "tmux", "-f", "/dev/null", "-S", socket, "new-session", "-d", "-x", "\(columns)",
                "-y", "\(rows)", command,
            ])
        guard started.status == 0 else { throw LabError("no tmux: \(started.errors)") }
        try await tmux("set-option", "-g", "remain-on-exit", "on")
    }

    /// Types keys, by their names in tmux: `"j"`, `"Enter"`, `"C-c"`.
    package func type(_ keys: String...) async throws {
        try await tmux(["send-keys"] + keys)
    }

    /// Sends bytes as a terminal would: a report of the mouse.
    package func type(bytes: [UInt8]) async throws {
        try await tmux(["send-keys", "-H"] + bytes.map { String($0, radix: 16) })
    }

    /// Changes the size of the terminal.
    package func resize(columns: Int, rows: Int) async throws {
        try await tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// Closes the terminal, as a terminal emulator whose window is closed.
    package func close() async throws { try await tmux("kill-server") }

    /// The screen's text as it is now, a line for each row.
    package func screen() async throws -> String { try await tmux("capture-pane", "-p") }

    /// Waits for the screen to be as wanted, and returns it.
    ///
    /// - Throws: ``LabError`` with the last screen when the limit is reached.
    @discardableResult
    package func screen(
        within limit: Duration, where matches: @Sendable (String) -> Bool
    ) async throws -> String {
        var end = ContinuousClock.now + limit
        var isExtended = false
        while true {
            let screen = try await screen()
            if matches(screen) { return screen }
            if ContinuousClock.now >= end, !isExtended {
                end += Deadline.addition(to: limit)
                isExtended = true
            }
            guard ContinuousClock.now < end else {
                throw LabError("no such screen within \(limit); the last:\n\(screen)")
            }
            // tmux does not report changes of a screen, so it is polled.
            await withCheckedContinuation { again in
                Deadline.after(.milliseconds(30)) { again.resume() }
            }
        }
    }

    @discardableResult
    private func tmux(_ words: String...) async throws -> String { try await tmux(words) }

    @discardableResult
    private func tmux(_ words: [String]) async throws -> String {
        let finished = try await FinishedProcess(["tmux", "-S", socket] + words)
        guard finished.status == 0 else { throw LabError("tmux \(words): \(finished.errors)") }
        return finished.output
    }
}
