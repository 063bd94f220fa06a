// A program that was started, and the wait for its end.
import CTerminalGuard
import Glibc

/// A program that was started, and the wait for its end on a thread of its own.
struct ChildProgram: Sendable {
    /// Who has the terminal meanwhile.
    enum Place: Sendable {
        /// The program, in front; with whether its failure is there to be read until Enter.
        case front(waitsAfterFailure: Bool)
        /// We: the program has none, and reads the input, if there is any.
        case background(input: [UInt8])
    }

    private let place: Place
    private let child: Int32

    /// Starts a program.
    ///
    /// - Throws: ``TerminalError/cannotStart(_:code:)``.
    init(_ command: [String], _ place: Place) throws(TerminalError) {
        guard let program = command.first, !program.isEmpty else { throw .system(code: EINVAL) }
        var words = unsafe command.map { unsafe strdup($0) }
        defer { unsafe words.forEach { unsafe free($0) } }
        unsafe words.append(nil)
        self.place = place
        switch place {
        case .front: child = unsafe foreground_child_start(STDOUT_FILENO, words)
        case .background(let input):
            child = unsafe background_child_start(words, input, input.count)
        }
        guard child > 0 else { throw .cannotStart(program, code: -child) }
    }

    /// Its status when it has ended, or 128 and the number of the signal that ended it.
    func status() async -> Int32 {
        await withCheckedContinuation { ended in ChildWait(self, ended).start() }
    }

    fileprivate func wait() -> Int32 {
        switch place {
        case .front(let waitsAfterFailure):
            foreground_child_wait(STDOUT_FILENO, child, waitsAfterFailure)
        case .background: background_child_wait(child)
        }
    }
}

/// What the thread that waits does, and all that it holds.
private final class ChildWait {
    private let program: ChildProgram
    private let ended: CheckedContinuation<Int32, Never>

    init(_ program: ChildProgram, _ ended: CheckedContinuation<Int32, Never>) {
        self.program = program
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

    func run() { ended.resume(returning: program.wait()) }
}

private func runWait(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<ChildWait>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
