// Lists the checks of `peerlist doctor`, runs them in order and prints the results.
import Glibc
import PeerList
import PeerSystem
import PeerText

struct DoctorCheck: Sendable {
    let id: String
    let title: String
    /// Whether the check is left out if there is nothing to check.
    var isOptional = false
    let run: @Sendable (inout Examination) async -> [Finding]

    /// All checks, in order: each relies on the checks before.
    static let all = [
        DoctorCheck(id: "interfaces", title: "Network interfaces") {
            InterfacesCheck.findings(
                for: $0.interfaces, allowingPointToPoint: $0.allowsPointToPoint)
        },
        DoctorCheck(id: "port", title: "UDP port 5353") {
            PortCheck.findings(for: $0.listeners)
        },
        DoctorCheck(id: "firewall", title: "Firewall") { $0.firewalls.findings },
        DoctorCheck(id: "bus", title: "D-Bus system bus") { $0.bus.findings },
        DoctorCheck(id: "daemon", title: "avahi-daemon") {
            DaemonCheck.findings(
                for: await $0.daemon.value, isInstalled: DaemonCheck.isInstalled,
                hasBus: $0.bus.error == nil, pointToPoint: $0.daemonOnlyInterfaces,
                usesResolved: $0.usesResolved)
        },
        DoctorCheck(id: "settings", title: "Settings of avahi-daemon") {
            SettingsCheck.findings(
                for: $0.settings, path: $0.settingsPath, interfaces: $0.interfaces)
        },
        DoctorCheck(id: "echo", title: "Multicast loopback") {
            EchoCheck.findings(for: await $0.echo())
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
        DoctorCheck(id: "names", title: "Names in .local") {
            await NamesCheck.run($0.hostsToResolve(), usesResolved: $0.usesResolved).findings
        },
        DoctorCheck(id: "path", title: "Multicast to and from other devices") {
            await $0.pathFindings()
        },
        DoctorCheck(id: "link", title: "Traffic on the link") { await $0.linkFindings() },
        DoctorCheck(id: "protocols", title: "Other protocols") { _ in
            await ProtocolsCheck.run().findings
        },
        DoctorCheck(id: "thread", title: "Thread networks", isOptional: true) {
            await $0.threadFindings()
        },
    ]
}

/// The observations that checks share, each made once, when a check first needs it.
struct Examination {
    let interfaces = LocalInterface.all()
    let settingsPath: String
    /// The settings of avahi-daemon, or `nil` if their file cannot be read.
    let settings: DaemonSettings?
    /// The programs on port 5353, or `nil` if they cannot be listed.
    lazy var listeners = PortListener.all()
    /// Whether systemd-resolved uses multicast DNS.
    lazy var usesResolved = listeners?.contains(where: \.isResolved) == true
    lazy var firewalls = Firewalls.system()
    lazy var daemon = Task { await DaemonInquiry.ask(within: DaemonCheck.limit) }
    lazy var bus = BusCheck(address: environmentVariable("DBUS_SYSTEM_BUS_ADDRESS"))
    /// The time to wait for replies of other machines.
    private let patience: Duration
    private var probe: Result<VisibilityProbe.Observations, BackendError>?
    private var echoResults: [EchoCheck.PathResult]?

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
        return LinkCheck(
            traffic: heard.value, time: listeningTime, paths: heard.paths,
            names: listing.namesByAddress
        ).findings
    }

    /// The observations of the probe of the link; `nil` unless it succeeded.
    private var observations: VisibilityProbe.Observations? { try? probe?.get() }

    private var listing: PeerListing { observations?.listing ?? PeerListing() }

    /// Returns which paths bring multicast of this machine back.
    mutating func echo() async -> [EchoCheck.PathResult] {
        if let echoResults { return echoResults }
        let results = await EchoCheck.survey(activeInterfaces())
        echoResults = results
        return results
    }

    /// Returns the names of this machine, of a device that responds, and of one without IPv4 if there is any, with their
    /// addresses.
    mutating func hostsToResolve() async -> [(host: String, addresses: Set<String>)] {
        let daemon = await daemonReport()?.host
        let own = daemon ?? (usesResolved ? "\(hostLabel()).local" : nil)
        let addresses = interfaces.flatMap(\.addresses).map(\.address.description)
        // Debian lists the name of the machine in /etc/hosts with this address.
        let ownAddresses = Set((addresses + ["127.0.1.1"]).map(HostLookup.number))
        let others = observations.map { NamesCheck.hosts(of: $0.listing, responded: $0.responded) }
        return (own.map { [($0, ownAddresses)] } ?? []) + (others ?? [])
    }

    /// Returns the findings about multicast to other devices and back, until the link has been listened to.
    mutating func pathFindings() async -> [Finding] {
        guard await !activeInterfaces().isEmpty else { return .noInterface }
        guard let observations else {
            return .one(.unknown, "This check requires the devices of the check 'heard'.")
        }
        let devices = PathCheck.devices(
            of: observations.listing, responded: observations.responded)
        guard !devices.isEmpty else {
            return .one(.unknown, "Not known: there is no other device to ask.")
        }
        let begin = ContinuousClock.now
        let end = max(start + listeningTime, begin + PathCheck.shortestTime)
        Progress.update(.search("asking the other devices", until: end))
        let returned = await echo().filter { $0.outcome == .returned }.map(\.path)
        let gateways = RouteTable.current(interfaces).defaultGateways
        let check = await PathCheck.run(
            devices, on: activeInterfaces().flatMap(\.paths), returned: Set(returned),
            gateways: Set(gateways.map(\.description)), for: end - .now, after: begin - start)
        return check.findings
    }

    /// Returns the findings about Thread networks; none if no border router is heard.
    func threadFindings() async -> [Finding] {
        let heard = await listening.value.value
        return ThreadCheck(listing, interfaces: interfaces, senders: heard.announcedHosts).findings
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
