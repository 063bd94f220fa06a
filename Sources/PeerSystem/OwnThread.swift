// Starts a thread for work that blocks.
import Glibc

/// Runs work that may block on a new thread, which gets no signals.
///
/// - Returns: 0, or the error's number if there is no thread.
package func startThread(_ work: @escaping @Sendable () -> Void) -> Int32 {
    // The thread releases this retain when it begins.
    let context = unsafe Unmanaged.passRetained(Work(body: work))
    var thread = pthread_t()
    let code = unsafe pthread_create(
        &thread, nil,
        { context in
            guard let context = unsafe context else { return nil }
            let work = unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
            // Signals are for the other threads. `write` reports a closed pipe and a file at its size
            // limit once SIGPIPE and SIGXFSZ cannot end the process.
            var all = sigset_t()
            unsafe sigfillset(&all)
            unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
            work.body()
            return nil
        }, context.toOpaque())
    guard code == 0 else {
        unsafe context.release()
        return code
    }
    pthread_detach(thread)
    return 0
}

/// The closure that a thread runs, boxed because C passes a single pointer.
private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(body: @escaping @Sendable () -> Void) { self.body = body }
}
