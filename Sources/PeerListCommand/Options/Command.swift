// The tables of commands and options, from which help and manual page follow, and the parser.
import PeerModel
import PeerText

/// The description of an option, from which it is parsed, and documented in every form.
struct OptionRow: Sendable {
    /// The value of an option, or an operand.
    struct Argument: Sendable {
        /// The name in the help: `SECONDS`, or the values themselves as `line|second|none`.
        let name: String
        let example: String
        var candidates = Candidates.none
        /// Whether the value may be left out; it is then accepted after `=` only.
        var isOptional = false
        /// The name by which an option refers to an operand.
        var title: String { name.filter { !"[].".contains($0) } }
        /// Whether an operand may be repeated.
        var isRepeated: Bool { name.hasSuffix("...") }
    }

    enum Repetition: Sendable {
        /// All values are used.
        case adds
        /// The last value is used, so that the option of an alias can be overridden.
        case overrides
        /// A different value is refused, because one of the two would be lost.
        case refused
    }

    enum Group: String, CaseIterable, Sendable {
        case announcement = "Announcement"
        case discovery = "Discovery"
        case output = "Output"
        case screen = "Live list"
        case recording = "Recording"
        case hooks = "Hooks"
        case broker = "Broker"
        case other = "Other"
    }

    /// The title of an option or operand that this option requires or excludes, and what to do otherwise.
    typealias Relation = (title: String, advice: String)

    let forms: [String]
    var argument: Argument?
    var repetition = Repetition.overrides
    var group = Group.other
    let help: String
    /// The line of the option in the short help of the list; `nil` if that leaves the option out.
    var brief: String?
    var conflicts: [Relation] = []
    var requirement: Relation?
    var isRequired = false

    /// The long form, or the short one if there is no long one.
    var title: String { forms.last ?? "" }
    var long: String? { forms.first { $0.hasPrefix("--") } }
    var short: Character? { forms.first { $0.count == 2 }?.last }
    var candidates: Candidates { argument?.candidates ?? .none }
}

/// An option of a command whose options are stored in `Values`.
struct CommandOption<Values: Sendable>: Sendable {
    fileprivate(set) var row: OptionRow
    /// Checks the value, `nil` if there is none, and stores it.
    fileprivate let store: @Sendable (inout Values, String?) throws(UsageError) -> Void

    /// An option without a value; its forms are separated by a comma: `-j, --json`.
    static func flag(
        _ forms: String, _ help: String, _ store: @escaping @Sendable (inout Values) -> Void
    ) -> Self {
        Self(row: OptionRow(forms: split(forms), help: help)) { values, _ in store(&values) }
    }

    /// An option with a value; if `standard` is given, the value may be left out.
    static func value<Value>(
        _ forms: String, _ kind: ValueKind<Value>, _ help: String,
        _ repetition: OptionRow.Repetition = .overrides, standard: Value? = nil,
        _ store: @escaping @Sendable (inout Values, Value) -> Void
    ) -> Self {
        let argument = OptionRow.Argument(
            name: kind.name, example: kind.example, candidates: kind.candidates,
            isOptional: standard != nil)
        let row = OptionRow(
            forms: split(forms), argument: argument, repetition: repetition, help: help)
        return Self(row: row) { [title = row.title] values, text throws(UsageError) in
            if text == nil, let standard { return store(&values, standard) }
            store(&values, try kind.value(of: title, text ?? ""))
        }
    }

    private static func split(_ forms: String) -> [String] {
        forms.split(separator: ", ").map(String.init)
    }

    fileprivate func with<Part>(_ part: WritableKeyPath<OptionRow, Part>, _ value: Part) -> Self {
        var option = self
        option.row[keyPath: part] = value
        return option
    }

    func conflicting(with title: String, advice: String = "leave one out") -> Self {
        with(\.conflicts, row.conflicts + [(title, advice)])
    }

    func requiring(_ title: String, advice: String) -> Self {
        with(\.requirement, (title, advice))
    }

    func required() -> Self { with(\.isRequired, true) }

    /// The option with a line in the short help of the list.
    func brief(_ text: String) -> Self { with(\.brief, text) }
}

/// A command: what it takes, what its help says, and how its words are parsed.
struct Command: Sendable {
    let name: CommandName
    /// A few words on the command, for the list of commands.
    let summary: String
    let usage: [String]
    /// The description of the command, in paragraphs of lines of at most 80 columns.
    let about: String
    /// The end of the help: paragraphs of a heading, which a colon follows, and indented lines.
    let notes: String
    /// The operands; names in brackets are optional, and names that end in dots may be repeated.
    let operands: [OptionRow.Argument]
    fileprivate var requiredOperands: [OptionRow.Argument] {
        operands.filter { !$0.name.hasPrefix("[") }
    }
    /// The end of the error for too few operands: what is needed, and what to write.
    fileprivate let missing: String
    let rows: [OptionRow]
    fileprivate let parse: @Sendable (inout OptionParser) throws(UsageError) -> Invocation

    /// The options under each heading of the help.
    var groups: [(heading: String, rows: [OptionRow])] { Self.groups(of: rows) }

    static func groups(of rows: [OptionRow]) -> [(heading: String, rows: [OptionRow])] {
        OptionRow.Group.allCases.map { group in
            (group.rawValue, rows.filter { $0.group == group })
        }.filter { !$0.rows.isEmpty }
    }

    /// The options that do the same in the list, if they are many, those of its short help first; not those
    /// that a broker needs.
    var sharedRows: [OptionRow] {
        guard name != .list else { return [] }
        let list = Self.list.rows
        let shared = rows.filter { row in
            row.group != .other && row.group != .broker
                && list.contains { $0.title == row.title && $0.help == row.help }
        }
        guard shared.count > Self.fewRows else { return [] }
        return shared.filter { $0.brief != nil } + shared.filter { $0.brief == nil }
    }

    /// The number of options up to which those of the list are repeated in the help of another command.
    private static let fewRows = 3

    /// A command whose options are stored in `Values`; `--help` is added to them. At the end,
    /// `finish` checks what no single option can, given the values and the operands.
    init<Values: Sendable>(
        _ name: CommandName, _ summary: String, usage: [String]? = nil, about: String,
        notes: String, operands: [OptionRow.Argument] = [], missing: String = "",
        defaults: Values,
        options: KeyValuePairs<OptionRow.Group, [CommandOption<Values>]>,
        finish: @escaping @Sendable (inout Values, [String]) throws(UsageError) -> Invocation
    ) {
        let words = ["\(name.title) [OPTION]..."] + operands.map(\.name)
        (self.name, self.summary) = (name, summary)
        self.usage = usage ?? [words.joined(separator: " ")]
        (self.about, self.notes) = (about, notes)
        (self.operands, self.missing) = (operands, missing)
        let options = options.flatMap { group, options in options.map { $0.with(\.group, group) } }
        func row(_ forms: [String], _ help: String, brief: String? = nil) -> OptionRow {
            OptionRow(forms: forms, help: help, brief: brief)
        }
        // These end the parsing.
        var endings = [
            (
                row(
                    ["-h", "--help"], "Print the help and exit; '--help all' has every option",
                    brief: "Print this help; '--help all' has every option"),
                Invocation.help(name)
            )
        ]
        if name == .list {
            endings += [
                (row(["--man"], "Print the manual page, for 'man -l -', and exit"), .manual),
                (
                    row(
                        ["-V", "--version"], "Print the version and exit",
                        brief: "Print the version"), .version
                ),
            ]
        }
        rows = options.map(\.row) + endings.map(\.0)
        parse = { [endings] parser throws(UsageError) in
            var values = defaults
            while let (index, text) = try parser.next() {
                guard index < options.count else {
                    let ending = endings[index - options.count].1
                    guard case .help(let name, _) = ending else { return ending }
                    return .help(name, isAll: parser.skip("all"))
                }
                try options[index].store(&values, text)
            }
            try parser.checkRelations()
            return try finish(&values, parser.operands)
        }
    }
}

extension CommandName {
    var command: Command {
        switch self {
        case .list: .list
        case .fleet: .fleet
        case .pick: .pick
        case .doctor: .doctor
        case .announce: .announce
        case .types: .types
        case .devices: .devices
        case .label: .label
        case .replay: .replay
        case .demo: .demo
        case .diff: .diff
        case .export: .export
        case .report: .report
        case .expect: .expect
        case .config: .config
        case .completions: .completions
        }
    }
}

extension Invocation {
    /// Parses the words after the program's name from left to right; `--help` and `--version` take
    /// effect as soon as they are met.
    init(_ words: [String]) throws(UsageError) {
        guard words.first != "__complete" else {
            self = .candidates(Array(words.dropFirst()))
            return
        }
        if words.first == "help" {
            let isAll = words.count > 1 && words.last == "all"
            let names = words.dropFirst().dropLast(isAll ? 1 : 0)
            self = .help(try CommandName(helpFor: names), isAll: isAll)
            return
        }
        let name = words.first.flatMap(CommandName.init(rawValue:)) ?? .list
        let command = name.command
        var parser = OptionParser(words.dropFirst(name == .list ? 0 : 1), of: command)
        self = try command.parse(&parser)
    }
}

extension CommandName {
    /// The command whose help is asked for by the words after `peerlist help`.
    fileprivate init(helpFor words: ArraySlice<String>) throws(UsageError) {
        guard let word = words.first, !["-h", "--help"].contains(word) else {
            self = .list
            return
        }
        guard words.count == 1 else {
            throw UsageError("'peerlist help' takes one command; write 'peerlist help COMMAND'")
        }
        let names = Self.named.map(\.rawValue)
        guard let name = Self(rawValue: word), name != .list else {
            let advice =
                nearestName(to: word, among: names).map { "did you mean 'peerlist help \($0)'?" }
                ?? "write one of \(names.joined(separator: ", "))"
            throw UsageError("\(quoted(word)) is not a command; \(advice)")
        }
        self = name
    }
}

/// Reads the words of a command line from left to right.
private struct OptionParser {
    private var words: ArraySlice<String>
    private let command: Command
    /// The rest of a word of short options, such as `1j`.
    private var bundle: Substring = ""
    private var last: OptionRow?
    /// The last values of the options so far, and of the operands at the end, by their titles.
    private var given: [String: String?] = [:]

    private(set) var operands: [String] = []

    private var rows: [OptionRow] { command.rows }

    init(_ words: ArraySlice<String>, of command: Command) {
        (self.words, self.command) = (words, command)
    }

    private func index(of form: String) -> Int? {
        rows.firstIndex { $0.forms.contains(form) }
    }

    /// Returns the index of the next option in the table and its value, or `nil` at the end.
    mutating func next() throws(UsageError) -> (index: Int, value: String?)? {
        while bundle.isEmpty, let word = words.popFirst() {
            if word == "--" {
                for operand in words { try append(operand: operand) }
                words = []
            } else if word.hasPrefix("--") {
                let long = String(word.prefix { $0 != "=" })
                return try option(
                    long, attached: long == word ? nil : String(word.dropFirst(long.count + 1)))
            } else if word.hasPrefix("-"), word != "-" {
                bundle = word.dropFirst()
            } else {
                try append(operand: word)
            }
        }
        return bundle.isEmpty ? nil : try nextInBundle()
    }

    /// Skips a word if it is the next one; returns whether it is.
    mutating func skip(_ word: String) -> Bool {
        guard bundle.isEmpty, words.first == word else { return false }
        words.removeFirst()
        return true
    }

    /// Refuses options that contradict each other, and missing options and operands.
    mutating func checkRelations() throws(UsageError) {
        let title = command.name.title
        for (operand, word) in zip(command.operands, operands) { given[operand.title] = word }
        let required = rows.filter(\.isRequired)
        if let missing = required.first(where: { !given.keys.contains($0.title) }) {
            let words = required.map { "\($0.title) \($0.argument?.example ?? "")" }
            let operands = command.requiredOperands.map(\.example)
            let example = (words + operands).map { " \($0)" }.joined()
            throw UsageError(
                "'\(title)' needs '\(missing.title)'; write for instance '\(title)\(example)'")
        }
        for row in rows where given.keys.contains(row.title) {
            for other in row.conflicts where given.keys.contains(other.title) {
                throw UsageError(
                    "'\(row.title)' and '\(other.title)' cannot be combined; \(other.advice)")
            }
            if let other = row.requirement, !given.keys.contains(other.title) {
                throw UsageError(
                    "'\(row.title)' applies to '\(other.title)'; \(other.advice) or leave it out")
            }
        }
        guard operands.count >= command.requiredOperands.count else {
            throw UsageError("'\(title)' needs \(command.missing)")
        }
    }

    private mutating func append(operand word: String) throws(UsageError) {
        guard operands.count < command.operands.count || command.operands.last?.isRepeated == true
        else { throw superfluous(word) }
        operands.append(word)
    }

    /// Takes one letter off the bundle; the rest is its value if it takes one.
    private mutating func nextInBundle() throws(UsageError) -> (Int, String?) {
        let short = "-\(bundle.removeFirst())"
        let argument = index(of: short).flatMap { rows[$0].argument }
        var attached: String?
        if bundle.first == "=" {
            attached = String(bundle.dropFirst())
        } else if argument?.isOptional == false, !bundle.isEmpty {
            attached = String(bundle)
        }
        if attached != nil { bundle = "" }
        return try option(short, attached: attached)
    }

    private mutating func option(
        _ form: String, attached: String?
    ) throws(UsageError) -> (Int, String?) {
        guard let index = index(of: form) else { throw unknown(form) }
        let row = rows[index]
        last = row
        var value = attached
        if let argument = row.argument {
            if value == nil, !argument.isOptional {
                guard let word = words.first, !isOption(word) else {
                    throw UsageError(
                        "'\(row.title)' needs a value, \(argument.name): write "
                            + "'\(row.title) \(argument.example)'")
                }
                value = words.removeFirst()
            }
        } else if attached != nil {
            throw UsageError("'\(row.title)' takes no value; write it without '='")
        }
        if let earlier = given.updateValue(value, forKey: row.title), earlier != value,
            row.repetition == .refused
        {
            throw UsageError("'\(row.title)' is given twice, with different values; leave one out")
        }
        return (index, value)
    }

    /// Whether a word is an option of this command, and so not the value of the option before it.
    private func isOption(_ word: String) -> Bool {
        if word == "--" { return true }
        if word.hasPrefix("--") { return index(of: String(word.prefix { $0 != "=" })) != nil }
        return word.dropFirst().first?.isNumber == false && index(of: String(word.prefix(2))) != nil
    }
}

extension OptionParser {
    /// Options of earlier versions, and what to use instead.
    private static let removed = [
        "--rotate": "use logrotate, see docs/recording.md",
        "--keep": "use logrotate, see docs/recording.md",
        "--signs": "write 'signs = letters' in the settings, see 'peerlist config'",
    ]

    private var allOptions: String { "'\(command.name.title) --help all' lists them" }

    private func unknown(_ option: String) -> UsageError {
        let longs = option.hasPrefix("--") ? rows.compactMap(\.long) : []
        let nearest = nearestName(to: option, among: longs).map { "did you mean '\($0)'?" }
        return UsageError(
            "there is no option \(quoted(option)); \(Self.removed[option] ?? nearest ?? allOptions)"
        )
    }

    private func superfluous(_ word: String) -> UsageError {
        if !command.operands.isEmpty {
            let names = command.operands.map(\.name).joined(separator: " ")
            return UsageError(
                "\(quoted(word)) is one word too many; write '\(command.name.title) \(names)'")
        }
        var advice: String?
        if command.name == .list {
            let names = CommandName.named.map(\.rawValue)
            if names.contains(word) {
                return UsageError(
                    "a command comes before its options; write 'peerlist \(word)' first")
            }
            if let nearest = nearestName(to: word, among: names + ["help"]) {
                return UsageError(
                    "\(quoted(word)) is not a command; did you mean 'peerlist \(nearest)'?")
            }
            advice = intention(of: word)
        }
        if command.name == .list, advice == nil, !word.hasPrefix("-") {
            return UsageError("\(quoted(word)) is not a command; 'peerlist --help' lists them all")
        }
        return UsageError("\(quoted(word)) is not an option; \(advice ?? allOptions)")
    }

    /// Returns the option that a word without its hyphens, or a value without its option, may stand for.
    private func intention(of word: String) -> String? {
        if let last, last.argument?.isOptional == true {
            return "if it is the name, write \(quoted("\(last.title)=\(word)"))"
        }
        if let index = index(of: "--\(word)"), rows[index].argument == nil {
            return "did you mean '--\(word)'?"
        }
        return (try? ServiceType(word)).map { type in
            "to see only devices that offer \(type), write '--type \(word)'"
        }
    }
}
