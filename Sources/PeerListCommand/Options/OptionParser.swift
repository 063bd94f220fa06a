// Parses a command line into options, their values and operands, by the table of a command.
import PeerList
import PeerRecording

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
        let options = name == .list ? words : Array(words.dropFirst())
        self = try name.command.parse(options, interfaces)
    }
}

extension Command {
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
        let operandNames = operands.map(\.name)
        self.init(
            name: name, summary: summary, usage: usage, about: about, sections: sections,
            operands: operands, rows: rows
        ) { words, interfaces throws(UsageError) in
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

/// Reads the words of a command line from left to right.
struct OptionParser {
    private let command: CommandName
    private let rows: [OptionRow]
    private let operandNames: [String]
    private let interfaces: NetworkInterfaces
    private var words: ArraySlice<String>
    /// The rest of a word of short options, such as `1j`.
    private var bundle: Substring = ""
    private var last: OptionRow?
    /// The values of the options so far, by their indices in the table.
    private var given: [Int: String?] = [:]

    /// The words that are not options, such as file names.
    private(set) var operands: [String] = []

    /// A parser of the words after the name of the program or of a command.
    init(
        _ words: [String], of command: CommandName, rows: [OptionRow], operandNames: [String],
        interfaces: NetworkInterfaces
    ) {
        (self.words, self.command, self.rows) = (words[...], command, rows)
        (self.operandNames, self.interfaces) = (operandNames, interfaces)
    }

    /// Returns the next option and its index in the table, or `nil` at the end.
    ///
    /// - Throws: ``UsageError`` for an unknown option, a missing or superfluous
    ///   value, a second value of an option that takes one, and too many operands.
    mutating func next() throws(UsageError) -> (index: Int, option: GivenOption)? {
        if !bundle.isEmpty { return try nextInBundle() }
        while let word = words.popFirst() {
            if word == "--" {
                for operand in words { try append(operand: operand) }
                words = []
            } else if word.hasPrefix("--") {
                let long = String(word.prefix { $0 != "=" })
                let attached = long == word ? nil : String(word.dropFirst(long.count + 1))
                guard let index = rows.firstIndex(where: { $0.long == long }) else {
                    throw unknown(long)
                }
                return try option(index, attached: attached)
            } else if word.hasPrefix("-"), word != "-" {
                bundle = word.dropFirst()
                return try nextInBundle()
            } else {
                try append(operand: word)
            }
        }
        return nil
    }

    /// Refuses a command line in which a required option is missing, or options contradict each other.
    func checkRelations() throws(UsageError) {
        let titles = Set(given.keys.map { rows[$0].title })
        for row in rows where row.isRequired && !titles.contains(row.title) {
            let needed = rows.filter(\.isRequired).map {
                "\($0.title) \($0.argument?.example ?? "")"
            }
            let example = "\(command.title) \(needed.joined(separator: " "))"
            throw UsageError(
                "'\(command.title)' needs '\(row.title)'; write for instance '\(example)'")
        }
        for row in rows where titles.contains(row.title) {
            if let other = row.conflict, titles.contains(other.title) {
                throw UsageError(
                    "'\(row.title)' and '\(other.title)' cannot be combined; \(other.advice)")
            }
            if let other = row.requirement, !titles.contains(other.title) {
                throw UsageError(
                    "'\(row.title)' applies to '\(other.title)'; \(other.advice) or leave it out")
            }
        }
    }

    private mutating func append(operand word: String) throws(UsageError) {
        guard operands.count < operandNames.count else { throw superfluous(word) }
        operands.append(word)
    }

    /// Takes one letter off the bundle; the rest is its value if it takes one.
    private mutating func nextInBundle() throws(UsageError) -> (Int, GivenOption) {
        let letter = bundle.removeFirst()
        guard let index = rows.firstIndex(where: { $0.short == letter }) else {
            throw unknown("-\(letter)")
        }
        var attached: String?
        if bundle.first == "=" {
            attached = String(bundle.dropFirst())
        } else if let argument = rows[index].argument, !argument.isOptional, !bundle.isEmpty {
            attached = String(bundle)
        }
        if attached != nil { bundle = "" }
        return try option(index, attached: attached)
    }

    private mutating func option(
        _ index: Int, attached: String?
    ) throws(UsageError) -> (Int, GivenOption) {
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
        if row.repetition == .refused, let earlier = given[index], earlier != value {
            throw UsageError("'\(row.title)' is given twice, with different values; leave one out")
        }
        given[index] = .some(value)
        return (index, GivenOption(title: row.title, value: value, interfaces: interfaces))
    }

    /// Whether a word is an option of this command, and so not the value of the option before it.
    private func isOption(_ word: String) -> Bool {
        if word == "--" { return true }
        if word.hasPrefix("--") {
            return rows.contains { $0.long == String(word.prefix { $0 != "=" }) }
        }
        guard word.hasPrefix("-"), let letter = word.dropFirst().first, !letter.isNumber else {
            return false
        }
        return rows.contains { $0.short == letter }
    }
}

extension OptionParser {
    /// Options of earlier versions, and what to use instead.
    private static let removed = [
        "--rotate": "use logrotate, see docs/recording.md",
        "--keep": "use logrotate, see docs/recording.md",
    ]

    private func unknown(_ option: String) -> UsageError {
        let nearest =
            option.hasPrefix("--")
            ? nearestName(to: option, among: rows.compactMap(\.long)) : nil
        let advice =
            Self.removed[option] ?? nearest.map { "did you mean '\($0)'?" }
            ?? "'\(command.title) --help' lists them all"
        return UsageError("there is no option \(quoted(option)); \(advice)")
    }

    private func superfluous(_ word: String) -> UsageError {
        if !operandNames.isEmpty {
            let names = operandNames.joined(separator: " ")
            return UsageError(
                "\(quoted(word)) is one word too many; write '\(command.title) \(names)'")
        }
        if command == .list, let error = misplacedCommand(word) { return error }
        let advice = command == .list ? intention(of: word) : nil
        return UsageError(
            "\(quoted(word)) is not an option; "
                + (advice ?? "'\(command.title) --help' lists them all"))
    }

    private func misplacedCommand(_ word: String) -> UsageError? {
        let names = CommandName.named.map(\.rawValue)
        if names.contains(word) {
            return UsageError("a command comes before its options; write 'peerlist \(word)' first")
        }
        return nearestName(to: word, among: names).map { nearest in
            UsageError("\(quoted(word)) is not a command; did you mean 'peerlist \(nearest)'?")
        }
    }

    /// Returns the option that a word without its hyphens, or a value without its option, may stand for.
    private func intention(of word: String) -> String? {
        if let last, last.argument?.isOptional == true {
            return "if it is the name, write \(quoted("\(last.title)=\(word)"))"
        }
        if let row = rows.first(where: { $0.long == "--\(word)" && $0.argument == nil }) {
            return "did you mean '\(row.title)'?"
        }
        return (try? ServiceType(word)).map { type in
            "to see only devices that offer \(type), write '--type \(word)'"
        }
    }
}
