// The terminal lent to another program.
import CTerminalGuard
import Glibc

extension Terminal {
    /// Gives the terminal to a program, and takes it again when that has ended.
    ///
    /// The program is found by `PATH` and gets exactly these words: no shell reads them. Ctrl-C goes
    /// to it, and Ctrl-Z stops it and this program together. Meanwhile nothing is drawn and no
    /// key is read. `.resumed` follows.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - line: Said on the terminal before the program starts, made safe.
    ///   - waitsAfterFailure: Whether Enter must be pressed before the list comes back when the
    ///     program has failed, so that its words can be read.
    /// - Returns: The program's status, or 128 and the number of the signal that ended it.
    /// - Throws: ``TerminalError/cannotStart(_:code:)``; the terminal is ours then as well.
    public func run(
        _ command: [String], saying line: String? = nil, waitsAfterFailure: Bool = false
    ) async throws(TerminalError) -> Int32 {
        guard isOpen, isOurs, !isLent else { throw .system(code: EBUSY) }
        isLent = true
        giveBack()
        terminal_guard_release_errors()
        defer {
            isLent = false
            // In the order of the signals, as after a stop: one of them may end us.
            terminal_guard_post(UInt8(SIGCONT))
        }
        if let line { send(SafeText(line, charset: charset).text + "\n") }
        let program = try ChildProgram(command, .front(waitsAfterFailure: waitsAfterFailure))
        return await program.status()
    }

    /// Runs a program that has no terminal, and reads and writes nothing of ours: one that opens a
    /// window of its own. The list goes on meanwhile, and so does the program after the list.
    ///
    /// - Parameters:
    ///   - command: The program, found by `PATH`, and its arguments; no shell reads them.
    ///   - input: What the program reads, at most 64 KiB where pipes cannot be larger.
    /// - Returns: The program's status, or 128 and the number of the signal that ended it.
    /// - Throws: ``TerminalError/cannotStart(_:code:)``.
    public static func runApart(
        _ command: [String], input: [UInt8] = []
    ) async throws(TerminalError) -> Int32 {
        try await ChildProgram(command, .background(input: input)).status()
    }

    /// Sends bytes past curses, after all that it has sent.
    func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
