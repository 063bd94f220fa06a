// The options of the file that the lines are appended to.
import PeerList
import PeerRecording

extension OptionRow {
    /// The options of `--output` and of what becomes of its file.
    static let recordedRows = [
        OptionRow(
            name: .output, flag: "--output", short: "o",
            argument: .required("FILE", example: "peers.jsonl"), repetition: .refused,
            group: .recorded,
            help: "Also append the JSON lines to FILE; reopen FILE on SIGHUP"),
        OptionRow(
            name: .rotate, flag: "--rotate", short: nil,
            argument: .required("SIZE|daily", example: "100M"), repetition: .overrules,
            group: .recorded,
            help: """
                Rotate FILE when it reaches SIZE (in bytes, or with K, M or G), or at midnight, to \
                FILE-20261121T083000Z.gz
                """),
        OptionRow(
            name: .keep, flag: "--keep", short: nil, argument: .required("N", example: "30"),
            repetition: .overrules, group: .recorded,
            help: """
                With --rotate, keep at most N old files (default: \(Keeping.defaultCount))
                """),
        OptionRow(
            name: .sync, flag: "--sync", short: nil,
            argument: .required("line|second|none", example: "line"), repetition: .overrules,
            group: .recorded,
            help: """
                Sync FILE to disk after each line, every second (default), or never; unsynced \
                lines can be lost on power failure
                """),
    ]
}
