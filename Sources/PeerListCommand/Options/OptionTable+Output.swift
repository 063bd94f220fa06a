// The options of the file that the lines are appended to.

extension OptionRow {
    /// The options of `--output`.
    static let recordedRows = [
        OptionRow(
            name: .output, flag: "--output", short: "o",
            argument: .required("FILE", example: "peers.jsonl"), repetition: .refused,
            group: .recorded,
            help: "Also append the JSON lines to FILE; reopen FILE on SIGHUP"),
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
