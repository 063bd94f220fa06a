// Ends a browser without waiting for a daemon that hangs.
import PeerList

extension LinkBrowser {
    /// Withdraws and disconnects, unless the backend hangs: it takes back what we announce when we are
    /// gone and it goes on.
    ///
    /// - Returns: Whether that was done in time.
    @discardableResult
    func stop(within limit: Duration) async -> Bool {
        let (outcomes, entry) = AsyncStream.makeStream(of: Bool.self)
        let stopping = Task {
            await stop()
            entry.yield(true)
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            entry.yield(false)
        }
        defer {
            timer.cancel()
            stopping.cancel()
        }
        for await isStopped in outcomes { return isStopped }
        return false
    }
}
