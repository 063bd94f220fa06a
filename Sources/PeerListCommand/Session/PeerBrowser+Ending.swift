// Ends a browser without waiting for a daemon that hangs.
import PeerList

extension PeerBrowser {
    /// Withdraws and disconnects, unless the backend hangs: it takes back what we announce when we are gone.
    func stop(within limit: Duration) async {
        let (finished, done) = AsyncStream<Void>.makeStream()
        let stopping = Task {
            await stop()
            done.finish()
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            done.finish()
        }
        for await _ in finished {}
        timer.cancel()
        stopping.cancel()
    }
}
