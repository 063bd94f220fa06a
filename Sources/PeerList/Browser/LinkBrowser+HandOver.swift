// Who is asked: the daemon, or the embedded stack while it is away.

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

    /// Asks a stack from now on.
    func use(_ next: any LookupStack, _ backend: Backend) {
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
            report(.served(by: backend, Self.returnText(backend, isOther, wasRunning)))
            caughtUpDue = now + Self.catchUp
        }
        backends.hasServed = true
        tellWarning(of: next)
        releaseFirst()
        beginBrowsing()
        publishIfReady()
        if backend == .embedded, backends.busDue == nil { awaitDaemon() }
        planTimer()
    }

    private func tellWarning(of stack: any LookupStack) {
        guard let warning = stack.warning, warning != backends.toldWarning else { return }
        backends.toldWarning = warning
        report(.notice(.notConfined, warning))
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
}
