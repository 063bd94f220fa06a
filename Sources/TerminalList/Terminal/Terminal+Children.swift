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
    /// - Throws: ``TerminalError/system(code:)`` when it cannot be started; the terminal is ours
    ///   then as well.
    public func run(
        _ command: [String], saying line: String? = nil, waitsAfterFailure: Bool = false
    ) async throws(TerminalError) -> Int32 {
        guard isOpen, isOurs, !isLent, let name = command.first, !name.isEmpty else {
            throw .system(code: EINVAL)
        }
        isLent = true
        giveBack()
        terminal_guard_release_errors()
        if let line { send(SafeText(line, charset: charset).text + "\n") }
        let child = Self.start(command)
        var status = child
        if child > 0 {
            status = await withCheckedContinuation { ended in
                ChildWait(child: child, waitsAfterFailure: waitsAfterFailure, ended: ended).start()
            }
        }
        isLent = false
        // In the order of the signals, as after a stop: one of them may end us.
        terminal_guard_post(UInt8(SIGCONT))
        guard child > 0 else { throw .system(code: -child) }
        return status
    }

    /// The process's number, or a negative error.
    private static func start(_ command: [String]) -> Int32 {
        var words = unsafe command.map { unsafe strdup($0) }
        defer { unsafe words.forEach { unsafe free($0) } }
        unsafe words.append(nil)
        return unsafe foreground_child_start(STDOUT_FILENO, words)
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

/// The wait for a program's end, on a thread of its own.
private final class ChildWait {
    private let child: Int32
    private let waitsAfterFailure: Bool
    private let ended: CheckedContinuation<Int32, Never>

    init(child: Int32, waitsAfterFailure: Bool, ended: CheckedContinuation<Int32, Never>) {
        self.child = child
        self.waitsAfterFailure = waitsAfterFailure
        self.ended = ended
    }

    func start() {
        var thread = pthread_t()
        // The thread gives this one retain back.
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        guard unsafe pthread_create(&thread, nil, runWait, context) == 0 else {
            // Without a thread there is but this one to wait on.
            _ = unsafe runWait(context)
            return
        }
        pthread_detach(thread)
    }

    func run() {
        ended.resume(
            returning: foreground_child_wait(STDOUT_FILENO, child, waitsAfterFailure))
    }
}

private func runWait(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<ChildWait>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
