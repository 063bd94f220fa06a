// The demo in a terminal of its own, for the tests of real terminals.
import LabSupport

enum DemoWindow {
    static let program = BuiltProducts.path("TerminalListDemo")

    /// Whether the alternate screen, the cursor and mouse reports are on, as a tmux format.
    static let state = "#{alternate_on} #{cursor_flag} #{mouse_any_flag}"

    /// Runs a command that starts the demo in a shell's window, waits for its list, and closes the window after
    /// the body.
    static func with(
        _ command: String, rows: Int = 24, environment: String = "LC_ALL=C.UTF-8",
        recordsOutput: Bool = false, _ body: (ShellWindow) async throws -> Void
    ) async throws {
        let window = try await ShellWindow(rows: rows, environment: environment)
        do {
            if recordsOutput { try await window.recordOutput() }
            try await window.run(command)
            try await window.wait(for: "q quit")
            try await body(window)
        } catch {
            await window.close()
            throw error
        }
        await window.close()
    }
}
