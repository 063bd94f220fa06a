// Limits the time to wait for an asynchronous operation.

/// Runs an operation and waits at most `limit` for it.
///
/// An operation that takes longer is cancelled but not waited for, since a call
/// of libavahi into a daemon that hangs returns after 25 s only.
///
/// - Returns: The result, or `nil` if it was not available in time.
package func withTimeout<Result: Sendable>(
    _ limit: Duration, _ operation: @escaping @Sendable () async -> Result
) async -> Result? {
    let (results, entry) = AsyncStream.makeStream(of: Result?.self)
    let running = Task { entry.yield(await operation()) }
    let timer = Task {
        await ActiveClock.wait(for: limit)
        entry.yield(nil)
    }
    defer {
        timer.cancel()
        running.cancel()
    }
    for await result in results { return result }
    return nil
}
