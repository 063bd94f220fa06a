// Starts a program, in the terminal or without one, and waits for its end.
import CTerminalGuard
import Glibc

/// A program that was started.
struct ChildProgram: Sendable {
    /// The program's access to the terminal.
    enum Mode: Sendable {
        /// The program has the terminal; optionally its failure stays readable until Enter.
        case foreground(waitsAfterFailure: Bool)
        /// The program has no terminal, and reads the input.
        case background(input: [UInt8])
    }

    private let mode: Mode
    private let child: Int32

    /// Starts a program.
    ///
    /// - Throws: ``TerminalError/cannotStart(_:code:)``.
    init(_ command: [String], _ mode: Mode) throws(TerminalError) {
        guard let program = command.first, !program.isEmpty else { throw .system(code: EINVAL) }
        var words = unsafe command.map { unsafe strdup($0) }
        defer { unsafe words.forEach { unsafe free($0) } }
        unsafe words.append(nil)
        self.mode = mode
        switch mode {
        case .foreground: child = unsafe foreground_child_start(STDOUT_FILENO, words)
        case .background(let input):
            child = unsafe background_child_start(words, input, input.count)
        }
        guard child > 0 else { throw .cannotStart(program, code: -child) }
    }

    /// Waits on a thread for the program's end; returns its status, or 128 and the number of the
    /// signal that ended it.
    func status() async -> Int32 {
        await withCheckedContinuation { ended in
            var thread = pthread_t()
            if startThread(&thread, { ended.resume(returning: wait()) }) == 0 {
                pthread_detach(thread)
            } else {
                ended.resume(returning: wait())
            }
        }
    }

    private func wait() -> Int32 {
        switch mode {
        case .foreground(let waitsAfterFailure):
            foreground_child_wait(STDOUT_FILENO, child, waitsAfterFailure)
        case .background: background_child_wait(child)
        }
    }
}
