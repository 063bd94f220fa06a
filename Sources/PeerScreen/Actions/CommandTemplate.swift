// Commands with placeholders, which the values of a row replace as whole arguments or inside of them.
package import PeerText

/// The words of a command, with placeholders such as `{address}`.
///
/// A value replaces its placeholder within one word, so that it can neither become several arguments nor
/// be interpreted by a shell.
package struct CommandTemplate: Equatable, Sendable {
    /// A value of the selected row.
    package enum Value: Hashable, Sendable {
        case address, host, port, name, id, mac
        /// The value of a TXT key.
        case txt(String)

        private static let named: [String: Value] = [
            "address": .address, "host": .host, "port": .port, "name": .name, "id": .id,
            "mac": .mac,
        ]
        /// The placeholders as users write them.
        package static let placeholders =
            ["address", "host", "port", "name", "id", "mac", "txt.KEY"].map { "{\($0)}" }

        /// Finds a value by its name and, if it is `txt`, its key.
        fileprivate init?(_ name: Substring, key: Substring?) {
            if let key {
                guard name == "txt" else { return nil }
                self = .txt(String(key))
            } else {
                guard let value = Self.named[String(name)] else { return nil }
                self = value
            }
        }

        /// The title in sentences.
        var title: String {
            switch self {
            case .address: "the address"
            case .host: "the host name"
            case .port: "the port"
            case .name: "the name"
            case .id: "the identifier"
            case .mac: "the MAC address"
            case .txt(let key): "the TXT value \(quoted(key))"
            }
        }

        /// Whether the value is that of a service.
        var isOfService: Bool {
            switch self {
            case .port, .txt: true
            case .address, .host, .name, .id, .mac: false
            }
        }

        /// Whether the device chooses the value freely, so that it may contain the syntax of a shell.
        fileprivate var isFreeText: Bool {
            switch self {
            case .name, .txt: true
            case .address, .host, .port, .id, .mac: false
            }
        }
    }

    /// The reason why a command cannot be run for a row, such as `there is no port`.
    struct Refusal: Error, Equatable {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private enum Piece: Equatable, Sendable {
        case text(String)
        case value(Value)

        var value: Value? { if case .value(let value) = self { value } else { nil } }
    }

    private struct Word: Equatable, Sendable {
        let pieces: [Piece]

        /// The text before the first value.
        var start: String { if case .text(let text) = pieces.first { text } else { "" } }
        /// The name of a program, without its directory and a version, as in `python3.12`.
        var program: Substring? {
            start.split(separator: "/").last?.prefixMatch(of: /[A-Za-z]+(?=[0-9.-]*$)/)?.0
        }
        var isOption: Bool { start.hasPrefix("-") || start.hasPrefix("+") }
        var hasValue: Bool { pieces.contains { $0.value != nil } }
        var hasFreeText: Bool { pieces.contains { $0.value?.isFreeText == true } }
    }

    /// The maximum length of a value in bytes; a longer one could not be shown before the command runs.
    static let valueLimit = 4_096

    private let words: [Word]

    /// Creates a command without words.
    package init() { words = [] }

    /// Parses the placeholders of a command; `{{` is a brace, and so is one without a name after it.
    package init(_ words: [CommandWord]) throws(CommandWord.Fault) {
        self.words = try words.map { word throws(CommandWord.Fault) in
            Word(pieces: try Self.pieces(of: word))
        }
        try checkProgramTexts(at: words.map(\.start))
        try checkPrograms(at: words.map(\.start))
    }

    private static func pieces(of word: CommandWord) throws(CommandWord.Fault) -> [Piece] {
        var (pieces, text): ([Piece], String) = ([], "")
        var rest = word.text[...]
        // Without the brace, a space after the name has ended the word.
        let name = /\s*([A-Za-z][\w-]*)(?:\.([^{}=]+))?(\s*\}|$)/
        while let brace = rest.firstIndex(of: "{") {
            text += rest[..<brace]
            rest = rest[brace...].dropFirst()
            if rest.first == "{" {
                text.append(rest.removeFirst())
            } else if let found = rest.prefixMatch(of: name),
                !found.3.isEmpty || Value(found.1, key: found.2) != nil
            {
                let isExact = rest.hasPrefix(found.1) && found.3 == "}"
                guard isExact, let value = Value(found.1, key: found.2) else {
                    throw .init(
                        message: "there is no value \(quoted("{" + found.0)); write one of "
                            + Value.placeholders.joined(separator: " ") + ", or '{{' for a brace",
                        position: word.start)
                }
                pieces += [.text(text), .value(value)]
                (text, rest) = ("", rest[found.range.upperBound...])
            } else {
                text.append("{")
            }
        }
        return (pieces + [.text(text + rest)]).filter { $0 != .text("") }
    }

    // MARK: Values that may run

    /// Programs whose first operand is a program or a script.
    private static let launchers = Set(
        """
        ash bash busybox csh dash doas env fish ionice ksh lua mksh nice node nohup perl php \
        pkexec pwsh python ruby setsid sh sudo tcsh time timeout xargs zsh
        """.split(separator: " "))
    /// Programs that run their arguments, or a part of them, as a text of a language or by a shell.
    private static let interpreters = Set(
        "awk gawk gmake make mawk nawk parallel sed sqlite ssh tmux watch".split(separator: " "))
    /// Option letters of a program before a program text, besides the letters of all programs.
    private static let optionLetters: [Substring: String] = [
        "bun": "p", "env": "s", "node": "p", "nodejs": "p", "perl": "em", "php": "br", "ruby": "e",
    ]

    /// Refuses a value as the program, or as a program that the program runs.
    private func checkPrograms(at positions: [String.Index]) throws(CommandWord.Fault) {
        for (index, word) in words.enumerated() {
            guard !word.hasValue || index > 0 && !word.start.isEmpty else {
                throw .init(
                    message: "the program must not be a value of the network; write its name",
                    position: positions[index])
            }
            let isArgument =
                word.isOption || word.start.contains("=") || word.start.first?.isNumber == true
            guard index > 0 && isArgument || word.program.map(Self.launchers.contains) == true
            else { return }
        }
    }

    /// Refuses free text that would be a part of a program text.
    private func checkProgramTexts(at positions: [String.Index]) throws(CommandWord.Fault) {
        // The option or program that runs arguments, and the number of arguments after it that may be
        // program texts or values of options.
        var (runner, pendingCount) = ("", 0)
        var letters = ""
        var isAfterOption = false
        for (index, word) in words.enumerated() {
            let start = word.start
            let isBeforeText = Self.isBeforeText(start, letters: letters)
            if isBeforeText, word.hasFreeText || !start.contains("=") {
                runner = start
                // The option `o` of shells has a value, as in `-co pipefail`.
                pendingCount =
                    max(pendingCount, 1)
                    + (start.hasPrefix("--") ? 0 : start.count { "Oo".contains($0) })
            } else if pendingCount > 0, word.isOption, start != "--", !start.contains("=") {
                pendingCount += 1
            }
            // A value after hyphens is any option, and editors and pagers run a text after '+'.
            let isAnyOption = start.wholeMatch(of: /-+|\+.*/) != nil
            guard !word.hasFreeText || pendingCount == 0 && !isAnyOption else {
                throw .init(
                    message: "a name or TXT value after "
                        + "\(quoted(pendingCount > 0 ? runner : start)) could be run as a program, "
                        + "and the device chooses it; give it to a script as an argument: "
                        + "sh -c 'echo \"$1\"' sh {name}", position: positions[index])
            }
            if pendingCount > 0 {
                pendingCount -= word.isOption || isBeforeText ? 0 : 1
            } else if !word.isOption, !isAfterOption {
                letters = ""
            }
            isAfterOption = word.isOption
            guard let program = word.program else { continue }
            letters = Self.optionLetters[program] ?? letters
            if Self.interpreters.contains(program) { (runner, pendingCount) = (start, words.count) }
        }
    }

    /// Whether a program text may follow a word, such as `-c`, `-ne`, `--eval` and `eval`, or be in it.
    private static func isBeforeText(_ word: String, letters: String) -> Bool {
        guard word.hasPrefix("-") else { return word == "eval" }
        let end = word.lastIndex(of: "=") ?? word.endIndex
        let name = word[..<end].lowercased().filter(\.isLetter)
        guard let first = name.first else { return false }
        let isLong = word.hasPrefix("--")
        return name.contains(where: letters.contains)
            || ["cmd", "command", "eval", "exec", "expr"].contains {
                // Long options may be abbreviated.
                name.contains($0) || isLong && $0.hasPrefix(name)
            }
            || !isLong
                && ("cex".contains(first) || name.hasSuffix("c")
                    || name.count <= 3 && name.contains(where: "cex".contains))
    }

    /// The values with a placeholder in the command.
    var values: Set<Value> {
        Set(words.flatMap(\.pieces).compactMap(\.value))
    }

    /// Returns the words with the values of a row; an address after `://` is written as URLs have it.
    ///
    /// - Throws: ``Refusal`` for a value with control characters or of more than ``valueLimit`` bytes, and for
    ///   a value at the start of an argument that begins with `-`, like an option; or what `text` throws.
    func words(_ text: (Value) throws(Refusal) -> String) throws(Refusal) -> [String] {
        try words.map { template throws(Refusal) in
            var word = ""
            for piece in template.pieces {
                switch piece {
                case .text(let part): word += part
                case .value(let value):
                    var part = try text(value)
                    if value == .address, word.contains(/:\/\/([^\/?#]*@)?$/) {
                        part = SafeHost(address: part)?.inURL ?? part
                    }
                    if word.isEmpty, part.utf8.first == UInt8(ascii: "-") {
                        throw Refusal("\(value.title) begins with '-', like an option")
                    }
                    guard part.utf8.count <= Self.valueLimit else {
                        throw Refusal("\(value.title) is longer than 4 KiB")
                    }
                    guard !part.unicodeScalars.contains(where: breaksLines) else {
                        throw Refusal("\(value.title) contains a control character")
                    }
                    word += part
                }
            }
            return word
        }
    }

    /// Whether a character is a control character or a line end; terminals and programs treat both alike.
    private func breaksLines(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }
}
