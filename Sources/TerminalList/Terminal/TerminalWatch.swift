// Waits for input and signals on a thread of its own.
import CTerminalGuard
import Glibc

/// A thread that waits for input and signals.
///
/// After `.input` the thread ignores the input until ``resumeInput()``, so that unread keys do not
/// wake it again.
@safe final class TerminalWatch {
    let wakeUps: AsyncStream<TerminalWakeUp>
    private var thread: pthread_t?

    /// Bytes in the guard's pipe that are not signal numbers.
    fileprivate static let resumeByte: UInt8 = 0
    fileprivate static let stopByte: UInt8 = 255

    /// Starts the thread, which closes the pipe of signals when it ends.
    init(input: Int32, signals: Int32) throws(TerminalError) {
        let (stream, continuation) = AsyncStream<TerminalWakeUp>.makeStream()
        wakeUps = stream
        var thread = pthread_t()
        let code = startThread(&thread) {
            var loop = WatchLoop(input: input, signals: signals, continuation: continuation)
            loop.run()
        }
        guard code == 0 else {
            close(signals)
            throw .system(code: code)
        }
        self.thread = thread
    }

    /// Waits for input again, after it has been read.
    func resumeInput() { terminal_guard_post(Self.resumeByte) }

    /// Ends the thread and the stream; a second call does nothing.
    func stop() {
        guard let thread else { return }
        self.thread = nil
        terminal_guard_post(Self.stopByte)
        _ = pthread_join(thread, nil)
    }
}

/// The loop of the thread.
private struct WatchLoop {
    let input: Int32
    let signals: Int32
    let continuation: AsyncStream<TerminalWakeUp>.Continuation
    private var watchesInput = true

    init(
        input: Int32, signals: Int32, continuation: AsyncStream<TerminalWakeUp>.Continuation
    ) {
        self.input = input
        self.signals = signals
        self.continuation = continuation
    }

    mutating func run() {
        while true {
            // poll ignores negative descriptors.
            var files = [
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watchesInput ? input : -1, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&files, nfds_t(files.count), -1) > 0 else { continue }
            if files[0].revents != 0, !forwardSignals() { break }
            if files[1].revents != 0 {
                watchesInput = false
                let isOver = files[1].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
                continuation.yield(isOver ? .inputEnded : .input)
            }
        }
        close(signals)
        continuation.finish()
    }

    /// Reads the pipe; returns false when the thread is to stop.
    private mutating func forwardSignals() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(signals, &bytes, bytes.count)
        for byte in bytes.prefix(max(0, count)) {
            switch byte {
            case TerminalWatch.stopByte: return false
            case TerminalWatch.resumeByte: watchesInput = true
            default: continuation.yield(.signal(Int32(byte)))
            }
        }
        return true
    }
}

/// Starts a thread; returns 0 or the error code of `pthread_create`.
func startThread(_ thread: inout pthread_t, _ body: @escaping @Sendable () -> Void) -> Int32 {
    // The thread releases this reference when it begins.
    let context = unsafe Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    let code = unsafe pthread_create(&thread, nil, runThread, context)
    if code != 0 { unsafe Unmanaged<ThreadBody>.fromOpaque(context).release() }
    return code
}

private final class ThreadBody {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
