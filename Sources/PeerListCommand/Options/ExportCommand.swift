// The command `peerlist export`: its options, their checks and its help.
import PeerExport
import PeerModel
import PeerText

extension Command {
    static let export = Command(
        .export, "write the list for other programs",
        usage: ["peerlist export --format FORMAT [OPTION]... [RECORDING]"],
        about: """
            Write the devices on this network, or those of a recording or a capture of
            packets, in a format that other programs read. Names that a format cannot hold
            safely are left out, with a notice on standard error.

            The formats are hosts for hosts(5), ssh-config for an Include of ssh_config(5),
            ansible for an inventory, prometheus for file_sd_configs, csv with a row for
            each service, and json with the devices as in the lines of '--json'.
            """,
        notes: """
            Examples:
              peerlist export --format hosts > peers.hosts
              peerlist export --format ssh-config > ~/.ssh/peers
              peerlist export --format csv --at 08:30 monday.jsonl
              peerlist export --format prometheus -t prometheus-http --watch peers.json

            Exit status:
              0    done; with --watch, a signal such as Ctrl-C ended it
              1    nothing was found, except with --list and --host
              2    wrong usage
              3    failure, such as a full disk, or a recording that cannot be read, or
                   parts of it; a last line that is cut off is reported, and no failure
              130  interrupted
            """,
        operands: [.init(name: "[RECORDING]", example: "peers.jsonl", candidates: .recordings)],
        defaults: Options(destination: .export(ExportOptions()), once: true),
        options: [
            .discovery: Options.selection(
                "Export", on: Options.link.map { $0.conflicting(with: "RECORDING") }),
            .output: [
                .value(
                    "-f, --format", .choice("format", example: "ansible"),
                    "Write this format"
                ) { $0.export.format = $1 }.required(),
                .value(
                    "--watch", .file("peers.json", forStandardOutput: "leave the option out"),
                    "Keep FILE up to date until interrupted: replace it as a whole when the export "
                        + "changes, at most once a second", .refused
                ) {
                    $0.export.watched = $1
                    $0.once = false
                }.conflicting(with: "RECORDING"),
                .flag(
                    "--list", "With --format ansible, print the groups, as an inventory script does"
                ) { $0.export.query = .list }.conflicting(with: "--host"),
                .value(
                    "--host", .text("NAME", example: "nas.local"),
                    "With --format ansible, print the variables of host NAME", .refused
                ) { $0.export.query = .host($1) },
                Options.timeout("Wait at most SECONDS for discovery to be quiet (default: 5)")
                    .conflicting(with: "RECORDING"),
                Options.noLedger(
                    "Write no labels and no times of first sightings, and remember no device"
                ).conflicting(with: "RECORDING"), .noProgress,
            ],
            .recording: [
                .value(
                    "--at", .recordingTime,
                    "Export the list of RECORDING as it was at TIME, such as 08:30 on the day on which it "
                        + "begins, 2026-11-21T08:30, or 2026-11-21T08:30:00Z; local time unless it "
                        + "ends in Z or an offset (default: its end)"
                ) { $0.recording.time = $1 }
                .requiring("RECORDING", advice: "name its file at the end")
            ],
        ],
        finish: finish)

    private static func finish(
        _ options: inout Options, _ operands: [String]
    ) throws(UsageError) -> Invocation {
        let export = options.export
        if export.query != nil {
            guard export.format == .ansible else {
                throw UsageError("'--list' and '--host' are for Ansible; add '--format ansible'")
            }
            guard export.watched == nil else {
                throw UsageError(
                    "'--watch' writes an inventory file; leave out '--list' and '--host'")
            }
        }
        guard export.format != .prometheus || !options.list.types.isEmpty else {
            throw UsageError(
                "'--format prometheus' needs the types of the services with metrics; add for instance "
                    + "'--type prometheus-http'")
        }
        if export.format == .sshConfig, options.list.types.isEmpty {
            options.list.types = Service.shellTypes
        }
        if let path = operands.first { options.recording.path = path }
        return .list(options)
    }
}
