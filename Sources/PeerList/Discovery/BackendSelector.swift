// Selects the backend: the daemon while it answers, otherwise the embedded stack.

/// Decides which stack is used, when a stack is started or connected to, and when a failed attempt is repeated.
struct BackendSelector {
    /// The time for the daemon to return before the embedded stack is started.
    static let grace = Duration.milliseconds(1_500)
    /// The time to the next attempt to connect to the daemon: without a backend, with another backend, and after the
    /// daemon did not answer.
    static let busRetry = (
        away: Duration.milliseconds(500), served: Duration.seconds(2), silent: Duration.seconds(30)
    )
    /// The maximum time from a helper's start to its answer.
    static let startLimit = Duration.seconds(5)

    private enum Phase: Hashable {
        case new
        /// Waiting for the first daemon connection.
        case startingDaemon
        /// Waiting for the first helper.
        case startingHelper
        case away
        case running
    }

    private let choice: BackendChoice
    private var phase = Phase.new
    /// The backend in use, or the last backend that was used.
    private(set) var backend = Backend.daemon
    private var statuses: [StackSlot: StackStatus] = [:]
    private var isInquiring = false
    /// The time to connect to the daemon again.
    private var busDue: Duration?
    /// The time to start a helper, unless a backend is running then.
    private var startDue: Duration?
    private var helperStarted = Duration.zero
    private var restarts = RestartSchedule()
    /// The reasons for which the backends could not be used at the start.
    private var reasons: [String] = []
    private var hasServed = false
    /// The last reported host name of this machine.
    private(set) var hostName = ""
    /// The last reported warning, so that a helper that is started again does not repeat it.
    private var reportedWarning: String?

    init(_ choice: BackendChoice) { self.choice = choice }

    var isRunning: Bool { phase == .running }

    var current: StackStatus? { statuses[.current] }

    /// The reason for which no backend can be asked.
    var absence: String? {
        guard !isRunning else { return nil }
        return backend == .embedded ? "the embedded stack is away" : "avahi-daemon is away"
    }

    /// Starts the best backend that may be used.
    mutating func start(_ step: inout DiscoveryStep) {
        phase = .startingDaemon
        switch choice {
        case .auto: inquire(&step)
        case .daemon: step.add(.connectDaemon(waits: false))
        case .embedded: startHelper(&step)
        }
    }

    mutating func inquired(isSilent: Bool, _ step: inout DiscoveryStep) {
        isInquiring = false
        if isSilent { busDue = step.now + Self.busRetry.silent }
        if phase == .startingDaemon {
            guard isSilent else { return step.add(.connectDaemon(waits: false)) }
            daemonFailed("avahi-daemon does not answer", &step)
        } else if wantsDaemon, !isSilent {
            step.add(.connectDaemon(waits: true))
        }
    }

    mutating func daemonRefused(_ error: StackError, _ step: inout DiscoveryStep) {
        if phase == .startingDaemon {
            daemonFailed(Self.daemonText(error.description), &step)
        } else {
            // libavahi does not wait for a missing bus.
            busDue = step.now + (isRunning ? Self.busRetry.served : Self.busRetry.away)
        }
    }

    /// Handles a helper that could not be started, has ended, or does not answer.
    mutating func helperFailed(_ reason: String, _ step: inout DiscoveryStep) {
        closeCandidate(.helper, &step)
        startDue = step.now + restarts.wait(afterLife: step.now - helperStarted)
        guard phase == .startingHelper else { return }
        reasons.append(reason)
        fail(&step)
    }

    /// Updates the states of the stacks; returns the reason if the stack in use is lost.
    mutating func update(
        _ statuses: [StackSlot: StackStatus], _ step: inout DiscoveryStep
    ) -> String? {
        self.statuses = statuses
        guard isRunning, let current, current.state == .failed else { return nil }
        phase = .away
        guard backend == .daemon else {
            let reason = Self.endText(current)
            helperFailed(reason, &step)
            return reason
        }
        if choice == .auto { startDue = step.now + Self.grace }
        return "avahi-daemon went away (\(StackError.disconnected.description.lowercased()))"
    }

    /// Records that the stack in use is closed.
    mutating func closed() { statuses[.current] = nil }

    /// Closes candidates that have failed, reports a new host name, and waits for a daemon if one may be used.
    mutating func checkCandidates(_ step: inout DiscoveryStep) {
        if isRunning, let current, current.state == .running, current.hostName != hostName {
            hostName = current.hostName
            step.report(.running(host: hostName))
        }
        if let daemon = statuses[.daemon] {
            if phase == .startingDaemon, !daemon.canBrowse {
                closeCandidate(.daemon, &step)
                daemonFailed(
                    Self.daemonText(StackError.disconnected.description), &step)
            } else if daemon.state == .failed {
                closeCandidate(.daemon, &step)
                awaitDaemon(&step)
            }
        }
        if let helper = statuses[.helper], helper.state == .failed {
            helperFailed(Self.endText(helper), &step)
        }
    }

    /// Waits for a daemon, if a daemon may be used and is not in use.
    ///
    /// A call to a daemon that hangs blocks for 25 s. If another backend may be used meanwhile, the daemon is
    /// asked on another thread first.
    mutating func awaitDaemon(_ step: inout DiscoveryStep) {
        guard wantsDaemon, !isInquiring else { return }
        if choice == .auto {
            inquire(&step)
        } else {
            step.add(.connectDaemon(waits: true))
        }
    }

    /// The candidate that is ready and preferred to the stack in use, or `nil`.
    var readyCandidate: StackSlot? {
        if let daemon = statuses[.daemon] {
            // While another stack is in use, the daemon can finish claiming its host name first.
            if isRunning ? daemon.state == .running : daemon.canBrowse { return .daemon }
        }
        return !isRunning && statuses[.helper]?.canBrowse == true ? .helper : nil
    }

    /// Makes a candidate the stack in use.
    ///
    /// - Returns: Whether another backend was used before, so that everything must be found again.
    mutating func use(_ slot: StackSlot, _ step: inout DiscoveryStep) -> Bool {
        guard let status = statuses.removeValue(forKey: slot) else { return false }
        let next: Backend = slot == .daemon ? .daemon : .embedded
        let (wasRunning, isOther, isFirst) = (isRunning, hasServed && backend != next, !hasServed)
        step.add(.use(slot))
        statuses[.current] = status
        (backend, phase, startDue, hasServed) = (next, .running, nil, true)
        if next == .daemon { busDue = nil }
        closeCandidate(.helper, &step)
        hostName = status.hostName
        step.report(
            isOther ? .handedOver(to: next, host: hostName) : .running(host: hostName))
        if !isFirst {
            step.report(.backendChanged(to: next, Self.returnText(next, isOther, wasRunning)))
        }
        if let warning = status.warning, warning != reportedWarning {
            reportedWarning = warning
            step.report(.notice(.notConfined, warning))
        }
        if isFirst { step.add(.started(.success(hostName))) }
        return !isFirst
    }

    /// Starts to wait for the daemon while the helper is in use.
    mutating func finishUse(_ step: inout DiscoveryStep) {
        if backend == .embedded, busDue == nil { awaitDaemon(&step) }
    }

    var deadline: Duration? {
        let limit = statuses[.helper].map { _ in helperStarted + Self.startLimit }
        return [busDue, isRunning ? nil : startDue, limit].compactMap { $0 }.min()
    }

    mutating func advance(_ step: inout DiscoveryStep) {
        if let due = busDue, due <= step.now {
            busDue = nil
            awaitDaemon(&step)
        }
        if let due = startDue, due <= step.now, !isRunning { startHelper(&step) }
        if statuses[.helper] != nil, helperStarted + Self.startLimit <= step.now {
            helperFailed("the embedded stack does not answer", &step)
        }
    }

    private var wantsDaemon: Bool {
        choice != .embedded && statuses[.daemon] == nil && !(isRunning && backend == .daemon)
    }

    private mutating func inquire(_ step: inout DiscoveryStep) {
        isInquiring = true
        step.add(.inquireDaemon)
    }

    private mutating func startHelper(_ step: inout DiscoveryStep) {
        if phase == .startingDaemon { phase = .startingHelper }
        (startDue, helperStarted) = (nil, step.now)
        step.add(.startHelper)
    }

    private mutating func closeCandidate(_ slot: StackSlot, _ step: inout DiscoveryStep) {
        if statuses.removeValue(forKey: slot) != nil { step.add(.closeStack(slot)) }
    }

    /// At the start, continues with the helper if the helper may be used, or else fails.
    private mutating func daemonFailed(_ reason: String, _ step: inout DiscoveryStep) {
        reasons.append(reason)
        if choice == .auto { startHelper(&step) } else { fail(&step) }
    }

    private mutating func fail(_ step: inout DiscoveryStep) {
        phase = .away
        let reason = reasons.joined(separator: "; ")
        let advice = """
            Start avahi-daemon with 'systemctl start avahi-daemon' (as root), or install it with \
            'apt-get install avahi-daemon'
            """
        let text = choice == .embedded ? reason : "\(reason). \(advice)"
        step.add(.started(.failure(BackendError(text))))
    }

    private static func daemonText(_ error: String) -> String {
        "avahi-daemon cannot be asked: \(error.lowercased())"
    }

    private static func endText(_ status: StackStatus) -> String {
        "the embedded stack ended (\(status.ending ?? ""))"
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

/// The time before a helper that has ended is started again; it doubles while restarts do not help.
struct RestartSchedule {
    /// The time until the first restart.
    static let first = Duration.milliseconds(100)
    static let longest = Duration.seconds(10)
    /// The running time after which the end of a helper is followed by a restart after ``first``.
    static let longEnough = Duration.seconds(30)

    private var last: Duration?

    mutating func wait(afterLife life: Duration) -> Duration {
        let helped = life >= Self.longEnough
        let next = helped ? Self.first : last.map { min($0 * 2, Self.longest) } ?? Self.first
        last = next
        return next
    }
}
