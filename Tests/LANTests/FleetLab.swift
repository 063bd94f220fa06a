// A fleet on the LAN: a broker, and observers on two segments that do not hear each other.
import FoundationEssentials
import LabSupport
import PeerModel
import Testing

/// The machines of a fleet.
///
/// On h1 runs mosquitto(8) as `docs/examples/fleet` configures it, and at port 8884 requires certificates of
/// its users. All machines reach it over LAN 0, which multicast DNS does not use. h2 and h3 are on LAN 1
/// (site `office`), h4 is on LAN 2 (site `cellar`).
actor FleetLab {
    /// The other users of the broker: `fleet` reads, `homeassistant` too, `stranger` has topics of its own only.
    private static let users = ["h2", "h3", "h4", "fleet", "homeassistant", "stranger"]
    /// The interface of an observer's segment.
    static let interface = "eth1"

    nonisolated let lab: Lab
    private var broker: RunningProcess?

    private init(_ lab: Lab) { self.lab = lab }

    /// Runs a test with a broker; observers are not started.
    static func with(_ test: (FleetLab) async throws -> Void) async throws {
        try await Lab.with(hosts: 4) { lab in
            try await lab.perform("daemon", "h1", "stop")
            for (host, segment) in [("h2", "1"), ("h3", "1"), ("h4", "2")] {
                try await lab.perform("add-interface", host, segment)
                // Restarts the daemon, so that it has all its addresses when it probes for its name: one to
                // which addresses were added meanwhile called itself h2-2, though no other machine was h2.
                try await lab.perform("conf", host, "server.deny-interfaces=eth0")
            }
            let fleet = FleetLab(lab)
            try await fleet.configure()
            try await fleet.startBroker()
            try await test(fleet)
        }
    }

    /// The rights of the observers, as those in the documentation, and at two more prefixes. The stranger may write at
    /// any site.
    private static var rights: String {
        let places = [("h2", "office"), ("h3", "office"), ("h4", "cellar"), ("h4", "office")]
        return (places + [("stranger", "+")])
            .map { user, site in
                """

                user \(user)
                topic readwrite peerlist/v1/\(site)/\(user)/#
                topic readwrite berlin/v1/\(site)/\(user)/#
                topic readwrite paris/v1/\(site)/\(user)/#
                topic readwrite homeassistant/device_tracker/\(user)/+/config

                """
            }.joined() + "\nuser fleet\ntopic read berlin/#\ntopic read paris/#\n"
    }

    /// Writes `/etc/mosquitto` of Debian with the files of the documentation, certificates and users.
    private func configure() async throws {
        let place = lab.directory.path
        for name in ["peerlist.conf", "peerlist.acl"] {
            let text = try TextFile.read("\(BuiltProducts.package)/docs/examples/fleet/\(name)")
            try lab.directory.write(
                text.replacing("/etc/mosquitto/", with: "\(place)/mosquitto/")
                    + (name == "peerlist.acl" ? Self.rights : ""),
                to: "mosquitto/" + (name == "peerlist.conf" ? "conf.d/\(name)" : name))
        }
        try lab.directory.write(
            """
            pid_file \(place)/mosquitto/pid
            persistence true
            persistence_location \(place)/mosquitto/
            log_dest stderr
            log_type all
            user root
            listener 8884
            certfile \(place)/mosquitto/certs/broker.crt
            keyfile \(place)/mosquitto/certs/broker.key
            cafile \(place)/mosquitto/certs/ca.crt
            require_certificate true
            use_identity_as_username true
            include_dir \(place)/mosquitto/conf.d
            """, to: "mosquitto/mosquitto.conf")
        let passwords = Self.users.map { "\($0):secret of \($0)\n" }
        try lab.directory.write(passwords.joined(), to: "mosquitto/peerlist.passwords")
        for user in Self.users {
            try lab.directory.write("secret of \(user)\n", to: "\(user).password", mode: 0o600)
        }
        let made = try await FinishedProcess(
            ["sh", "-euc", try Self.credentials(), "sh", place], within: .seconds(120))
        guard made.status == 0 else { throw Disagreement(description: made.errors) }
    }

    /// Makes certificates as in `docs/fleet.md`, in `other` by an authority that clients do not trust, and
    /// those of two users.
    private static func credentials() throws -> String {
        let blocks = try TextFile.blocks("sh", under: "### Certificates", of: "fleet.md")
        guard blocks.count == 1 else { throw Disagreement(description: "\(blocks)") }
        return """
            mosquitto_passwd -U "$1/mosquitto/peerlist.passwords"
            mkdir "$1/mosquitto/certs" "$1/other"
            for place in "$1/mosquitto/certs" "$1/other"; do
                cd "$place"
                \(blocks[0].replacing("192.0.2.1", with: "10.99.0.1"))
            done
            cd "$1/mosquitto/certs"
            for user in h4 fleet; do
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \\
                    -subj "/CN=$user" -addext 'basicConstraints=critical,CA:FALSE' \\
                    -CA ca.crt -CAkey ca.key -keyout "$user.key" -out "$user.crt"
            done
            """
    }
}

// The broker.
extension FleetLab {
    private nonisolated var database: String { lab.directory.path + "/mosquitto/mosquitto.db" }

    func startBroker() async throws {
        let broker = try lab.start(
            "h1",
            [
                "sh", "-c", "exec mosquitto -c \"$1/mosquitto/mosquitto.conf\" 2>&1", "sh",
                lab.directory.path,
            ])
        self.broker = broker
        try await broker.line(within: .seconds(60)) { $0.contains(" running") }
    }

    /// Has the broker write its retained messages to disk.
    func saveMessages() async throws {
        await broker?.send(10)
        try await broker?.line(within: .seconds(60)) { $0.contains("Saving in-memory database") }
    }

    /// Kills the broker, which saves nothing.
    func killBroker(forgetting isForgetting: Bool = false) async throws {
        await broker?.send(9)
        try await broker?.end(within: .seconds(60))
        if isForgetting { _ = try await FinishedProcess(["rm", "-f", database]) }
    }

    func pauseBroker() async throws { try await broker?.stop() }
    func resumeBroker() async { await broker?.send(18) }
}

// The clients.
extension FleetLab {
    /// Returns the options of a user of the broker.
    nonisolated func login(
        password: String, authority: String = "mosquitto/certs"
    ) -> [String] {
        let place = lab.directory.path
        return [
            "--password-file", "\(place)/\(password).password", "--ca-file",
            "\(place)/\(authority)/ca.crt",
        ]
    }

    /// Returns the options of a user of the broker's second listener, which asks for no password.
    nonisolated func certificate(of user: String) -> [String] {
        let place = lab.directory.path + "/mosquitto/certs"
        return [
            "--ca-file", "\(place)/ca.crt", "--cert", "\(place)/\(user).crt", "--key",
            "\(place)/\(user).key",
        ]
    }

    /// Returns the options with which a machine publishes its list.
    nonisolated func publishing(
        on host: String, as user: String? = nil, site: String? = nil
    ) -> [String] {
        let user = user ?? host
        let site = site ?? (host == "h4" ? "cellar" : "office")
        return [
            "--publish", "mqtts://\(user)@10.99.0.1", "--site", site,
            "--interface", Self.interface,
        ] + login(password: user)
    }

    /// Starts an observer without output of its own.
    nonisolated func observer(
        on host: String, as user: String? = nil, _ options: [String] = []
    ) throws -> RunningProcess {
        try lab.peerlist(on: host, ["--quiet"] + publishing(on: host, as: user) + options)
    }

    /// The words of mosquitto_sub(1) for a topic, with further options.
    nonisolated func reading(as user: String, _ topic: String, _ options: [String]) -> [String] {
        [
            "mosquitto_sub", "-h", "10.99.0.1", "-p", "8883", "-u", user, "-P", "secret of \(user)",
            "--cafile", lab.directory.path + "/mosquitto/certs/ca.crt", "-t", topic,
        ] + options
    }

    /// The words of `peerlist fleet --json` with further options.
    nonisolated func fleetCommand(_ options: [String] = []) -> [String] {
        ["fleet", "--json", "mqtts://fleet@10.99.0.1"] + login(password: "fleet") + options
    }

    /// Starts `peerlist fleet --json` with further options.
    nonisolated func list(_ options: String...) throws -> ListObserver {
        ListObserver(try lab.peerlist(on: "h1", fleetCommand(options)))
    }

    /// Returns the list of a fleet that is read now, by a command of its own if need be.
    nonisolated func freshList(_ command: [String]? = nil) async throws -> FoldedList {
        let once = try await lab.run(
            "h1", [BuiltProducts.peerlist] + (command ?? fleetCommand(["--once"])))
        var list = FoldedList()
        for line in once.output.split(separator: "\n") { try list.fold(String(line)) }
        guard list.ending == "finished" else { throw Disagreement(description: once.errors) }
        return list
    }

    /// Waits until a list equals that of a fleet that is read then, and meets a condition.
    @discardableResult
    nonisolated func agree(
        _ list: ListObserver, where matches: @Sendable (FoldedList) -> Bool
    ) async throws -> FoldedList {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            try await list.list(within: .seconds(60), where: matches)
            let fresh = try await freshList()
            try await list.catchUp()
            let (shown, items) = await (list.list, list.list.comparableItems)
            if items == fresh.comparableItems, matches(shown) { return shown }
            guard ContinuousClock.now < end else {
                throw Disagreement(description: "shown: \(items)\nfresh: \(fresh.comparableItems)")
            }
        }
    }
}

extension FoldedList {
    /// The presences of a device in the views of observers, as in `["h2 present", "h4 unknown"]`; nil
    /// if no device on this host is listed.
    func views(of host: String) -> [String]? { namesakes(host).first?.views }

    /// The identifiers of the devices of a host name, with the presences in the views of observers.
    func namesakes(_ host: String) -> [(id: String, views: [String])] {
        items.filter { $0["host"].string == host }.map { item in
            (
                item["id"].string,
                item["views"].array.map { "\($0["observer"].string) \($0["presence"].string)" }
            )
        }
    }
}

// The list of a fleet, and the lists of its observers.
extension FleetLab {
    /// Waits until a list equals that of a fleet that is read then, and the union of the lists that fresh
    /// programs on the observers' machines show.
    nonisolated func agreesWithObservers(_ list: ListObserver) async throws -> FoldedList {
        // On a busy machine, a fresh list may end before it is whole.
        let end = ContinuousClock.now + .seconds(240)
        while true {
            let union = try await unionOfFreshLists()
            let shown = try await agree(list) { !$0.items.isEmpty }
            let listed = shown.items.map(FleetDevice.init(merged:))
            let devices = FleetDevice.withObserversNames(listed, union)
            let names = Set(listed.map(\.name))
            if Set(devices) == union, Set(devices).count == devices.count,
                names.count == devices.count
            {
                return shown
            }
            guard ContinuousClock.now < end else {
                let (more, less) = (Set(devices).subtracting(union), union.subtracting(devices))
                throw Disagreement(
                    description: "shown only: \(more)\nnot shown: \(less)\nnames: \(names)")
            }
        }
    }

    /// Returns the devices that fresh programs on the observers' machines list.
    private nonisolated func unionOfFreshLists() async throws -> Set<FleetDevice> {
        try await withThrowingTaskGroup(of: (String, FoldedList).self) { group in
            for host in ["h2", "h3", "h4"] {
                group.addTask {
                    (
                        host,
                        try await self.lab.freshList(
                            on: host, interface: Self.interface, seconds: 30)
                    )
                }
            }
            var devices: [String: FleetDevice] = [:]
            for try await (host, list) in group {
                for peer in list.items {
                    let device = FleetDevice(
                        peer, of: host, site: host == "h4" ? "cellar" : "office")
                    devices[device.id, default: device].formUnion(device)
                }
            }
            return Set(devices.values)
        }
    }
}

/// A device of a fleet: the fields that do not depend on who reports them first.
private struct FleetDevice: Hashable, CustomStringConvertible {
    let id: String
    var fields: [String: JSON]
    var addresses: Set<String>
    var services: [String: JSON]
    var views: Set<JSON>

    private init(id: String, _ peer: JSON, views: Set<JSON>) {
        self.id = id
        fields = peer.members.filter {
            ["name", "host", "presence", "identity", "kind", "model"].contains($0.key)
        }
        addresses = Set(peer["addresses"].array.map(\.string))
        services = .init(uniqueKeysWithValues: peer["services"].array.map { ($0["id"].string, $0) })
        self.views = views
    }

    /// The device in the list of a fleet.
    init(merged peer: JSON) {
        let views = peer["views"].array.map { view in
            var view = view
            view["since"] = .null
            return view
        }
        self.init(id: peer["id"].string, peer, views: Set(views))
    }

    /// The device in the list of an observer.
    ///
    /// A host name identifies a device only within a site.
    init(_ peer: JSON, of observer: String, site: String) {
        let isHostName = ["host-name", "service"].contains(peer["identity"]["source"].string)
        let name = "\(site)/\(peer["identity"]["value"].string)"
        self.init(
            id: isHostName
                ? Identity.uuid(forName: name).uuidString.lowercased() : peer["id"].string,
            peer,
            views: [
                .object([
                    "observer": .string(observer), "site": .string(site),
                    "host": .string("\(observer).local"),
                    "presence": peer["presence"], "interfaces": peer["interfaces"], "since": .null,
                ])
            ])
    }

    var name: String { fields["name"]?.string ?? "" }

    /// Returns the devices of a fleet's list under the names that the observers list them by, if a name differs
    /// as it may: a name that several devices of the observers have is continued, so that it tells them apart.
    static func withObserversNames(_ devices: [Self], _ union: Set<Self>) -> [Self] {
        let names = Dictionary(uniqueKeysWithValues: union.map { ($0.id, $0.name) })
        let counts = Dictionary(grouping: names.values) { $0 }.mapValues(\.count)
        return devices.map { device in
            guard let name = names[device.id], counts[name, default: 0] > 1,
                device.name.hasPrefix(name.hasSuffix(")") ? String(name.dropLast()) : name)
            else { return device }
            var device = device
            device.fields["name"] = .string(name)
            return device
        }
    }

    var description: String {
        let views = views.map { "\($0["observer"].string) \($0["presence"].string)" }.sorted()
        let types = services.values.map(\.["type"].string).sorted()
        return "\(fields) \(addresses.sorted()) \(types) \(views)"
    }

    mutating func formUnion(_ other: FleetDevice) {
        addresses.formUnion(other.addresses)
        services.merge(other.services) { mine, _ in mine }
        views.formUnion(other.views)
    }
}
