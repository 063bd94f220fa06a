// Takes a command line apart into options and their values, by the table alone.
import PeerList

/// An option that was given, with its value if it has one.
struct GivenOption {
    let row: OptionRow
    let value: String?
}

/// Reads the words of a command line from left to right.
struct OptionScanner {
    private let command: CommandName
    private var words: ArraySlice<String>
    private var bundle: Substring = ""
    private var last: OptionRow?

    /// The words that are no options, such as names of files.
    private(set) var operands: [String] = []

    /// A scanner of the words behind the name of the program or of a command.
    ///
    /// - Parameters:
    ///   - words: The words.
    ///   - command: Whose options they are.
    init(_ words: [String], of command: CommandName = .list) {
        self.words = words[...]
        self.command = command
    }

    /// The next option, or `nil` at the end.
    ///
    /// - Throws: ``UsageError`` for what is no option, a value that is missing,
    ///   and a value too many.
    mutating func next() throws(UsageError) -> GivenOption? {
        if !bundle.isEmpty { return try nextInBundle() }
        while let word = words.popFirst() {
            if word == "--" {
                for operand in words { try take(operand: operand) }
                words = []
            } else if word.hasPrefix("--") {
                return try long(word)
            } else if word.hasPrefix("-"), word != "-" {
                bundle = word.dropFirst()
                return try nextInBundle()
            } else {
                try take(operand: word)
            }
        }
        return nil
    }

    private mutating func take(operand word: String) throws(UsageError) {
        guard operands.count < command.operandNames.count else { throw operandError(word) }
        operands.append(word)
    }

    private mutating func long(_ word: String) throws(UsageError) -> GivenOption {
        let flag = String(word.prefix { $0 != "=" })
        let attached = flag == word ? nil : String(word.dropFirst(flag.count + 1))
        guard let row = command.rows.first(where: { $0.flag == flag }) else {
            throw unknown(flag)
        }
        return try given(row, attached: attached)
    }

    /// Takes one letter off a bundle such as `1j`; what follows an option with a value is the value.
    private mutating func nextInBundle() throws(UsageError) -> GivenOption {
        let letter = bundle.removeFirst()
        guard let row = command.rows.first(where: { $0.short == letter }) else {
            throw unknown("-\(letter)")
        }
        var attached: String?
        if bundle.first == "=" {
            attached = String(bundle.dropFirst())
        } else if case .required = row.argument, !bundle.isEmpty {
            attached = String(bundle)
        }
        if attached != nil { bundle = "" }
        return try given(row, attached: attached)
    }

    private mutating func given(
        _ row: OptionRow, attached: String?
    ) throws(UsageError) -> GivenOption {
        last = row
        switch row.argument {
        case .none:
            guard attached == nil else {
                throw UsageError("'\(row.title)' takes no value; write it without '='")
            }
            return GivenOption(row: row, value: nil)
        case .optional:
            return GivenOption(row: row, value: attached)
        case .required(let argument, let example):
            if let attached { return GivenOption(row: row, value: attached) }
            guard let word = words.first, !isOption(word) else {
                throw UsageError(
                    "'\(row.title)' needs a value, \(argument): write '\(row.title) \(example)'")
            }
            words.removeFirst()
            return GivenOption(row: row, value: word)
        }
    }

    /// Whether a word is an option of ours, and so no value of the option before it.
    private func isOption(_ word: String) -> Bool {
        if word == "--" { return true }
        if word.hasPrefix("--") {
            return command.rows.contains { $0.flag == String(word.prefix { $0 != "=" }) }
        }
        guard word.hasPrefix("-"), let letter = word.dropFirst().first, !letter.isNumber else {
            return false
        }
        return command.rows.contains { $0.short == letter }
    }

    private func unknown(_ flag: String) -> UsageError {
        let nearest =
            flag.hasPrefix("--")
            ? nearestName(to: flag, among: command.rows.compactMap(\.flag)) : nil
        let advice =
            nearest.map { "did you mean '\($0)'?" } ?? "'\(command.title) --help' lists them all"
        return UsageError("there is no option \(quoted(flag)); \(advice)")
    }

    private func operandError(_ word: String) -> UsageError {
        guard command == .list else {
            guard !command.operandNames.isEmpty else {
                return UsageError(
                    "\(quoted(word)) is not an option; '\(command.title) --help' lists them all")
            }
            let names = command.operandNames.joined(separator: " ")
            return UsageError(
                "\(quoted(word)) is one word too many; write '\(command.title) \(names)'")
        }
        let names = CommandName.named.map(\.rawValue)
        if names.contains(word) {
            return UsageError("a command comes before its options; write 'peerlist \(word)' first")
        }
        if let nearest = nearestName(to: word, among: names) {
            return UsageError(
                "\(quoted(word)) is not a command; did you mean 'peerlist \(nearest)'?")
        }
        if let last, case .optional = last.argument {
            let flag = quoted("\(last.title)=\(word)")
            return UsageError("\(quoted(word)) is not an option; if it is the name, write \(flag)")
        }
        if let row = command.rows.first(where: { $0.flag == "--\(word)" && $0.argument == .none }) {
            return UsageError("\(quoted(word)) is not an option; did you mean '\(row.title)'?")
        }
        if let type = try? ServiceType(word) {
            return UsageError(
                "\(quoted(word)) is not an option; to see only who offers \(type), "
                    + "write '--type \(word)'")
        }
        return UsageError(
            "\(quoted(word)) is not an option; '\(command.title) --help' lists them all")
    }
}
