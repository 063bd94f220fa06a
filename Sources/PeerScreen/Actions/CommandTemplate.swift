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

        /// Whether the device chooses the value freely, so that it may be the syntax of a shell or the name of a file.
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

        /// Whether free text is a part of a URL after its host alone.
        var isPathOfURL: Bool {
            let fixed = pieces.prefix { $0.value?.isFreeText != true }.map { piece in
                if case .text(let text) = piece { text } else { "x" }
            }
            return fixed.joined().prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\/?#\\]+\//) != nil
        }
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

    // MARK: Texts that devices choose

    /// Programs that only show, speak or search for the operands after `--`.
    package static let readers = [
        "espeak", "espeak-ng", "figlet", "grep", "logger", "notify-send", "printf", "spd-say",
        "wl-copy",
    ]
    /// Programs that play the operands after `--`, which are URLs.
    package static let players = ["ffplay", "mpv"]
    /// Shells that pass the operands after a script and its name to the script.
    package static let shells = ["bash", "dash", "ksh", "sh", "zsh"]

    /// Refuses text that a device chooses, unless it is in a place where the program is known neither to run it, nor to
    /// include or write a file of this name.
    ///
    /// - Parameter words: The words from which the command was created.
    /// - Throws: A fault of the first word with such a text in another place.
    package func checkTexts(of words: [CommandWord]) throws(CommandWord.Fault) {
        let program = self.words.first?.start.split(separator: "/").last.map(String.init) ?? ""
        let dashes = self.words.firstIndex { $0.pieces == [.text("--")] } ?? self.words.endIndex
        for (index, word) in self.words.enumerated() where word.hasFreeText {
            let isRead =
                switch program {
                case _ where Self.readers.contains(program): dashes < index
                case _ where Self.players.contains(program): dashes < index && word.isPathOfURL
                case _ where Self.shells.contains(program): hasScript && index > 3
                default: false
                }
            guard !isRead else { continue }
            throw .init(
                message:
                    "a device chooses its name and its TXT values; \(Self.advice(for: program)), "
                    + "or write 'unchecked = yes' below the title",
                position: words[index].start)
        }
    }

    /// Whether the words begin with a script for a shell and its name, as in `sh -c 'echo "$1"' sh`.
    private var hasScript: Bool {
        words.count > 3 && words[1].pieces.count == 1
            && words[1].start.wholeMatch(of: /-[eux]*c/) != nil
            && !words[2].isOption && !words[2].start.isEmpty
    }

    /// Returns where a program may get text that a device chooses.
    private static func advice(for program: String) -> String {
        if readers.contains(program) { return "write '--' before them" }
        if players.contains(program) {
            return
                "write '--' and the host of a URL before them, as in '-- rtsp://{host}/{txt.path}'"
        }
        return
            "\(quoted(program)) might run them, or write to a file of that name: give them to a script "
            + "as arguments, as in sh -c 'echo \"$1\"' sh {name}"
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
