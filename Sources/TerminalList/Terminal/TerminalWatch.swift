// Sleeps until something happens at the terminal, on a thread of its own.
import CTerminalGuard
import Glibc

/// That something happened at the terminal; ``Terminal/events(at:)`` tells what.
public enum TerminalWakeUp: Hashable, Sendable {
    /// There are keys to read.
    case input
    /// A signal arrived.
    case signal(Int32)
    /// The terminal is gone.
    case inputEnded
}

/// Sleeps until there is input or a signal, and passes it on.
///
/// After `.input` it does not look at the input again before ``readOn()``, so that keys that are
/// not read yet do not wake it over and over.
@safe final class TerminalWatch {
    let wakeUps: AsyncStream<TerminalWakeUp>
    private var thread: pthread_t?

    /// Bytes in the guard's pipe that are no signal's number.
    fileprivate static let readOnByte: UInt8 = 0
    fileprivate static let stopByte: UInt8 = 255

    /// Watches `input`, and the pipe of signals, which is the watch's to close.
    init(input: Int32, signals: Int32) throws(TerminalError) {
        let (stream, continuation) = AsyncStream<TerminalWakeUp>.makeStream()
        wakeUps = stream
        let task = WatchTask(input: input, signals: signals, continuation: continuation)
        var thread = pthread_t()
        // The thread gives this one retain back when it begins.
        let context = unsafe Unmanaged.passRetained(task).toOpaque()
        let code = unsafe pthread_create(&thread, nil, runWatch, context)
        guard code == 0 else {
            unsafe Unmanaged<WatchTask>.fromOpaque(context).release()
            close(signals)
            throw .system(code: code)
        }
        self.thread = thread
    }

    /// Tells that the input has been read: more of it is news again.
    func readOn() { terminal_guard_post(Self.readOnByte) }

    /// Ends the thread and the stream; a second call does nothing.
    func stop() {
        guard let thread else { return }
        self.thread = nil
        terminal_guard_post(Self.stopByte)
        _ = pthread_join(thread, nil)
    }
}

private func runWatch(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<WatchTask>.fromOpaque(context).takeRetainedValue().run()
    return nil
}

/// What the thread does, and all that it holds.
private final class WatchTask {
    private let input: Int32
    private let signals: Int32
    private let continuation: AsyncStream<TerminalWakeUp>.Continuation
    private var watchesInput = true

    init(
        input: Int32, signals: Int32, continuation: AsyncStream<TerminalWakeUp>.Continuation
    ) {
        self.input = input
        self.signals = signals
        self.continuation = continuation
    }

    func run() {
        while true {
            // A negative descriptor is one that poll leaves out.
            var files = [
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watchesInput ? input : -1, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&files, nfds_t(files.count), -1) > 0 else { continue }
            if files[0].revents != 0, !takeBytes() { break }
            if files[1].revents != 0 { takeInput(files[1].revents) }
        }
        close(signals)
        continuation.finish()
    }

    private func takeInput(_ found: Int16) {
        watchesInput = false
        let isOver = found & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
        continuation.yield(isOver ? .inputEnded : .input)
    }

    /// Passes signals on; false when it is time to stop.
    private func takeBytes() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(signals, &bytes, bytes.count)
        for byte in bytes.prefix(max(0, count)) {
            switch byte {
            case TerminalWatch.stopByte: return false
            case TerminalWatch.readOnByte: watchesInput = true
            default: continuation.yield(.signal(Int32(byte)))
            }
        }
        return true
    }
}
