// Lists the checks of `peerlist doctor` in the order in which they run.
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

    init(
        _ id: String, _ title: String,
        run: @escaping @Sendable (inout Examination) async -> [Finding]
    ) {
        self.id = id
        self.title = title
        self.run = run
    }

    /// All checks, in order: each relies on the ones before it.
    static let all = [
        DoctorCheck("interfaces", "Network interfaces") {
            InterfacesCheck.findings(
                for: $0.interfaces, allowingPointToPoint: $0.allowsPointToPoint)
        },
        DoctorCheck("port", "UDP port 5353") { _ in
            PortCheck.findings(for: PortListener.all())
        },
        DoctorCheck("firewall", "Firewall") { FirewallCheck.findings(for: $0.firewalls) },
        DoctorCheck("bus", "D-Bus system bus") { BusCheck.findings(for: $0.bus) },
        DoctorCheck("daemon", "avahi-daemon") {
            DaemonCheck.findings(
                for: await $0.daemon(), isInstalled: DaemonCheck.isInstalled,
                hasBus: $0.bus.error == nil, pointToPoint: $0.daemonOnlyInterfaces)
        },
        DoctorCheck("settings", "Settings of avahi-daemon") {
            SettingsCheck.findings(
                for: $0.settings, path: $0.settingsPath, interfaces: $0.interfaces)
        },
        DoctorCheck("weaknesses", "Version of avahi-daemon") {
            DaemonCheck.versionFindings(for: await $0.daemon())
        },
        DoctorCheck("echo", "Multicast loopback") {
            EchoCheck.findings(for: await EchoCheck.survey($0.activeInterfaces()))
        },
        DoctorCheck("heard", "Other devices") {
            await $0.findings { HeardCheck.findings(for: $1.devices) }
        },
        DoctorCheck("seen", "Visibility to other machines") {
            let interfaces = await $0.activeInterfaces()
            return await $0.findings {
                VisibilityCheck.findings(
                    for: $1, isUnfiltered: $0.firewalls.areAbsent, settings: $0.settings,
                    interfaces: interfaces)
            }
        },
    ]
}
