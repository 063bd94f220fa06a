// Parses a command line into options, their values and operands, by the table of a command.
import PeerList

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
    /// The last values of the options so far, by their titles.
    private var given: [String: String?] = [:]

    private(set) var operands: [String] = []

    init(
        _ words: [String], of command: CommandName, rows: [OptionRow], operandNames: [String],
        interfaces: NetworkInterfaces
    ) {
        (self.words, self.command, self.rows) = (words[...], command, rows)
        (self.operandNames, self.interfaces) = (operandNames, interfaces)
    }

    private func index(of form: String) -> Int? {
        rows.firstIndex { $0.forms.contains(form) }
    }

    /// Returns the next option and its index in the table, or `nil` at the end.
    ///
    /// - Throws: ``UsageError`` for an unknown option, a missing or superfluous
    ///   value, a second value of an option that takes one, and too many operands.
    mutating func next() throws(UsageError) -> (index: Int, option: GivenOption)? {
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

    /// Refuses a command line in which a required option is missing, or options contradict each other.
    func checkRelations() throws(UsageError) {
        let title = command.title
        let required = rows.filter(\.isRequired)
        if let missing = required.first(where: { !given.keys.contains($0.title) }) {
            let example = required.map { " \($0.title) \($0.argument?.example ?? "")" }.joined()
            throw UsageError(
                "'\(title)' needs '\(missing.title)'; write for instance '\(title)\(example)'")
        }
        for row in rows where given.keys.contains(row.title) {
            if let other = row.conflict, given.keys.contains(other.title) {
                throw UsageError(
                    "'\(row.title)' and '\(other.title)' cannot be combined; \(other.advice)")
            }
            if let other = row.requirement, !given.keys.contains(other.title) {
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
    ) throws(UsageError) -> (Int, GivenOption) {
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
        return (index, GivenOption(title: row.title, value: value, interfaces: interfaces))
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
    ]

    private var allOptions: String { "'\(command.title) --help' lists them all" }

    private func unknown(_ option: String) -> UsageError {
        let longs = option.hasPrefix("--") ? rows.compactMap(\.long) : []
        let nearest = nearestName(to: option, among: longs).map { "did you mean '\($0)'?" }
        return UsageError(
            "there is no option \(quoted(option)); \(Self.removed[option] ?? nearest ?? allOptions)"
        )
    }

    private func superfluous(_ word: String) -> UsageError {
        if !operandNames.isEmpty {
            let names = operandNames.joined(separator: " ")
            return UsageError(
                "\(quoted(word)) is one word too many; write '\(command.title) \(names)'")
        }
        var advice: String?
        if command == .list {
            let names = CommandName.named.map(\.rawValue)
            if names.contains(word) {
                return UsageError(
                    "a command comes before its options; write 'peerlist \(word)' first")
            }
            if let nearest = nearestName(to: word, among: names) {
                return UsageError(
                    "\(quoted(word)) is not a command; did you mean 'peerlist \(nearest)'?")
            }
            advice = intention(of: word)
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
