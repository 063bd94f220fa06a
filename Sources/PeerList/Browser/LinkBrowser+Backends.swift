// The backends that may be asked: when each is started, waited for, and tried again.
import StackProtocol

extension LinkBrowser {
    /// The time that the daemon gets to come back before the embedded stack is started.
    static let grace = Duration.milliseconds(1_500)
    /// How long to wait before the bus is tried again: while nobody is asked, while somebody is, and
    /// where there is a daemon that does not answer.
    static let busRetry = (
        away: Duration.milliseconds(500), served: Duration.seconds(2), silent: Duration.seconds(30)
    )
    /// The time that a daemon has to answer before another stack is asked in its place.
    static let inquiryLimit = Duration.seconds(5)
    /// The time that a helper has to answer after its start.
    static let startLimit = Duration.seconds(5)

    struct Backends {
        /// A daemon that is not asked yet.
        var awaited: DaemonStack?
        /// Whether a daemon is being asked whether it answers.
        var isInquiring = false
        /// When the bus is tried again.
        var busDue: Duration?

        /// A helper that does not answer yet, and when it was started.
        var started: EmbeddedStack?
        var startedAt = Duration.zero
        /// When a helper is to be started unless somebody answers by then.
        var startDue: Duration?
        var restarts = RestartSchedule()
        /// Why the last helper could not be started, or ended.
        var reason = ""
        /// Who waits for the first helper to answer or to fail.
        var first: CheckedContinuation<Void, Never>?
        /// The name of this machine that was told last.
        var toldHost = ""
        /// The last warning of a stack that was told; a helper that is started again has the same.
        var toldWarning: String?
        /// Whether anybody has been asked yet.
        var hasServed = false
    }

    /// Begins with the best backend that answers.
    ///
    /// - Returns: The host name of this machine.
    /// - Throws: ``BackendError`` that says of each backend that may be asked why it cannot be.
    func firstHost() async throws(BackendError) -> String {
        var reasons: [String] = []
        if choice != .embedded, let reason = await firstTryOfDaemon() { reasons.append(reason) }
        guard life != .stopped else { throw BackendError("discovery was stopped") }
        if !isRunning, choice != .daemon {
            startHelper()
            if backends.started != nil {
                planTimer()
                await withCheckedContinuation { backends.first = $0 }
            }
            if !isRunning { reasons.append(backends.reason) }
        }
        guard isRunning, let stack else { throw BackendError(advice(reasons)) }
        return stack.hostName
    }

    private func advice(_ reasons: [String]) -> String {
        let start = """
            Start avahi-daemon with 'systemctl start avahi-daemon' (as root), or install it with \
            'apt-get install avahi-daemon'
            """
        return choice == .embedded
            ? reasons.joined(separator: "; ") : "\(reasons.joined(separator: "; ")). \(start)"
    }

    private func startHelper() {
        backends.startDue = nil
        backends.startedAt = now
        let settings = StackSettings(
            publishes: options.announcement != nil,
            usesLoopback: options.interface?.isLoopback ?? false)
        do throws(BackendError) {
            let path = try HelperPath.find()
            backends.started = try EmbeddedStack(on: loop, settings: settings, path: path) {
                Task { await self.stacksChanged() }
            }
        } catch {
            helperFailed(error.description)
        }
    }

    /// A helper cannot be started or ended, and another one is started in a while.
    func helperFailed(_ reason: String) {
        backends.started?.close()
        backends.started = nil
        backends.reason = reason
        backends.startDue = now + backends.restarts.wait(afterLife: now - backends.startedAt)
        releaseFirst()
    }

    /// Lets ``firstHost()`` go on, if it waits.
    func releaseFirst() {
        backends.first?.resume()
        backends.first = nil
    }

    func closeBackends() {
        closeFormerAnnouncement()
        backends.awaited?.close()
        backends.awaited = nil
        backends.started?.close()
        backends.started = nil
        releaseFirst()
    }

    /// When something is to be started or tried again, or `nil` for never.
    func backendsDeadline() -> Duration? {
        let limit = backends.started.map { _ in backends.startedAt + Self.startLimit }
        let dues = [
            backends.busDue, isRunning ? nil : backends.startDue, limit, announcing.former?.due,
        ]
        return dues.compactMap { $0 }.min()
    }

    /// Does what is due.
    func continueBackends() {
        if let due = announcing.former?.due, due <= now { closeFormerAnnouncement() }
        if let due = backends.busDue, due <= now {
            backends.busDue = nil
            awaitDaemon()
            takeOver()
        }
        if let due = backends.startDue, due <= now, !isRunning { startHelper() }
        if backends.started != nil, backends.startedAt + Self.startLimit <= now {
            helperFailed("the embedded stack does not answer")
        }
    }
}
