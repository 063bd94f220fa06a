// Ends the process at a signal, with nothing left half-done on the terminal and in files.
import Glibc
import Synchronization

/// The end of a command that does not end by itself at signals.
package enum Interruption {
    private struct State {
        /// Watch the signals until the process ends.
        var signals: [Signals] = []
        /// Removes unfinished output before the process ends.
        var cleanUp: (@Sendable () -> Void)?
        /// The number of bodies that are to be completed before.
        var deferrals = 0
        var pending: Int32?
    }

    private static let numbers = [SIGINT, SIGTERM, SIGHUP]
    private static let state = Mutex(State())

    /// Calls a function at a signal, before that ends the process.
    static func watch(cleanUp: (@Sendable () -> Void)? = nil) {
        state.withLock { state in
            state.cleanUp = cleanUp ?? state.cleanUp
            guard state.signals.isEmpty else { return }
            state.signals = numbers.map { number in Signals([number]) { receive(number) } }
        }
    }

    /// Completes a body before a signal ends the process.
    package static func deferred<Result, Failure>(
        by body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        watch()
        state.withLock { $0.deferrals += 1 }
        defer {
            let pending = state.withLock { state in
                state.deferrals -= 1
                return state.deferrals == 0 ? state.pending : nil
            }
            if let pending { end(by: pending) }
        }
        return try body()
    }

    private static func receive(_ number: Int32) {
        let isDeferred = state.withLock { state in
            state.pending = number
            return state.deferrals > 0
        }
        if !isDeferred { end(by: number) }
    }

    private static func end(by number: Int32) {
        state.withLock(\.cleanUp)?()
        signal(number, SIG_DFL)
        kill(getpid(), number)
    }
}
