// The commands, each with its options, operands and help, and what a command line asks for.

/// What the command line asks the program to do.
enum Invocation: Equatable, Sendable {
    /// List peers or service types.
    case list(Options)
    case doctor(DoctorOptions)
    case announce(AnnounceOptions)
    case diff(DiffOptions)
    case replay(ReplayOptions)
    case config(ConfigOptions)
    /// Print a shell's completions.
    case completions(Shell)
    /// Print the help of a command.
    case help(CommandName)
    /// Print the manual page.
    case manual
    case version

    /// Parses the words after the program's name.
    ///
    /// Words are read from left to right; `--help` and `--version` take effect
    /// as soon as they are met.
    ///
    /// - Throws: ``UsageError`` for the first word that is wrong, then for
    ///   options that are missing or contradict each other.
    init(_ words: [String], interfaces: NetworkInterfaces) throws(UsageError) {
        let name = words.first.flatMap(CommandName.init(rawValue:)) ?? .list
        let options = name == .list ? words : Array(words.dropFirst())
        self = try name.command.parse(options, interfaces)
    }
}

/// The names of the commands; without one, the command is `list`.
enum CommandName: String, CaseIterable, Sendable {
    case list = ""
    case doctor, announce, types, replay, diff, config, completions

    /// What the user writes.
    var title: String { self == .list ? "peerlist" : "peerlist \(rawValue)" }

    /// The commands that have a name to write.
    static let named = allCases.filter { $0 != .list }

    var command: Command {
        switch self {
        case .list: .list
        case .doctor: .doctor
        case .announce: .announce
        case .types: .types
        case .replay: .replay
        case .diff: .diff
        case .config: .config
        case .completions: .completions
        }
    }
}

/// A command: what it takes, what its help says, and how its words are parsed.
struct Command: Sendable {
    /// A part of the help after the options, such as the examples.
    struct Section: Sendable {
        let heading: String
        /// Its lines, indented by two spaces.
        let text: String

        init(_ heading: String, _ text: String) { (self.heading, self.text) = (heading, text) }
    }

    let name: CommandName
    /// What the command does, in a few words, for the list of commands.
    let summary: String
    /// The forms of the command line.
    let usage: [String]
    /// What the command does, in paragraphs of lines of at most 80 columns.
    let about: String
    let sections: [Section]
    /// The operands; names in brackets are optional.
    let operands: [OptionRow.Argument]
    let rows: [OptionRow]
    let parse: @Sendable ([String], NetworkInterfaces) throws(UsageError) -> Invocation

    /// A command whose options are stored in `Values`; `--help` is added to them.
    ///
    /// At the end, `finish` checks what no single option can, given the values and the operands.
    init<Values: Sendable>(
        _ name: CommandName, _ summary: String, usage: [String], about: String,
        sections: [Section], operands: [OptionRow.Argument] = [], defaults: Values,
        options: [CommandOption<Values>],
        finish: @escaping @Sendable (Values, [String]) throws(UsageError) -> Invocation
    ) {
        let help = CommandOption<Values>.ending(
            "--help", "h", "Print this help and exit", .help(name))
        let options = options.filter(\.stores) + [help] + options.filter { !$0.stores }
        let rows = options.map(\.row)
        (self.name, self.summary, self.usage, self.about) = (name, summary, usage, about)
        (self.sections, self.operands, self.rows) = (sections, operands, rows)
        let operandNames = operands.map(\.name)
        parse = { words, interfaces throws(UsageError) in
            var parser = OptionParser(
                words, of: name, rows: rows, operandNames: operandNames, interfaces: interfaces)
            var values = defaults
            while let (index, given) = try parser.next() {
                switch options[index].effect {
                case .store(let store): try store(&values, given)
                case .end(let invocation): return invocation
                }
            }
            try parser.checkRelations()
            return try finish(values, parser.operands)
        }
    }
}
