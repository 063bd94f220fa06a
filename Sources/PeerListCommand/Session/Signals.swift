// Delivers signals to closures outside of signal handlers.
import Dispatch
import Glibc

/// Watches signals, whose default action is disabled meanwhile.
final class Signals {
    private let sources: [any DispatchSourceSignal]

    /// Calls `receive` for each of these signals, except those that were ignored at the start.
    ///
    /// Returns when they are watched, as an earlier signal would be lost.
    init(_ numbers: [Int32], _ receive: @escaping @Sendable () -> Void) {
        let watched = DispatchSemaphore(value: 0)
        sources = numbers.filter { !Signals.isIgnored($0) }.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: receive)
            source.setRegistrationHandler { watched.signal() }
            source.activate()
            return source
        }
        for _ in sources { watched.wait() }
    }

    deinit { for source in sources { source.cancel() } }

    /// Whether a signal is ignored, as SIGHUP is under nohup(1).
    private static func isIgnored(_ number: Int32) -> Bool {
        let before = signal(number, SIG_IGN)
        let isIgnored = unsafe unsafeBitCast(before, to: Int.self) == 1
        if !isIgnored { signal(number, before) }
        return isIgnored
    }
}

/// Whether this process has a controlling terminal; `/dev/tty` can be opened only then.
func hasControllingTerminal() -> Bool {
    let descriptor = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
}
