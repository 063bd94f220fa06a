// Decides when the witness is started, and which of its problems are reported.

/// The state of the witness: off, listening, or to be started again after a while.
struct WitnessControl {
    /// The time from a failure to the next attempt; each failure doubles it.
    static let retryInterval = (first: Duration.seconds(10), longest: Duration.seconds(600))

    private var retryDue: Duration?
    private var interval = Self.retryInterval.first
    private var listeningSince: Duration?
    private var hasReportedFailure = false
    private var hasReportedLimit = false
    private var hasReportedWarning = false

    /// The time at which the witness is to be started again, or `nil` for never.
    var deadline: Duration? { retryDue }

    mutating func start(_ step: inout DiscoveryStep) { step.add(.startWitness) }

    mutating func advance(_ step: inout DiscoveryStep) {
        guard let due = retryDue, due <= step.now else { return }
        retryDue = nil
        step.add(.startWitness)
    }

    /// Handles a report, except of records and senders.
    mutating func handle(_ report: WitnessReport, _ step: inout DiscoveryStep) {
        switch report {
        case .listening: listeningSince = step.now
        case .failed(let reason): failed(reason, &step)
        case .omitted:
            if !hasReportedLimit { step.report(Self.limitNotice) }
            hasReportedLimit = true
        case .captureEnded(let reason):
            step.report(.notice(.captureEnded, "the capture has ended: \(reason)"))
        case .warning(let warning):
            if !hasReportedWarning { step.report(.notice(.notConfined, warning)) }
            hasReportedWarning = true
        case .heard: break
        }
    }

    private mutating func failed(_ reason: String, _ step: inout DiscoveryStep) {
        // A witness that listened for long did not fail for the same reason as before.
        if let since = listeningSince, step.now - since >= Self.retryInterval.longest {
            (interval, hasReportedFailure) = (Self.retryInterval.first, false)
        }
        listeningSince = nil
        retryDue = step.now + interval
        interval = min(interval * 2, Self.retryInterval.longest)
        if !hasReportedFailure {
            step.report(
                .notice(
                    .witnessFailed,
                    """
                    the packets on the link cannot be heard (\(reason)): everything is listed by the \
                    backend alone, and listening is tried again
                    """))
        }
        hasReportedFailure = true
    }

    private static let limitNotice = DiscoveryEvent.Kind.notice(
        .witnessLimit,
        """
        more is announced on the link than is listened to: the backend resolves the rest, and its senders are \
        not known
        """)
}
