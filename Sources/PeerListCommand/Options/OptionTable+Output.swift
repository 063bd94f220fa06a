// The options of the file that the lines are appended to.
import PeerList

extension OptionRow {
    /// The options of `--output` and of what becomes of its file.
    static let recordedRows = [
        OptionRow(
            name: .output, flag: "--output", short: "o",
            argument: .required("FILE", example: "peers.jsonl"), repetition: .refused,
            group: .recorded,
            help: "also append the JSON lines to FILE; SIGHUP has it opened anew"),
        OptionRow(
            name: .rotate, flag: "--rotate", short: nil,
            argument: .required("SIZE|daily", example: "100M"), repetition: .overrules,
            group: .recorded,
            help: """
                put FILE away as FILE-20261121T083000Z.gz, and begin another, once it has SIZE \
                bytes (K, M and G stand for powers of 1024), or at midnight
                """),
        OptionRow(
            name: .keep, flag: "--keep", short: nil, argument: .required("N", example: "30"),
            repetition: .overrules, group: .recorded,
            help: """
                with --rotate, keep N old files, and delete the oldest ones beyond (default: \
                \(Keeping.defaultCount))
                """),
        OptionRow(
            name: .sync, flag: "--sync", short: nil,
            argument: .required("line|second|none", example: "line"), repetition: .overrules,
            group: .recorded,
            help: """
                have the disk take each line of FILE at once, within a second (default), or when \
                the system sees fit: what comes later, a power cut can lose
                """),
    ]
}
