// Commands with placeholders, which the values of a row replace as whole arguments or inside of them.
import PeerList

/// The words of a command, with placeholders such as `{address}`.
///
/// A value replaces its placeholder within one word, so that it can neither become several arguments nor
/// be interpreted by a shell.
struct CommandTemplate: Equatable, Sendable {
    /// A value of the selected row.
    enum Value: Hashable, Sendable {
        case address, host, port, name, id, mac
        /// The value of a TXT key.
        case txt(String)

        private static let named: [String: Value] = [
            "address": .address, "host": .host, "port": .port, "name": .name, "id": .id,
            "mac": .mac,
        ]
        /// The placeholders as users write them.
        static let placeholders =
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
    }

    /// The maximum length of a value in bytes; a longer one could not be shown before the command runs.
    static let valueLimit = 4_096

    private let words: [[Piece]]

    /// Creates a command without words.
    init() { words = [] }

    /// Parses the placeholders of a command; `{{` is a brace, and so is one without a name after it.
    init(_ words: [CommandWord]) throws(CommandWord.Fault) {
        self.words = try words.map { word throws(CommandWord.Fault) in try Self.pieces(of: word) }
        guard
            self.words.first?.contains(where: { if case .value = $0 { true } else { false } })
                != true
        else {
            throw .init(
                message: "the program must not be a value of the network; write its name",
                position: words[0].start)
        }
        for index in words.indices {
            guard let program = programText(after: index) else { continue }
            let shown = quoted(words[index].text)
            throw .init(
                message: "what a device announces would be run by the program \(shown); give it "
                    + "to a script as an argument: sh -c 'echo \"$1\"' sh {name}",
                position: words[program].start)
        }
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

    /// Programs that run a text of their command line, and the letters in their options before such a
    /// text; without letters, any argument may be one.
    private static let interpreters: [String: String] = {
        let groups = [
            ("Cc", "ash bash csh dash fish ksh mksh pwsh rbash sh tcsh yash zsh"),
            ("c", "guile pypy python"), ("EMem", "perl"), ("BERr", "php"), ("Ss", "env"),
            ("Eep", "bun julia lua luajit node nodejs Rscript ruby"),
            ("", "awk gawk mawk nawk sed"),
        ]
        var letters: [String: String] = [:]
        for (group, names) in groups {
            for name in names.split(separator: " ") { letters[String(name)] = group }
        }
        return letters
    }()

    /// Returns the index of the first word with a free text that an interpreter might run.
    private func programText(after interpreter: Int) -> Int? {
        // A version may follow the name, as in `python3.12`.
        let name = plainText(of: interpreter).split(separator: "/").last?
            .wholeMatch(of: /([A-Za-z]+)[0-9.-]*/)?.1
        guard let name, let letters = Self.interpreters[String(name)] else { return nil }
        // The number of arguments that may be program texts or, among them, values of options.
        var pendingCount = 0
        var isAfterOption = false
        for index in words.indices.dropFirst(interpreter + 1) {
            let word = plainText(of: index)
            let isOption = word.hasPrefix("-") || word.hasPrefix("+")
            if isOption, word.contains(where: letters.contains) {
                pendingCount = max(pendingCount, 1)
            }
            if pendingCount > 0 || letters.isEmpty, hasFreeText(index) { return index }
            if isOption {
                // `-o` of a shell has a value, also as in `-co pipefail`.
                if pendingCount > 0, !word.hasPrefix("--") {
                    pendingCount += word.count { "Oo".contains($0) }
                }
            } else if pendingCount > 0 {
                pendingCount -= 1
            } else if !isAfterOption, !letters.isEmpty {
                // A script in a file, or arguments.
                return nil
            }
            isAfterOption = isOption
        }
        return nil
    }

    /// Returns a word without its values.
    private func plainText(of index: Int) -> String {
        words[index].reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
    }

    private func hasFreeText(_ index: Int) -> Bool {
        words[index].contains { if case .value(let value) = $0 { value.isFreeText } else { false } }
    }

    /// The values of which the command has a placeholder.
    var values: Set<Value> {
        Set(words.joined().compactMap { if case .value(let value) = $0 { value } else { nil } })
    }

    /// Returns the words with the values of a row; an address after `://` is written as URLs have it.
    ///
    /// - Throws: ``Refusal`` for a value with control characters or of more than ``valueLimit`` bytes, for
    ///   an argument that begins with a value that begins with `-`, which the program would take for an
    ///   option, and what `text` throws.
    func words(_ text: (Value) throws(Refusal) -> String) throws(Refusal) -> [String] {
        try words.map { pieces throws(Refusal) in
            var word = ""
            for piece in pieces {
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

    /// Whether a character is a control character, as which terminals and programs treat line ends too.
    private func breaksLines(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }
}
