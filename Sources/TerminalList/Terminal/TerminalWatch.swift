// Waits for input and signals of a terminal.
import Dispatch
import Glibc

/// A wake-up by the terminal; ``Terminal/events(at:)`` returns the events.
public enum TerminalWakeUp: Hashable, Sendable {
    /// There are keys to read.
    case input
    /// A signal arrived.
    case signal(Int32)
    /// The terminal is gone.
    case inputEnded
}

/// Waits for input and signals.
final class TerminalWatch {
    let wakeUps: AsyncStream<TerminalWakeUp>
    private let entry: AsyncStream<TerminalWakeUp>.Continuation
    private let queue = DispatchQueue(label: "terminal")
    private let file: TerminalFile?
    private let signalSource: any DispatchSourceRead
    private var inputSource: (any DispatchSourceRead)?

    /// Waits for input of a terminal, or of standard input, and for the numbers of signals at a
    /// descriptor, which is closed by ``stop()``.
    init(_ file: TerminalFile?, signals: Int32) {
        (wakeUps, entry) = AsyncStream<TerminalWakeUp>.makeStream()
        self.file = file
        signalSource = DispatchSource.makeReadSource(fileDescriptor: signals, queue: queue)
        signalSource.setEventHandler { [entry] in
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = unsafe read(signals, &bytes, bytes.count)
            for byte in bytes.prefix(max(0, count)) { entry.yield(.signal(Int32(byte))) }
        }
        signalSource.setCancelHandler { close(signals) }
        signalSource.activate()
        waitForInput()
    }

    /// Waits for input once, so that unread keys do not wake again.
    func waitForInput() {
        inputSource?.cancel()
        // The handler keeps the file open until the source has released its descriptor.
        let source = DispatchSource.makeReadSource(
            fileDescriptor: file?.descriptor ?? STDIN_FILENO, queue: queue)
        source.setEventHandler { [entry, file] in
            source.cancel()
            let input = file?.descriptor ?? STDIN_FILENO
            var request = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&request, 1, 0)
            let isOver = request.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
            entry.yield(isOver ? .inputEnded : .input)
        }
        source.activate()
        inputSource = source
    }

    /// Ends the stream; a second call does nothing.
    func stop() {
        signalSource.cancel()
        inputSource?.cancel()
        entry.finish()
    }
}
