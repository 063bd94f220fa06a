// The command `fleet`, and the options of an observer: a broker, and the files to log in to it.
import PeerFleet
import PeerModel
import PeerSystem
import PeerText

extension Command {
    static let fleet = Command(
        .fleet, "list what several observers see",
        about: """
            Show one list of the devices that all observers of a broker see: machines, for
            instance one in each network, that run 'peerlist --publish URL'. URL is
            mqtt://[USER@]HOST[:PORT][/PREFIX] for MQTT, or mqtts://... for MQTT over TLS.

            Devices with an identifier in their records are one device on all sites, those
            that only have a host name are one device on each network of a site. A device
            that several observers see has the best presence among them. The observers of
            several brokers make one list; the options to log in apply to each.
            docs/fleet.md shows how to set up a broker.
            """,
        notes: """
            Examples:
              peerlist fleet mqtt://broker.example
              peerlist fleet mqtts://me@broker.example --password-file broker.password
              peerlist fleet --once --json mqtt://broker.example | jq .
              peerlist fleet --site office mqtt://broker.example
              peerlist fleet mqtts://a.example mqtts://b.example
              peerlist fleet --trust office mqtts://me@broker.example
              peerlist fleet --quiet --home-assistant mqtt://broker.example
              peerlist fleet --forget office/hall mqtt://hall@broker.example

            Exit status:
              0    done; with --once, something was found
              1    with --once, nothing was found; with --forget, no such observer is away
              2    wrong usage
              3    failure, such as a full disk, or with --once or --forget no broker
              130  interrupted; in the live list q and Ctrl-C are the ordinary end, 0
            """,
        operands: [.init(name: "URL...", example: "mqtt://broker.example")],
        missing: "the URL of a broker; write for instance 'peerlist fleet mqtt://broker.example'",
        defaults: Options(source: .fleet, timeout: .seconds(10), usesLedger: false),
        options: [
            .discovery: Options.selection(on: []) + Options.observers, .output: Options.fleetOutput,
            .screen: CommandOption.screen(\.screen), .recording: Options.recording,
            .hooks: Options.hookOptions,
            .broker: CommandOption.login(\.broker) + [Options.trust] + Options.fleetHome
                + [Options.forget],
        ]
    ) { options, operands throws(UsageError) in
        try options.readBrokers(operands, of: "URL")
        if let forgotten = options.forgotten {
            guard options.broker.others.isEmpty else {
                throw UsageError("'--forget' removes an observer from one broker; name one URL")
            }
            return .forget(ForgetOptions(observer: forgotten, broker: options.broker))
        }
        return try finishList(&options, operands)
    }
}

extension Options {
    /// Selects the list of the brokers' fleets, if there are brokers; errors name their operand.
    mutating func readBrokers(_ urls: [String], of operand: String) throws(UsageError) {
        for url in urls {
            let url = try ValueKind.brokerURL.value(of: operand, url)
            if broker.url == nil {
                (source, broker.url, usesLedger) = (.fleet, url, false)
            } else {
                broker.others.append(url)
            }
        }
    }

    private static let homeAssistant = Option.value(
        "--home-assistant", .topicPrefix,
        "Also tell Home Assistant whether devices are at home; PREFIX is its discovery prefix "
            + "(default: homeassistant)", .refused, standard: HomeAssistant.standardPrefix
    ) { $0.broker.homeAssistant = $1 }

    private static let considerHome = Option.value(
        "--consider-home", .seconds,
        "Tell Home Assistant that a device is away when it has been gone for SECONDS "
            + "(default: \(HomeTrackers.standardTime.components.seconds))", .refused
    ) { $0.broker.considerHome = $1 }
    .requiring("--home-assistant", advice: "add '--home-assistant'")

    /// The options that choose observers of a fleet.
    fileprivate static let observers: [CommandOption<Options>] = [
        .value(
            "--site", ValueKind.siteName.list("SITE"),
            "Read only the observers of SITE; may be repeated, or a list with commas; the broker "
                + "sends nothing of others", .adds
        ) { $0.broker.selection.sites += $1 },
        .value(
            "--observer", ValueKind.observerName.list("OBSERVER"),
            "Read only this OBSERVER, as SITE/OBSERVER if several sites have one; may be repeated, or "
                + "a list with commas", .adds
        ) { $0.broker.selection.observers += $1 },
    ]

    /// The option that ranks the sites of a fleet.
    static let trust = Option.value(
        "--trust", ValueKind.siteName.list("SITE"),
        "Where observers contradict each other about a device, follow those of SITE; may be repeated, "
            + "or a list with commas, the most trusted first", .adds
    ) { $0.broker.trusted += $1 }

    /// The options of the list of a fleet that tells Home Assistant of its devices.
    fileprivate static let fleetHome = [
        homeAssistant.conflicting(
            with: "--once", advice: "leave '--once' out, as devices come and go later"),
        considerHome,
    ]

    fileprivate static let forget = Option.value(
        "--forget", .text("OBSERVER", example: "office/hall"),
        "Remove all that the observer of this name has left at the broker, as SITE/OBSERVER if "
            + "several sites have one; it must have ended", .refused
    ) { $0.forgotten = $1 }
    .conflicting(with: "--once").conflicting(with: "--json").conflicting(with: "--plain")
    .conflicting(with: "--quiet").conflicting(with: "--output").conflicting(with: "--exec")

    /// The options of an observer of a fleet.
    static let publishing: [CommandOption<Options>] =
        [
            .value(
                "--publish", .brokerURL,
                "Publish the list to this MQTT broker, for 'peerlist fleet': mqtt:// or mqtts://, "
                    + "[USER@]HOST[:PORT][/PREFIX]", .refused
            ) { $0.broker.url = $1 }
            .conflicting(with: "--once", advice: "leave '--once' out")
            .brief("Publish the list to an MQTT broker, for fleets"),
            .value(
                "--site", .siteName,
                "Name the site of this machine, in which host names are unique (default: home)",
                .refused
            ) { $0.broker.site = $1 }.requiring("--publish", advice: "add '--publish URL'"),
            homeAssistant.requiring("--publish", advice: "add '--publish URL'"), considerHome,
        ]
        + CommandOption.login(\.broker).map {
            $0.requiring("--publish", advice: "add '--publish URL'")
        }
}

extension CommandOption {
    /// The options with which a program logs in to a broker.
    static func login(
        _ field: any WritableKeyPath<Values, BrokerOptions> & Sendable
    ) -> [Self] {
        [
            .value(
                "--password-file", .file("broker.pem"),
                "Log in to the broker with the first line of FILE as the password of USER", .refused
            ) { $0[keyPath: field].passwordFile = $1 },
            .value(
                "--ca-file", .file("broker.pem"),
                "Trust a broker whose certificate an authority in FILE has signed (default: those of "
                    + "the system)", .refused
            ) { $0[keyPath: field].caFile = $1 },
            .value(
                "--cert", .file("broker.pem"), "Show the broker the certificate in FILE", .refused
            ) { $0[keyPath: field].certificate = $1 },
            .value(
                "--key", .file("broker.pem"), "Use the key of that certificate in FILE", .refused
            ) {
                $0[keyPath: field].key = $1
            },
        ]
    }
}

extension BrokerOptions {
    /// The name of this machine as an observer: the broker user's, so that a broker can restrict each user to
    /// topics of its own, or else the host's.
    var observer: ObserverName {
        let own = [url?.user ?? "", hostLabel()].first(where: FleetTopics.isName)
        return ObserverName(site: site, observer: own ?? "observer")
    }

    /// Reads the password; returns `nil` without a broker. A password that every user may read is reported on
    /// standard error.
    func access() throws(UsageError) -> BrokerAccess? {
        guard let url else { return nil }
        do throws(BrokerAccessError) { return try access(to: url) } catch {
            throw UsageError(error.description)
        }
    }

    /// Reads the password for a broker.
    func access(to url: BrokerURL) throws(BrokerAccessError) -> BrokerAccess {
        if let passwordFile, BrokerAccess.isReadableByAll(passwordFile) {
            complain(
                "--password-file: every user of this machine may read \(passwordFile); run "
                    + "'chmod 600' on it", .warning)
        }
        let password = try passwordFile.map { path throws(BrokerAccessError) in
            try BrokerAccess.readPassword(path)
        }
        let access = BrokerAccess(
            url, password: password, caFile: caFile, certificate: certificate, key: key)
        try access.check()
        return access
    }
}
