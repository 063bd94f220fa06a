// One run of `peerlist doctor`: makes the checks one after the other, and tells of each.
import Glibc
import PeerList

/// One run of `peerlist doctor`, from the options to the exit status.
struct DoctorRun {
    private let options: DoctorOptions
    private var reports: [CheckReport] = []
    private var firewall = FirewallSurvey(rules: .noTool, hasUFW: false)
    private var settings: DaemonSettings?
    private let width = DoctorText.width(on: STDOUT_FILENO)

    init(_ options: DoctorOptions) { self.options = options }

    /// Makes all checks.
    ///
    /// - Returns: ``ExitStatus/problem`` if there is a problem, else ``ExitStatus/done``.
    func run() async -> ExitStatus {
        var run = self
        return await run.examine()
    }

    private mutating func examine() async -> ExitStatus {
        let interfaces = LocalInterface.all()
        settings = text(of: settingsPath).map { DaemonSettings($0) }
        let allowsPointToPoint = settings?.allowsPointToPoint ?? false
        tell(
            .interfaces,
            InterfacesCheck.findings(for: interfaces, allowingPointToPoint: allowsPointToPoint))
        tell(.port, PortCheck.findings(for: PortListener.all()))
        firewall = .system()
        tell(.firewall, FirewallCheck.findings(for: firewall))
        let bus = BusCheck.survey(environment: environmentVariable)
        tell(.bus, BusCheck.findings(for: bus))
        let answer = await DaemonInquiry.ask(within: DaemonCheck.limit)
        let daemon = examine(answer, hasBus: bus.error == nil, interfaces)
        // Without the daemon the embedded stack is asked, which has settings of its own.
        let used = interfaces.filter {
            $0.isActive(allowingPointToPoint: allowsPointToPoint && daemon != nil)
        }
        tell(.echo, EchoCheck.findings(for: await EchoCheck.survey(used)))
        // A daemon that hangs would hold up whoever asks it.
        await ask(answer == .silent ? .embedded : .auto, used)
        let told =
            options.isJSON
            ? printOut(DoctorText.json(reports, host: daemon?.host, at: .now()))
            : printOut("\n" + DoctorText.summary(of: reports, width: width))
        return told == .done ? reports.status : told
    }

    /// The checks of the daemon itself, its settings and its version.
    private mutating func examine(
        _ outcome: DaemonInquiry.Outcome, hasBus: Bool, _ interfaces: [LocalInterface]
    ) -> DaemonReport? {
        let places = ["/usr/sbin/avahi-daemon", "/usr/bin/avahi-daemon", "/sbin/avahi-daemon"]
        let isInstalled = places.contains { unsafe access($0, F_OK) == 0 }
        let pairs = interfaces.filter {
            settings?.allowsPointToPoint == true && $0.isUsable && $0.isPointToPoint
        }
        tell(
            .daemon,
            DaemonCheck.findings(
                for: outcome, isInstalled: isInstalled, hasBus: hasBus,
                pairs: pairs.map(\.interface.name)))
        let report: DaemonReport? = if case .answered(let report) = outcome { report } else { nil }
        tell(
            .settings,
            settings.map {
                SettingsCheck.findings(for: $0, path: settingsPath, interfaces: interfaces)
            } ?? SettingsCheck.unreadable(settingsPath))
        tell(
            .weaknesses,
            WeaknessesCheck.findings(
                version: report?.version, package: .running(),
                usesWideArea: settings?.usesWideArea ?? true))
        return report
    }

    private var settingsPath: String { options.configuration ?? DaemonSettings.usualPath }

    /// The checks for which others are needed, on the interfaces that are used.
    private mutating func ask(_ backend: BackendChoice, _ interfaces: [LocalInterface]) async {
        guard !interfaces.isEmpty else {
            return tellUnasked(.unknown, "This cannot be checked without a network interface.")
        }
        if !options.isJSON, isatty(STDERR_FILENO) == 1 {
            complain("waiting for replies of other machines")
        }
        switch await DoctorInquiry(time: options.patience, backend: backend).run() {
        case .asked(let heard, var seen):
            tell(.heard, HeardCheck.findings(for: heard))
            if case .known(let filter) = firewall.rules {
                seen.isLetIn = filter.lets(inPort: Int(seen.port))
            }
            tell(.seen, VisibilityCheck.findings(for: seen, interfaces: interfaces))
        case .unannounced(let heard, let backend, let reason):
            tell(.heard, HeardCheck.findings(for: heard))
            tell(
                .seen,
                [VisibilityCheck.unannounced(by: backend, reason: reason, settings: settings)])
        case .unavailable(let reason): tellUnasked(.problem, "This cannot be checked: \(reason).")
        }
    }

    private mutating func tellUnasked(_ outcome: DoctorOutcome, _ reason: String) {
        for check in [DoctorCheck.heard, .seen] { tell(check, [Finding(outcome, reason)]) }
    }

    private mutating func tell(_ check: DoctorCheck, _ findings: [Finding]) {
        let report = CheckReport(check: check, findings: findings)
        reports.append(report)
        guard !options.isJSON else { return }
        // What cannot be printed is told at the end, when the last line cannot be either.
        _ = writeAll(Array(DoctorText.text(of: report, width: width).utf8), to: STDOUT_FILENO)
    }
}
