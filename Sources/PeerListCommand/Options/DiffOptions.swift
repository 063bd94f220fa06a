// What the user asks of `peerlist diff`.
import PeerList
import PeerRecording

/// Which recordings are compared, and how that is told.
struct DiffOptions: Equatable, Sendable {
    /// The recordings: names of files, one of them perhaps `-`.
    var first: String
    var second: String
    /// The time as of which they are compared; `nil` for their ends.
    var time: RecordingTime?
    /// Whether the differences are told in JSON.
    var isJSON = false

    /// Reads the words behind `peerlist diff`; `nil` asks for the help.
    ///
    /// - Throws: ``UsageError`` for the first word that is wrong, then for a recording that is missing.
    static func reading(_ words: [String]) throws(UsageError) -> DiffOptions? {
        var scanner = OptionScanner(words, of: .diff)
        var options = DiffOptions(first: "", second: "")
        while let given = try scanner.next() {
            switch given.row.name {
            case .at: options.time = try OptionValue.time(given.value ?? "")
            case .json: options.isJSON = true
            default: return nil
            }
        }
        guard scanner.operands.count == 2 else {
            throw UsageError(
                "'peerlist diff' needs two recordings; write 'peerlist diff FIRST SECOND'")
        }
        (options.first, options.second) = (scanner.operands[0], scanner.operands[1])
        guard options.first != "-" || options.second != "-" else {
            throw UsageError("only one of the recordings can be standard input; name a file")
        }
        return options
    }
}
