// The tables of commands and options, from which parsing, help, manual page and completions follow.

/// The description of an option, from which it is parsed, and documented in every form.
struct OptionRow: Equatable, Sendable {
    /// The value of an option, or an operand.
    struct Argument: Equatable, Sendable {
        /// The name in the help: `SECONDS`, or the values themselves as `line|second|none`.
        let name: String
        /// A valid value, for error messages.
        let example: String
        var completion = Completion.none
        /// Whether the value may be left out; it is then accepted after `=` only.
        var isOptional = false
    }

    /// The values that a shell completes.
    enum Completion: Equatable, Sendable {
        case none, files, interfaces, serviceTypes
        case values([String])
    }

    /// The effect of giving an option more than once.
    enum Repetition: Equatable, Sendable {
        /// All values are used.
        case adds
        /// The last value is used, so that the option of an alias can be overridden.
        case overrides
        /// A different value is refused, because one of the two would be lost.
        case refused
    }

    /// The headings of the help.
    enum Group: String, CaseIterable, Sendable {
        case announcement = "Announcement"
        case discovery = "Discovery"
        case output = "Output"
        case screen = "Live list"
        case recording = "Recording"
        case other = "Other"
    }

    /// Another option that this one depends on, by its title, and what to do if that is not met.
    struct Relation: Equatable, Sendable {
        let title: String
        let advice: String
    }

    /// The short form and the long one, such as `-t` and `--type`, or one of them.
    let forms: [String]
    var argument: Argument?
    var repetition = Repetition.overrides
    var group = Group.other
    let help: String
    /// The option that this one cannot be combined with.
    var conflict: Relation?
    /// The option without which this one has no effect.
    var requirement: Relation?
    /// Whether the command cannot run without it.
    var isRequired = false

    /// The long form, or the short one if there is no long one.
    var title: String { forms.last ?? "" }
    var long: String? { forms.first { $0.hasPrefix("--") } }
    var short: Character? { forms.first { $0.count == 2 }?.last }
}

/// An option of a command whose options are stored in `Values`.
struct CommandOption<Values: Sendable>: Sendable {
    fileprivate(set) var row: OptionRow
    /// Checks the value and stores it.
    let store: @Sendable (inout Values, GivenOption) throws(UsageError) -> Void

    /// An option without a value; its forms are separated by a comma: `-j, --json`.
    static func flag(
        _ forms: String, _ help: String, _ store: @escaping @Sendable (inout Values) -> Void
    ) -> Self {
        Self(row: OptionRow(forms: split(forms), help: help)) { values, _ in store(&values) }
    }

    /// An option with a value of a kind.
    static func value<Value>(
        _ forms: String, _ kind: OptionValue<Value>, _ help: String,
        _ repetition: OptionRow.Repetition = .overrides,
        _ store: @escaping @Sendable (inout Values, Value) -> Void
    ) -> Self {
        Self(
            row: OptionRow(
                forms: split(forms), argument: kind.argument, repetition: repetition, help: help)
        ) { values, given throws(UsageError) in store(&values, try kind.check(given)) }
    }

    private static func split(_ forms: String) -> [String] {
        forms.split(separator: ", ").map(String.init)
    }

    private func with<Part>(_ part: WritableKeyPath<OptionRow, Part>, _ value: Part) -> Self {
        var option = self
        option.row[keyPath: part] = value
        return option
    }

    /// The option, refused beside another one.
    func conflicting(with title: String, advice: String = "leave one out") -> Self {
        with(\.conflict, OptionRow.Relation(title: title, advice: advice))
    }

    /// The option, refused without another one.
    func requiring(_ title: String, advice: String) -> Self {
        with(\.requirement, OptionRow.Relation(title: title, advice: advice))
    }

    /// The option, which the command cannot run without.
    func required() -> Self { with(\.isRequired, true) }

    /// The option, under a heading of the help.
    fileprivate func under(_ group: OptionRow.Group) -> Self { with(\.group, group) }
}

/// A command: what it takes, what its help says, and how its words are parsed.
struct Command: Sendable {
    let name: CommandName
    /// A few words on the command, for the list of commands.
    let summary: String
    /// The forms of the command line.
    let usage: [String]
    /// The description of the command, in paragraphs of lines of at most 80 columns.
    let about: String
    /// The end of the help: paragraphs of a heading, which a colon follows, and indented lines.
    let notes: String
    /// The operands; names in brackets are optional.
    let operands: [OptionRow.Argument]
    let rows: [OptionRow]
    private let parse: @Sendable (inout OptionParser) throws(UsageError) -> Invocation

    /// A command whose options are stored in `Values`; `--help` is added to them.
    ///
    /// At the end, `finish` checks what no single option can, given the values and the operands.
    init<Values: Sendable>(
        _ name: CommandName, _ summary: String, usage: [String]? = nil, about: String,
        notes: String, operands: [OptionRow.Argument] = [], defaults: Values,
        options: KeyValuePairs<OptionRow.Group, [CommandOption<Values>]>,
        finish: @escaping @Sendable (Values, [String]) throws(UsageError) -> Invocation
    ) {
        let words = ["\(name.title) [OPTION]..."] + operands.map(\.name)
        (self.name, self.summary) = (name, summary)
        self.usage = usage ?? [words.joined(separator: " ")]
        (self.about, self.notes, self.operands) = (about, notes, operands)
        let options = options.flatMap { group, options in options.map { $0.under(group) } }
        func row(_ forms: [String], _ help: String) -> OptionRow {
            OptionRow(forms: forms, help: help)
        }
        // These end the parsing.
        var endings = [(row(["-h", "--help"], "Print this help and exit"), Invocation.help(name))]
        if name == .list {
            endings += [
                (row(["--man"], "Print the manual page, for 'man -l -', and exit"), .manual),
                (row(["-V", "--version"], "Print the version and exit"), .version),
            ]
        }
        rows = options.map(\.row) + endings.map(\.0)
        parse = { [endings] parser throws(UsageError) in
            var values = defaults
            while let (index, given) = try parser.next() {
                guard index < options.count else { return endings[index - options.count].1 }
                try options[index].store(&values, given)
            }
            try parser.checkRelations()
            return try finish(values, parser.operands)
        }
    }

    /// Parses the words after the command's name.
    func invocation(
        _ words: [String], _ interfaces: NetworkInterfaces
    ) throws(UsageError) -> Invocation {
        var parser = OptionParser(words, of: self, interfaces: interfaces)
        return try parse(&parser)
    }
}

extension CommandName {
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
