// The tables of commands and their options, from which parsing, help, manual page and completions follow.

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
    /// Parses the words after the command's name.
    let parse: @Sendable ([String], NetworkInterfaces) throws(UsageError) -> Invocation

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
        parse = { [rows, endings] words, interfaces throws(UsageError) in
            var parser = OptionParser(
                words, of: name, rows: rows, operandNames: operands.map(\.name),
                interfaces: interfaces)
            var values = defaults
            while let (index, given) = try parser.next() {
                guard index < options.count else { return endings[index - options.count].1 }
                try options[index].store(&values, given)
            }
            try parser.checkRelations()
            return try finish(values, parser.operands)
        }
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

extension Invocation {
    /// Parses the words after the program's name.
    ///
    /// Words are read from left to right; `--help` and `--version` take effect
    /// as soon as they are met.
    ///
    /// - Throws: ``UsageError`` for the first word that is wrong, then for
    ///   options that are missing or contradict each other.
    init(_ words: [String], interfaces: NetworkInterfaces) throws(UsageError) {
        let name = words.first.flatMap(CommandName.init(rawValue:)) ?? .list
        self = try name.command.parse(name == .list ? words : Array(words.dropFirst()), interfaces)
    }
}
