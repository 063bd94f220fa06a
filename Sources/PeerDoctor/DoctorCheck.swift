// Lists the checks of `peerlist doctor`, runs them in order and prints the results.
import Glibc
import PeerList
import PeerSystem
import PeerText

struct DoctorCheck: Sendable {
    let id: String
    let title: String
    let run: @Sendable (inout Examination) async -> [Finding]

    /// All checks, in order: each relies on the checks before.
    static let all = [
        DoctorCheck(id: "interfaces", title: "Network interfaces") {
            InterfacesCheck.findings(
                for: $0.interfaces, allowingPointToPoint: $0.allowsPointToPoint)
        },
        DoctorCheck(id: "port", title: "UDP port 5353") { _ in
            PortCheck.findings(for: PortListener.all())
        },
        DoctorCheck(id: "firewall", title: "Firewall") { $0.firewalls.findings },
        DoctorCheck(id: "bus", title: "D-Bus system bus") { $0.bus.findings },
        DoctorCheck(id: "daemon", title: "avahi-daemon") {
            DaemonCheck.findings(
                for: await $0.daemon.value, isInstalled: DaemonCheck.isInstalled,
                hasBus: $0.bus.error == nil, pointToPoint: $0.daemonOnlyInterfaces)
        },
        DoctorCheck(id: "settings", title: "Settings of avahi-daemon") {
            SettingsCheck.findings(
                for: $0.settings, path: $0.settingsPath, interfaces: $0.interfaces)
        },
        DoctorCheck(id: "echo", title: "Multicast loopback") {
            EchoCheck.findings(for: await EchoCheck.survey($0.activeInterfaces()))
        },
        DoctorCheck(id: "heard", title: "Other devices") {
            await $0.findings { $1.devices.findings }
        },
        DoctorCheck(id: "seen", title: "Visibility to other machines") {
            let interfaces = await $0.activeInterfaces()
            return await $0.findings {
                VisibilityCheck.findings(
                    for: $1, isUnfiltered: $0.firewalls.areAbsent, settings: $0.settings,
                    interfaces: interfaces)
            }
        },
        DoctorCheck(id: "link", title: "Traffic on the link") { await $0.linkFindings() },
    ]
}

/// The observations that checks share, each made once, when a check first needs it.
struct Examination {
    let interfaces = LocalInterface.all()
    let settingsPath: String
    /// The settings of avahi-daemon, or `nil` if their file cannot be read.
    let settings: DaemonSettings?
    lazy var firewalls = Firewalls.system()
    lazy var daemon = Task { await DaemonInquiry.ask(within: DaemonCheck.limit) }
    lazy var bus = BusCheck(address: environmentVariable("DBUS_SYSTEM_BUS_ADDRESS"))
    /// The time to wait for replies of other machines.
    private let patience: Duration
    private var probe: Result<VisibilityProbe.Observations, BackendError>?

    /// The traffic that is heard meanwhile.
    private let listening: Task<(value: LinkTraffic, paths: [NetworkPath]), Never>
    private let listeningTime: Duration
    private let start = ContinuousClock.now

    init(configuration: String?, patience: Duration, listeningTime: Duration) {
        (self.patience, self.listeningTime) = (patience, listeningTime)
        let paths = interfaces.filter(\.isUsable).flatMap(\.paths)
        listening = Task {
            await LinkListener.fold(on: paths, for: listeningTime, into: LinkTraffic()) {
                $0.hear($1)
            }
        }
        settingsPath = configuration ?? DaemonSettings.usualPath
        settings = readText(settingsPath).map { DaemonSettings($0) }
    }

    var allowsPointToPoint: Bool { settings?.allowsPointToPoint ?? false }

    /// The names of usable interfaces that only avahi-daemon uses.
    var daemonOnlyInterfaces: [String] {
        interfaces.filter { allowsPointToPoint && $0.isUsable && $0.isPointToPoint }
            .map(\.interface.name)
    }

    mutating func daemonReport() async -> DaemonReport? {
        guard case .answered(let report) = await daemon.value else { return nil }
        return report
    }

    mutating func activeInterfaces() async -> [LocalInterface] {
        let hasDaemon = await daemonReport() != nil
        return interfaces.filter {
            $0.isActive(allowingPointToPoint: allowsPointToPoint && hasDaemon)
        }
    }

    /// Returns the findings about what was heard on the link.
    mutating func linkFindings() async -> [Finding] {
        guard interfaces.contains(where: \.isUsable) else { return .noInterface }
        Progress.update(.search("listening to the link", until: start + listeningTime))
        let heard = await listening.value
        let names = if case .success(let seen) = probe { seen.names } else { [String: String]() }
        return LinkCheck(
            traffic: heard.value, time: listeningTime, paths: heard.paths, names: names
        ).findings
    }

    /// Returns the findings about the observations of a probe of the link, or why there are none.
    mutating func findings(
        _ body: (inout Examination, VisibilityProbe.Observations) -> [Finding]
    ) async -> [Finding] {
        guard await !activeInterfaces().isEmpty else { return .noInterface }
        if probe == nil {
            Progress.update(
                .search("waiting for replies of other machines", until: .now + patience))
            // A daemon that hangs would block the probe.
            let backend: BackendChoice = await daemon.value == .silent ? .embedded : .auto
            do throws(BackendError) {
                probe = .success(
                    try await VisibilityProbe().observe(for: patience, over: backend))
            } catch {
                probe = .failure(error)
            }
        }
        switch probe {
        case .success(let observations): return body(&self, observations)
        case .failure(let error):
            return .one(.problem, "This check is not possible: \(error.description).")
        case nil: return []
        }
    }
}
