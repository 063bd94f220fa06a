// The tables of commands and options, from which parsing, help, manual page and completions follow.

/// The description of an option, from which it is parsed, and documented in every form.
struct OptionRow: Equatable, Sendable {
    /// The value of an option, or an operand.
    struct Argument: Equatable, Sendable {
        /// The name in the help: `SECONDS`, or the values themselves as `line|second|none`.
        let name: String
        /// A valid value, for error messages.
        let example: String
        /// The values that a shell completes for it.
        let completion: Completion
        /// Whether the value may be left out; it is then accepted after `=` only.
        let isOptional: Bool

        init(
            _ name: String, example: String, _ completion: Completion = .none,
            isOptional: Bool = false
        ) {
            (self.name, self.example) = (name, example)
            (self.completion, self.isOptional) = (completion, isOptional)
        }

        /// One of a few values.
        static func choice(_ values: [String], example: String) -> Argument {
            Argument(values.joined(separator: "|"), example: example, .values(values))
        }
    }

    /// The values that a shell completes.
    enum Completion: Equatable, Sendable {
        case none, files, interfaces, serviceType, serviceTypes
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

    /// The long form, such as `--type`.
    let long: String?
    /// The letter of the short form.
    let short: Character?
    var argument: Argument?
    var repetition = Repetition.overrides
    let group: Group
    let help: String
    /// The option that this one cannot be combined with.
    var conflict: Relation?
    /// The option without which this one has no effect.
    var requirement: Relation?
    /// Whether the command cannot run without it.
    var isRequired = false

    /// The long form, or the short one if there is no long one.
    var title: String { long ?? short.map { "-\($0)" } ?? "" }
    /// The short form, then the long one.
    var forms: [String] { [short.map { "-\($0)" }, long].compactMap(\.self) }
}

/// An option of a command whose options are stored in `Values`.
struct CommandOption<Values: Sendable>: Sendable {
    typealias Field<Value> = any WritableKeyPath<Values, Value> & Sendable

    /// The effect of the option when it is parsed.
    enum Effect: Sendable {
        /// Checks the value and stores it.
        case store(@Sendable (inout Values, GivenOption) throws(UsageError) -> Void)
        /// Ends parsing, as `--help` does.
        case end(Invocation)
    }

    private(set) var row: OptionRow
    let effect: Effect

    /// Whether parsing continues after the option.
    var stores: Bool { if case .store = effect { true } else { false } }

    /// An option without a value.
    static func flag(
        _ long: String?, _ short: Character? = nil, _ group: OptionRow.Group, _ help: String,
        _ store: @escaping @Sendable (inout Values) throws(UsageError) -> Void
    ) -> Self {
        Self(
            row: OptionRow(long: long, short: short, group: group, help: help),
            effect: .store { values, _ throws(UsageError) in try store(&values) })
    }

    /// An option with a value.
    static func value(
        _ long: String, _ short: Character? = nil, _ argument: OptionRow.Argument,
        _ group: OptionRow.Group, _ help: String, _ repetition: OptionRow.Repetition = .overrides,
        _ store: @escaping @Sendable (inout Values, GivenOption) throws(UsageError) -> Void
    ) -> Self {
        Self(
            row: OptionRow(
                long: long, short: short, argument: argument, repetition: repetition, group: group,
                help: help),
            effect: .store(store))
    }

    /// An option with one of the values of an enumeration.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ long: String, _ short: Character? = nil, _ group: OptionRow.Group, example: String,
        _ help: String, _ field: Field<Choice>
    ) -> Self {
        let names = Choice.allCases.map(\.rawValue)
        return value(long, short, .choice(names, example: example), group, help) {
            values, given throws(UsageError) in values[keyPath: field] = try given.choice()
        }
    }

    /// An option that ends parsing.
    static func ending(
        _ long: String, _ short: Character? = nil, _ help: String, _ invocation: Invocation
    ) -> Self {
        Self(
            row: OptionRow(long: long, short: short, group: .other, help: help),
            effect: .end(invocation))
    }

    /// An option whose value is stored in a part of `Values`.
    static func part<Part>(_ option: CommandOption<Part>, of field: Field<Part>) -> Self {
        switch option.effect {
        case .end(let invocation): Self(row: option.row, effect: .end(invocation))
        case .store(let store):
            Self(
                row: option.row,
                effect: .store { values, given throws(UsageError) in
                    try store(&values[keyPath: field], given)
                })
        }
    }

    /// The option, refused beside another one.
    func conflicting(with title: String, advice: String = "leave one out") -> Self {
        var option = self
        option.row.conflict = OptionRow.Relation(title: title, advice: advice)
        return option
    }

    /// The option, refused without another one.
    func requiring(_ title: String, advice: String) -> Self {
        var option = self
        option.row.requirement = OptionRow.Relation(title: title, advice: advice)
        return option
    }

    /// The option, which the command cannot run without.
    func required() -> Self {
        var option = self
        option.row.isRequired = true
        return option
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
    /// A few words on the command, for the list of commands.
    let summary: String
    /// The forms of the command line.
    let usage: [String]
    /// The description of the command, in paragraphs of lines of at most 80 columns.
    let about: String
    let sections: [Section]
    /// The operands; names in brackets are optional.
    let operands: [OptionRow.Argument]
    let rows: [OptionRow]
    let parse: @Sendable ([String], NetworkInterfaces) throws(UsageError) -> Invocation
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
