// Signals as messages, so that nothing is done in a handler.
import Dispatch
import Glibc

/// Watches signals.
///
/// Their default action is off for as long as it lives, and whoever looks
/// after them later, such as the terminal, leaves them alone.
final class Signals {
    private let sources: [any DispatchSourceSignal]

    /// Calls `receive` for each of these signals; one that was ignored at the start stays so.
    ///
    /// Returns when they are watched: one that came before that would be lost.
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

    /// A program under nohup(1) must go on ignoring what it was told to ignore.
    private static func isIgnored(_ number: Int32) -> Bool {
        let before = signal(number, SIG_IGN)
        let isIgnored = unsafe unsafeBitCast(before, to: Int.self) == 1
        if !isIgnored { signal(number, before) }
        return isIgnored
    }
}
