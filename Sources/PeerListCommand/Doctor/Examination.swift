// Makes the observations that several checks of `peerlist doctor` need.
import Glibc
import PeerList

/// The observations that checks share, each made once, when a check first needs it.
struct Examination {
    let interfaces = LocalInterface.all()
    let settingsPath: String
    /// The settings of avahi-daemon, or `nil` if their file cannot be read.
    let settings: DaemonSettings?
    lazy var firewalls = Firewalls.system()
    lazy var bus = BusCheck.survey(address: environmentVariable("DBUS_SYSTEM_BUS_ADDRESS"))
    private let options: DoctorOptions
    private var daemonOutcome: DaemonInquiry.Outcome?
    private var probeOutcome: VisibilityProbe.Outcome?

    init(_ options: DoctorOptions) {
        self.options = options
        settingsPath = options.configuration ?? DaemonSettings.usualPath
        settings = readText(settingsPath).map { DaemonSettings($0) }
    }

    var allowsPointToPoint: Bool { settings?.allowsPointToPoint ?? false }

    /// The names of usable interfaces that only avahi-daemon uses.
    var daemonOnlyInterfaces: [String] {
        guard allowsPointToPoint else { return [] }
        return interfaces.filter { $0.isUsable && $0.isPointToPoint }.map(\.interface.name)
    }

    /// Queries avahi-daemon.
    mutating func daemon() async -> DaemonInquiry.Outcome {
        if let daemonOutcome { return daemonOutcome }
        let outcome = await DaemonInquiry.ask(within: DaemonCheck.limit)
        daemonOutcome = outcome
        return outcome
    }

    /// The reply of avahi-daemon, or `nil` if there is none.
    mutating func daemonReport() async -> DaemonReport? {
        guard case .answered(let report) = await daemon() else { return nil }
        return report
    }

    /// The interfaces that the backend uses.
    mutating func activeInterfaces() async -> [LocalInterface] {
        let hasDaemon = await daemonReport() != nil
        return interfaces.filter {
            $0.isActive(allowingPointToPoint: allowsPointToPoint && hasDaemon)
        }
    }

    /// Returns the findings about a completed probe, or why there is none.
    mutating func findings(
        _ body: (inout Examination, VisibilityProbe.Result) -> [Finding]
    ) async -> [Finding] {
        guard await !activeInterfaces().isEmpty else {
            return [Finding(.unknown, "This check requires a network interface.")]
        }
        switch await probe() {
        case .completed(let result): return body(&self, result)
        case .unavailable(let reason):
            return [Finding(.problem, "This check is not possible: \(reason).")]
        }
    }

    private mutating func probe() async -> VisibilityProbe.Outcome {
        if let probeOutcome { return probeOutcome }
        if !options.isJSON, isatty(STDERR_FILENO) == 1 {
            complain("waiting for replies of other machines")
        }
        // A daemon that hangs would block the probe.
        let backend: BackendChoice = await daemon() == .silent ? .embedded : .auto
        let outcome = await VisibilityProbe.run(for: options.patience, over: backend)
        probeOutcome = outcome
        return outcome
    }
}
