// Parses the file of settings, and reports the position of the first error.
import PeerList
import TerminalList

/// An error in the file of settings.
struct ConfigError: Error, Equatable {
    /// The problem and what to write instead, without control characters.
    let message: String
    /// The number of the line, from 1.
    let line: Int
    /// The character in the line, from 1.
    let column: Int

    init(_ message: String, line: Int, column: Int) {
        (self.message, self.line, self.column) = (message, line, column)
    }

    /// Returns the error as compilers write it: `PATH:3:9: …`.
    func description(in path: String) -> String {
        "\(path):\(line):\(column): \(message); see 'peerlist config --print'"
    }
}

/// Parses the file of settings.
///
/// ```
/// [keys]
/// search = /, Ctrl-F        # any number of keys
/// [colors]
/// good = green bold         # a colour, then attributes
/// [list]
/// theme = bright
/// ```
struct ConfigParser {
    private enum Section: String, CaseIterable { case list, colors, keys }

    private var config = Config()
    private var section: Section?
    /// The number of the current line.
    private var number = 0
    /// The lines of the settings so far, by section and name.
    private var lines: [String: Int] = [:]
    /// The actions that keys are assigned to, and in which line.
    private var owners: [Key: (action: String, line: Int)] = [:]

    /// Parses a text in UTF-8, with lines that end in LF or CR LF.
    ///
    /// - Throws: ``ConfigError`` for the first error.
    static func config(from bytes: [UInt8]) throws(ConfigError) -> Config {
        var parser = ConfigParser()
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            parser.number += 1
            guard let text = String(validating: line, as: UTF8.self) else {
                throw ConfigError("the line is not valid UTF-8", line: parser.number, column: 1)
            }
            try parser.parse(text.hasSuffix("\r") ? String(text.dropLast()) : text)
        }
        return parser.config
    }

    /// Parses an empty line, `[SECTION]`, or `NAME = VALUE`, each with a comment or without.
    private mutating func parse(_ line: String) throws(ConfigError) {
        let content = Word(withoutComment(line), in: line)
        guard !content.text.isEmpty else { return }
        if content.text.hasPrefix("[") {
            guard content.text.hasSuffix("]") else {
                throw error("the name of the section needs a ']' after it", at: content)
            }
            let name = content.inner
            section = Section(rawValue: name.text)
            guard section == nil else { return }
            throw unknown("section", name, among: Section.allCases.map(\.rawValue))
        }
        let parts = content.split(maxSplits: 1) { $0 == "=" }
        guard parts.count == 2, !parts[0].text.isEmpty else {
            throw error(
                "\(quoted(content.text)) is neither '[SECTION]' nor 'NAME = VALUE'", at: content)
        }
        try set(parts[0], to: parts[1])
    }

    /// Returns what comes before a `#` at the beginning of the line or after a space.
    private func withoutComment(_ line: String) -> Substring {
        var isAfterSpace = true
        for index in line.indices {
            if line[index] == "#", isAfterSpace { return line[..<index] }
            isAfterSpace = line[index].isWhitespace
        }
        return line[...]
    }

    private mutating func set(_ name: Word, to value: Word) throws(ConfigError) {
        guard let section else {
            throw error(
                "\(quoted(name.text)) is in no section; write '[keys]', '[colors]' or '[list]' "
                    + "above it", at: name)
        }
        if let line = lines.updateValue(number, forKey: "\(section).\(name.text)") {
            throw error(
                "\(quoted(name.text)) is set in line \(line) already; leave one out", at: name)
        }
        switch section {
        case .list: try setOption(name, to: value)
        case .colors: try setColor(name, to: value)
        case .keys: try setKeys(name, to: value)
        }
    }

    private mutating func setOption(_ name: Word, to value: Word) throws(ConfigError) {
        switch name.text {
        case "theme":
            guard Theme.names.contains(value.text) else {
                throw unknown("theme", value, among: Theme.names)
            }
            config.theme = value.text
        case "departed-seconds":
            guard let seconds = Int(value.text), (0...3600).contains(seconds) else {
                throw error("\(quoted(value.text)) is not a number from 0 to 3600", at: value)
            }
            config.departureSeconds = seconds
        default: throw unknown("setting", name, among: ["theme", "departed-seconds"])
        }
    }

    /// The names of the attributes of text beside its colour.
    private static let attributes = ["bold", "dim", "reverse", "underline"]

    private mutating func setColor(_ name: Word, to value: Word) throws(ConfigError) {
        guard let tone = Style.Tone(name: name.text) else {
            throw unknown("tone", name, among: Style.Tone.allCases.map(\.name))
        }
        let words = value.split(where: \.isWhitespace).filter { !$0.text.isEmpty }
        if words.isEmpty {
            throw error(
                "the colour is missing; write one such as 'green', '39' or 'none'", at: value)
        }
        var look = Theme.Look()
        var color: Word?
        for word in words {
            if Self.attributes.contains(word.text) {
                look.attributes.formUnion(Theme.Look(word.text)?.attributes ?? [])
            } else if let color {
                throw error(
                    "\(quoted(color.text)) is the colour already, and \(quoted(word.text)) is "
                        + "neither bold, dim, reverse nor underline", at: word)
            } else {
                look.color = try parsedColor(word)
                color = word
            }
        }
        config.colors[tone] = look
    }

    private func parsedColor(_ word: Word) throws(ConfigError) -> Theme.Color {
        if let color = Theme.Color(name: word.text) { return color }
        guard !word.text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            throw error("\(quoted(word.text)) is not a number from 0 to 255", at: word)
        }
        let colors = [Theme.Color.none] + (UInt8(0)..<16).map { Theme.Color.palette($0) }
        throw unknown("colour", word, among: colors.map(\.name) + Self.attributes)
    }

    private mutating func setKeys(_ name: Word, to value: Word) throws(ConfigError) {
        let actions = NamedKeys.all.map(\.name)
        guard actions.contains(name.text) else {
            throw unknown("action", name, among: actions)
        }
        var keys: [Key] = []
        for word in value.text.isEmpty ? [] : value.split(where: { $0 == "," }) {
            keys.append(try parsedKey(word, for: name.text))
        }
        config.keymap[name.text] = keys
    }

    private mutating func parsedKey(
        _ word: Word, for action: String
    ) throws(ConfigError) -> Key {
        guard let key = Key(name: word.text) else {
            let fault =
                word.text.isEmpty ? "a key is missing" : "\(quoted(word.text)) is not a key"
            throw error(
                "\(fault); write one such as 'x', 'Ctrl-F', 'F5', 'Space', 'Comma' or 'PgDn'",
                at: word)
        }
        guard key != .control("c") || action == "quit" else {
            throw error("Ctrl-C always quits; choose another key", at: word)
        }
        if let owner = owners.updateValue((action, number), forKey: key) {
            throw error(
                "the key \(quoted(word.text)) is assigned to '\(owner.action)' in line "
                    + "\(owner.line) already; choose another one", at: word)
        }
        return key
    }
}

extension ConfigParser {
    /// A part of a line, without the spaces around it.
    private struct Word {
        let text: String
        private let part: Substring
        private let line: String

        /// The character in the line, from 1.
        var column: Int { line.distance(from: line.startIndex, to: part.startIndex) + 1 }

        init(_ part: Substring, in line: String) {
            let start = part.firstIndex { !$0.isWhitespace } ?? part.endIndex
            let end = part.lastIndex { !$0.isWhitespace }.map(part.index(after:)) ?? start
            self.part = part[start..<end]
            text = String(self.part)
            self.line = line
        }

        /// The word without its first and last character.
        var inner: Word { Word(part.dropFirst().dropLast(), in: line) }

        /// Returns the parts between separators.
        func split(
            maxSplits: Int = .max, where isSeparator: (Character) -> Bool
        ) -> [Word] {
            part.split(
                maxSplits: maxSplits, omittingEmptySubsequences: false, whereSeparator: isSeparator
            ).map { Word($0, in: line) }
        }
    }

    private func unknown(_ kind: String, _ word: Word, among names: [String]) -> ConfigError {
        var message = "there is no \(kind) \(quoted(word.text))"
        if let nearest = nearestName(to: word.text, among: names) {
            message += "; did you mean '\(nearest)'?"
        } else if names.count <= 8 {
            message += "; write one of \(names.joined(separator: ", "))"
        }
        return error(message, at: word)
    }

    private func error(_ message: String, at word: Word) -> ConfigError {
        ConfigError(message, line: number, column: word.column)
    }
}
