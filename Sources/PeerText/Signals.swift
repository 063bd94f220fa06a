// Watches signals outside of a signal handler.
import Dispatch
import Glibc

/// Watches signals, whose default action is disabled meanwhile.
package final class Signals {
    private let sources: [any DispatchSourceSignal]

    /// Calls `receive` for each of these signals that was not ignored at the start.
    /// Returns when they are watched, as an earlier signal would be lost.
    package init(_ numbers: [Int32], _ receive: @escaping @Sendable () -> Void) {
        let watched = DispatchSemaphore(value: 0)
        sources = numbers.compactMap { number in
            let before = signal(number, SIG_IGN)
            // SIGHUP is ignored under nohup(1).
            guard unsafe unsafeBitCast(before, to: Int.self) != 1 else { return nil }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: receive)
            source.setRegistrationHandler { watched.signal() }
            source.activate()
            return source
        }
        for _ in sources { watched.wait() }
    }

    deinit { for source in sources { source.cancel() } }
}
