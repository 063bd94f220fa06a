// What the user asks of `peerlist replay`.
import PeerList
import PeerRecording

/// Which recording is shown, and how.
struct ReplayOptions: Equatable, Sendable {
    /// The recording: the name of a file, or `-`.
    var path: String
    /// How it is given out.
    var form = Options.Form.automatic
    /// How many times as fast as it was, 0 meaning at once; `nil`: as is usual for the form.
    var speed: Double?
    /// The time at which the list is shown; `nil` to start at the beginning.
    var time: RecordingTime?
    /// Whether to wait at the end for more.
    var follows = false
    /// How the live list looks.
    var screen = ScreenOptions()

    /// Reads the words behind `peerlist replay`; `nil` asks for the help.
    ///
    /// - Throws: ``UsageError`` for the first word that is wrong, then for options that contradict
    ///   each other.
    static func reading(_ words: [String]) throws(UsageError) -> ReplayOptions? {
        var scanner = OptionScanner(words, of: .replay)
        var options = ReplayOptions(path: "")
        var given: Set<OptionRow.Name> = []
        while let option = try scanner.next() {
            let value = option.value ?? ""
            given.insert(option.row.name)
            guard try !options.screen.take(option) else { continue }
            switch option.row.name {
            case .at: options.time = try OptionValue.time(value)
            case .speed: options.speed = try OptionValue.speed(value)
            case .follow: options.follows = true
            case .plain: options.form = .plain
            case .json: options.form = .json
            default: return nil
            }
        }
        guard let path = scanner.operands.first else {
            throw UsageError(
                "'peerlist replay' needs a recording; write 'peerlist replay FILE', or '-' for FILE"
            )
        }
        options.path = path
        if given.isSuperset(of: [.plain, .json]) {
            throw UsageError("'--plain' and '--json' cannot be combined; leave one out")
        }
        if given.isSuperset(of: [.at, .follow]) {
            throw UsageError(
                "'--at' and '--follow' cannot be combined; leave one out")
        }
        return options
    }
}
