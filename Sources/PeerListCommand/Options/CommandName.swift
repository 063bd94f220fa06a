// The commands, and which options and operands each takes.

/// What the first word behind `peerlist` can be; without one, the list is shown.
enum CommandName: String, CaseIterable, Sendable {
    /// Show who is there.
    case list
    /// Say what stands between this machine and the others.
    case doctor
    /// Announce a service.
    case announce
    /// Count what is announced, type by type.
    case types
    /// Compare two recordings.
    case diff
    /// Show a recording again.
    case replay
    /// Print settings, or check them.
    case config

    /// What the user writes.
    var title: String { self == .list ? "peerlist" : "peerlist \(rawValue)" }

    /// The commands that have a name to write.
    static let named = allCases.filter { $0 != .list }

    /// The options, in the order of the help.
    var rows: [OptionRow] {
        switch self {
        case .list: OptionRow.all
        case .doctor: DoctorOptions.rows
        case .announce: OptionRow.forAnnounce
        case .types: OptionRow.forTypes
        case .diff: OptionRow.forDiff
        case .replay: OptionRow.forReplay
        case .config: OptionRow.forConfig
        }
    }

    /// The operands; those in brackets may be left out.
    var operandNames: [String] {
        switch self {
        case .list, .doctor, .announce, .types: []
        case .diff: ["FIRST", "SECOND"]
        case .replay: ["FILE"]
        case .config: ["[FILE]"]
        }
    }
}
