// Lists the checks of `peerlist doctor`, runs them in order and prints the results.
import Glibc
import PeerList

/// A check of `peerlist doctor`.
///
/// A new check needs a row in ``all``, a function that returns its findings, a row in docs/doctor.md
/// and an entry in docs/schema/peerlist-doctor.schema.json; a test compares the four.
struct DoctorCheck: Sendable {
    /// The name of the check in JSON.
    let id: String
    let title: String
    /// Runs the check.
    let run: @Sendable (inout Examination) async -> [Finding]

    /// All checks, in order: each relies on the ones before it.
    static let all = [
        DoctorCheck(id: "interfaces", title: "Network interfaces") {
            InterfacesCheck.findings(
                for: $0.interfaces, allowingPointToPoint: $0.allowsPointToPoint)
        },
        DoctorCheck(id: "port", title: "UDP port 5353") { _ in
            PortCheck.findings(for: PortListener.all())
        },
        DoctorCheck(id: "firewall", title: "Firewall") {
            FirewallCheck.findings(for: $0.firewalls)
        },
        DoctorCheck(id: "bus", title: "D-Bus system bus") { BusCheck.findings(for: $0.bus) },
        DoctorCheck(id: "daemon", title: "avahi-daemon") {
            DaemonCheck.findings(
                for: await $0.daemon(), isInstalled: DaemonCheck.isInstalled,
                hasBus: $0.bus.error == nil, pointToPoint: $0.daemonOnlyInterfaces)
        },
        DoctorCheck(id: "settings", title: "Settings of avahi-daemon") {
            SettingsCheck.findings(
                for: $0.settings, path: $0.settingsPath, interfaces: $0.interfaces)
        },
        DoctorCheck(id: "weaknesses", title: "Version of avahi-daemon") {
            DaemonCheck.versionFindings(for: await $0.daemon())
        },
        DoctorCheck(id: "echo", title: "Multicast loopback") {
            EchoCheck.findings(for: await EchoCheck.survey($0.activeInterfaces()))
        },
        DoctorCheck(id: "heard", title: "Other devices") {
            await $0.findings { HeardCheck.findings(for: $1.devices) }
        },
        DoctorCheck(id: "seen", title: "Visibility to other machines") {
            let interfaces = await $0.activeInterfaces()
            return await $0.findings {
                VisibilityCheck.findings(
                    for: $1, isUnfiltered: $0.firewalls.areAbsent, settings: $0.settings,
                    interfaces: interfaces)
            }
        },
    ]
}

/// A run of `peerlist doctor`.
struct DoctorRun {
    private let options: DoctorOptions

    init(_ options: DoctorOptions) { self.options = options }

    /// Makes all checks and prints their results.
    ///
    /// - Returns: ``ExitStatus/problem`` if a check found a problem.
    func run() async -> ExitStatus {
        let width = DoctorText.width(on: STDOUT_FILENO)
        var examination = Examination(options)
        var reports: [CheckReport] = []
        for check in DoctorCheck.all {
            let report = CheckReport(
                id: check.id, title: check.title, findings: await check.run(&examination))
            reports.append(report)
            guard !options.isJSON else { continue }
            // A write error recurs at the summary, which reports it.
            _ = writeAll(Array(DoctorText.text(of: report, width: width).utf8), to: STDOUT_FILENO)
        }
        let host = await examination.daemonReport()?.host
        let summary =
            options.isJSON
            ? DoctorText.json(reports, host: host, at: .now())
            : "\n" + DoctorText.summary(of: reports, width: width)
        let printed = printOut(summary)
        return printed == .done ? reports.status : printed
    }
}
