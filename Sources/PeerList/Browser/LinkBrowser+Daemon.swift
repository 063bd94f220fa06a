// How the daemon is asked, and waited for, without being held up by one that hangs.

extension LinkBrowser {
    /// Asks the daemon; returns why it cannot be asked.
    func firstTryOfDaemon() async -> String? {
        if choice == .auto, await DaemonInquiry.ask(within: Self.inquiryLimit) == .silent {
            backends.busDue = now + Self.busRetry.silent
            return "avahi-daemon does not answer"
        }
        guard life != .stopped else { return nil }
        do throws(AvahiError) {
            backends.awaited = try daemon(waits: false)
            takeOver()
            if !isRunning { throw AvahiError.disconnected }
            return nil
        } catch {
            backends.awaited?.close()
            backends.awaited = nil
            return "avahi-daemon cannot be asked: \(error.description.lowercased())"
        }
    }

    private func daemon(waits: Bool) throws(AvahiError) -> DaemonStack {
        // The strong reference to this actor ends when the stack is closed.
        try DaemonStack(on: loop, waits: waits) { Task { await self.stacksChanged() } }
    }

    /// Waits for a daemon, where one may be asked and none is.
    ///
    /// A call to a daemon that hangs blocks for 25 s. Where another stack may be asked meanwhile, it
    /// is tried on another thread first.
    func awaitDaemon() {
        guard wantsDaemon, !backends.isInquiring else { return }
        guard choice == .auto else { return connectToDaemon() }
        backends.isInquiring = true
        Task { inquired(await DaemonInquiry.ask(within: Self.inquiryLimit)) }
    }

    private var wantsDaemon: Bool {
        choice != .embedded && backends.awaited == nil && !(isRunning && backend == .daemon)
    }

    private func inquired(_ outcome: DaemonInquiry.Outcome) {
        backends.isInquiring = false
        guard life != .stopped, wantsDaemon else { return }
        if outcome == .silent {
            backends.busDue = now + Self.busRetry.silent
        } else {
            connectToDaemon()
            takeOver()
            publishIfReady()
        }
        planTimer()
    }

    private func connectToDaemon() {
        do throws(AvahiError) {
            backends.awaited = try daemon(waits: true)
        } catch {
            // The bus itself is away, for which libavahi does not wait.
            backends.busDue = now + (isRunning ? Self.busRetry.served : Self.busRetry.away)
        }
        planTimer()
    }
}
