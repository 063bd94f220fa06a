// The commands `doctor`, `devices`, `label`, `config` and `completions`: options and help.
import PeerDoctor
import PeerLedger
import PeerText

extension Command {
    static let doctor = Command(
        .doctor, "find out why a machine is not seen",
        about: """
            Find out what keeps this machine and others from seeing each other, and what to
            do about it: network interfaces, programs on UDP port 5353, firewalls, D-Bus,
            avahi-daemon and its settings, multicast loopback, devices that are seen from
            here, machines that see this one, names in .local, multicast to other devices
            and back, routes to Thread networks, and what is sent on the link: by whom, how
            much, and whether something repeats it.

            To see who sees it, this machine is announced for some seconds. A 'peerlist'
            that runs on another machine then replies with the paths on which it sees this
            one; so run one there. As root, more checks are possible.

            With --device, find out instead what is wrong with a device; with --self, what
            this machine tells everyone on the network.

            With --broker, find out instead whether observers of a fleet can use a broker:
            whether it can be reached and accepts the login, whether they may publish and
            read, and which observers there are.
            """,
        notes: """
            Examples:
              peerlist doctor               while 'peerlist' runs on the other machine
              sudo peerlist doctor          with firewalls and the owners of ports
              peerlist doctor --json | jq -r '.checks[] | select(.outcome != "ok").name'
              peerlist doctor --device "Office printer"
              peerlist doctor --self
              peerlist doctor --broker mqtts://hub@broker.example --password-file secret

            Exit status:
              0    no problem, though perhaps warnings
              1    there is a problem
              2    wrong usage
              3    failure, such as a full disk
              130  interrupted
            """,
        defaults: DoctorOptions(),
        options: [
            .output: [
                .flag("-j, --json", "Print everything as one JSON line, at the end") {
                    $0.doctor.isJSON = true
                },
                .value(
                    "--timeout", .seconds,
                    "Wait SECONDS for replies of other machines (default: 5)"
                ) { $0.doctor.patience = $1 },
                .value(
                    "--for", .seconds,
                    "Listen to the link for SECONDS, or minutes as in '6m' (default: 10)"
                ) { $0.doctor.listeningTime = $1 }.conflicting(with: "--broker"),
                .value(
                    "--config",
                    .file("/etc/avahi/avahi-daemon.conf", whenEmpty: "leave the option out"),
                    "Read the daemon's settings from FILE instead of /etc/avahi/avahi-daemon.conf"
                ) { $0.doctor.configuration = $1 }, .noProgress,
            ],
            .other: [
                .value(
                    "--device", .text("DEVICE", example: "57c66a50", .devices),
                    "Ask this device for its records, and tell which rules of multicast DNS its "
                        + "responses break: its ID or the beginning of it, its name or host name",
                    .refused
                ) { $0.doctor.subject = .device($1) }.conflicting(with: "--for"),
                .flag(
                    "--self", "Tell what this machine says about itself, and what stops that"
                ) { $0.doctor.subject = .thisMachine }
                .conflicting(with: "--for").conflicting(with: "--device"),
            ],
            .broker: [
                .value(
                    "--broker", .brokerURL,
                    "Check this MQTT broker instead of the network",
                    .refused
                ) { $0.broker.url = $1 }.conflicting(with: "--config")
                    .conflicting(with: "--device").conflicting(with: "--self"),
                .value(
                    "--site", .siteName,
                    "Check the topics of an observer of this site (default: home)", .refused
                ) { $0.broker.site = $1 }.requiring("--broker", advice: "add '--broker URL'"),
            ]
                + CommandOption.login(\.broker).map {
                    $0.requiring("--broker", advice: "add '--broker URL'")
                },
        ]
    ) { options, _ in .doctor(options) }

    static let devices = Command(
        .devices, "list the devices ever seen",
        about: """
            List the devices that 'peerlist' has ever seen, with their labels or names,
            their kinds, and when they were seen for the first and for the last time. They
            are remembered in $XDG_STATE_HOME/peerlist/devices.json, usually
            ~/.local/state/peerlist/devices.json, at most 10000 of them.
            """,
        notes: """
            Examples:
              peerlist devices
              peerlist devices --forget 57c66a50
              peerlist devices --forget "Guest TV"
              peerlist devices --json | jq -r 'select(.label == null).names[0]'

            Exit status:
              0    done
              1    no device is known, or not exactly one is DEVICE
              2    wrong usage
              3    failure, such as a full disk
            """,
        defaults: DevicesOptions(),
        options: [
            .output: [
                .flag("-j, --json", "Print a JSON line for each device instead of the table") {
                    $0.isJSON = true
                }
            ],
            .other: [
                .value(
                    "--forget", .text("DEVICE", example: "57c66a50", .devices),
                    "Remove this device, which is new when it is seen again: its ID or the "
                        + "beginning of it, its label, name or host name", .refused
                ) { $0.forgotten = $1 }.conflicting(with: "--json")
            ],
        ]
    ) { options, _ in .devices(options) }

    static let label = Command(
        .label, "name a device",
        usage: ["peerlist label DEVICE NAME"],
        about: """
            Show a device under a name of your own, its label, whatever name it announces.
            DEVICE is its ID or the beginning of it, its present label, its name or its host
            name; 'peerlist devices' lists them. If several devices are DEVICE, they are
            listed, and nothing is changed. An empty NAME removes the label.
            """,
        notes: """
            Examples:
              peerlist label 57c66a50 "Living room"
              peerlist label nas.local "Backups"
              peerlist label "Living room" ""

            Exit status:
              0    done
              1    not exactly one known device is DEVICE
              2    wrong usage
              3    failure, such as a full disk
            """,
        operands: [
            .init(name: "DEVICE", example: "57c66a50", candidates: .devices),
            .init(name: "NAME", example: "Living room"),
        ],
        missing:
            "a device and a name; write for instance 'peerlist label 57c66a50 \"Living room\"'",
        defaults: (), options: [:]
    ) { _, operands throws(UsageError) in
        if let fault = LedgerDevice.fault(ofLabel: operands[1]) { throw UsageError(fault) }
        return .label(LabelOptions(device: operands[0], label: operands[1]))
    }

    static let config = Command(
        .config, "show or check the settings",
        usage: [
            "peerlist config", "peerlist config --print", "peerlist config --check [FILE]",
        ],
        about: """
            The settings of the live list: its order, columns, keys and colours, actions of
            your own, and hooks. They are read from $XDG_CONFIG_HOME/peerlist/config,
            usually ~/.config/peerlist/config, when the list starts; without that file, they
            are as '--print' shows them. Without an option, print the path of the file and
            what it sets.
            """,
        notes: """
            Examples:
              peerlist config
              peerlist config --print > ~/.config/peerlist/config
              peerlist config --check

            Exit status:
              0    done; the settings are valid
              2    wrong usage, or settings that are not valid
              3    failure, such as a full disk
            """,
        operands: [.init(name: "[FILE]", example: "config", candidates: .files)],
        defaults: ConfigOptions?.none,
        options: [
            .other: [
                .flag("--print", "Print the default settings, with comments") { $0 = .print }
                    .conflicting(with: "--check")
                    .conflicting(
                        with: "FILE", advice: "to check one, write 'peerlist config --check FILE'"),
                .flag("--check", "Print all errors in FILE, or in the usual file") {
                    $0 = .check(nil)
                },
            ]
        ]
    ) { options, operands throws(UsageError) in
        guard let options else {
            guard let file = operands.first else { return .config(.show) }
            throw UsageError(
                "\(quoted(file)) is one word too many; to check a file, write 'peerlist config --check "
                    + "FILE'")
        }
        return .config(options == .print ? .print : .check(operands.first))
    }

    private static let shell = ValueKind<Shell>.choice("shell", example: "bash")

    static let completions = Command(
        .completions, "print completions for a shell",
        usage: ["peerlist completions SHELL"],
        about: """
            Print a script with which SHELL, bash, zsh or fish, completes the options of
            peerlist and what they take: service types, network interfaces, recordings,
            labels of devices and so on. 'make install' installs these scripts.
            """,
        notes: """
            Examples:
              source <(peerlist completions bash)
              peerlist completions zsh > ~/.zfunc/_peerlist
              peerlist completions fish > ~/.config/fish/completions/peerlist.fish

            Exit status:
              0    done
              2    wrong usage
              3    failure, such as a full disk
            """,
        operands: [.init(name: "SHELL", example: "bash", candidates: shell.candidates)],
        missing: "a shell; write for instance 'peerlist completions bash'",
        defaults: (), options: [:]
    ) { _, operands throws(UsageError) in
        .completions(try shell.value(of: "completions", operands[0]))
    }
}
