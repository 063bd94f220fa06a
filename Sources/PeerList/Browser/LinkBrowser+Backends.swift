// Who is asked: the daemon, or the embedded stack while it is away.
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
    private func helperFailed(_ reason: String) {
        backends.started?.close()
        backends.started = nil
        backends.reason = reason
        backends.startDue = now + backends.restarts.wait(afterLife: now - backends.startedAt)
        releaseFirst()
    }

    private func releaseFirst() {
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
}

extension LinkBrowser {
    /// The state of a stack changed; which and how is read from the stacks.
    func stacksChanged() {
        guard life != .stopped else { return }
        if stack?.state == .failed { lose() }
        tellOwnName()
        if backends.awaited?.state == .failed {
            backends.awaited?.close()
            backends.awaited = nil
            awaitDaemon()
        }
        if let started = backends.started, started.state == .failed {
            helperFailed("the embedded stack ended (\(started.ending ?? ""))")
        }
        takeOver()
        publishIfReady()
        planTimer()
    }

    /// This machine may have taken another name, because its own was another's.
    private func tellOwnName() {
        guard isRunning, let stack, stack.state == .running, stack.hostName != backends.toldHost
        else { return }
        backends.toldHost = stack.hostName
        report(.running(host: stack.hostName))
    }

    /// What was asked has failed.
    private func lose() {
        let helper = stack as? EmbeddedStack
        disconnect()
        life = .away
        if let helper {
            helperFailed("the embedded stack ended (\(helper.ending ?? ""))")
            report(.lost(reason: backends.reason))
        } else {
            let reason = AvahiError.disconnected.description.lowercased()
            report(.lost(reason: "avahi-daemon went away (\(reason))"))
            if choice == .auto { backends.startDue = now + Self.grace }
        }
        awaitDaemon()
    }

    /// Asks the best stack that answers, if it is a better one than is asked now.
    func takeOver() {
        if let awaited = backends.awaited {
            // While another is asked, there is time until this one has claimed its name.
            let isReady = isRunning ? awaited.state == .running : awaited.state.canBrowse
            if isReady {
                backends.awaited = nil
                return use(awaited, .daemon)
            }
        }
        if let started = backends.started, !isRunning, started.state.canBrowse {
            backends.started = nil
            use(started, .embedded)
        }
    }

    private func use(_ next: any LookupStack, _ backend: Backend) {
        let wasRunning = isRunning
        let isOther = backends.hasServed && self.backend != backend
        leaveAnnouncement()
        disconnect()
        (stack, self.backend, life) = (next, backend, .running)
        backends.startDue = nil
        backends.toldHost = next.hostName
        if backend == .daemon {
            backends.busDue = nil
            limits.settings = .ofThisMachine()
        }
        backends.started?.close()
        backends.started = nil
        report(
            isOther
                ? .handedOver(to: backend, host: backends.toldHost)
                : .running(host: backends.toldHost))
        if backends.hasServed {
            report(.notice(.backendBack, Self.returnText(backend, isOther, wasRunning)))
            caughtUpDue = now + Self.catchUp
        }
        backends.hasServed = true
        releaseFirst()
        beginBrowsing()
        publishIfReady()
        if backend == .embedded, backends.busDue == nil { awaitDaemon() }
        planTimer()
    }

    private static func returnText(
        _ backend: Backend, _ isOther: Bool, _ wasRunning: Bool
    ) -> String {
        switch backend {
        case .daemon where isOther && wasRunning:
            "avahi-daemon is there, and asked in place of the embedded stack"
        case .daemon: "avahi-daemon is back"
        case .embedded where isOther: "the embedded stack is asked while avahi-daemon is away"
        case .embedded: "the embedded stack is back"
        }
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
