// Reads the file of settings, and refuses what it does not understand.
import PeerList
import TerminalList

/// Reads the file of settings.
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
    private enum Section: String, CaseIterable {
        case list, colors, keys
    }

    private let vocabulary: ConfigVocabulary
    private var config = Config()
    private var section: Section?
    /// The number of the line that is being read.
    private var number = 0
    /// The lines of what has been said, to refuse what is said twice.
    private var lines: [String: Int] = [:]
    private var owners: [Key: (action: String, line: Int)] = [:]

    private init(_ vocabulary: ConfigVocabulary) { self.vocabulary = vocabulary }

    /// What a text says.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8; its lines may end in CR LF.
    ///   - vocabulary: The words that it may hold.
    /// - Returns: The settings.
    /// - Throws: ``ConfigError`` for the first thing that is wrong.
    static func config(
        from bytes: [UInt8], _ vocabulary: ConfigVocabulary
    ) throws(ConfigError) -> Config {
        var parser = ConfigParser(vocabulary)
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            parser.number += 1
            guard let text = String(validating: line, as: UTF8.self) else {
                throw parser.error("the line is not valid UTF-8", column: 1)
            }
            try parser.read(text.hasSuffix("\r") ? text.dropLast() : text[...])
        }
        return parser.config
    }

    private mutating func read(_ line: Substring) throws(ConfigError) {
        switch try ConfigLine(line, number: number) {
        case .empty: break
        case .section(let name):
            section = Section(rawValue: name.text)
            guard section == nil else { break }
            throw unknown("section", name, among: Section.allCases.map(\.rawValue))
        case .setting(let name, let value):
            guard let section else {
                throw error(
                    "\(quoted(name.text)) stands in no section; write '[keys]', '[colors]' or "
                        + "'[list]' above it", column: name.column)
            }
            if let line = lines.updateValue(number, forKey: "\(section).\(name.text)") {
                throw error(
                    "\(quoted(name.text)) is set in line \(line) already", column: name.column)
            }
            switch section {
            case .list: try set(name, value)
            case .colors: try color(name, value)
            case .keys: try bind(name, value)
            }
        }
    }

    private mutating func set(_ name: ConfigWord, _ value: ConfigWord) throws(ConfigError) {
        switch name.text {
        case "theme":
            guard vocabulary.themes.contains(value.text) else {
                throw unknown("theme", value, among: vocabulary.themes)
            }
            config.theme = value.text
        case "departed-seconds":
            guard let seconds = Int(value.text), (0...3600).contains(seconds) else {
                throw error(
                    "\(quoted(value.text)) is not a number from 0 to 3600", column: value.column)
            }
            config.departureSeconds = seconds
        default: throw unknown("setting", name, among: ["theme", "departed-seconds"])
        }
    }

    private mutating func color(_ name: ConfigWord, _ value: ConfigWord) throws(ConfigError) {
        guard let tone = Style.Tone(name: name.text) else {
            throw unknown("tone", name, among: Style.Tone.allCases.map(\.name))
        }
        let words = value.split(where: \.isWhitespace).filter { !$0.text.isEmpty }
        if words.isEmpty {
            throw error(
                "the colour is missing; write one such as 'green', '39' or 'none'",
                column: value.column)
        }
        var look = Theme.Look()
        var color: ConfigWord?
        for word in words {
            if ConfigVocabulary.attributes.contains(word.text) {
                look.attributes.formUnion(Theme.Look(word.text)?.attributes ?? [])
            } else if let color {
                throw error(
                    "\(quoted(color.text)) is the colour already, and \(quoted(word.text)) is "
                        + "neither bold, dim, reverse nor underline", column: word.column)
            } else {
                look.color = try colorValue(of: word)
                color = word
            }
        }
        config.colors[tone] = look
    }

    private func colorValue(of word: ConfigWord) throws(ConfigError) -> Theme.Color {
        if let color = Theme.Color(name: word.text) { return color }
        guard !word.text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            throw error("\(quoted(word.text)) is not a number from 0 to 255", column: word.column)
        }
        let names = ConfigVocabulary.colors + ConfigVocabulary.attributes
        throw unknown("colour", word, among: names)
    }

    private mutating func bind(_ name: ConfigWord, _ value: ConfigWord) throws(ConfigError) {
        guard vocabulary.actions.contains(name.text) else {
            throw unknown("action", name, among: vocabulary.actions)
        }
        let words = value.text.isEmpty ? [] : value.split { $0 == "," }
        var keys: [Key] = []
        for word in words { keys.append(try key(word, for: name.text)) }
        config.keymap[name.text] = keys
    }

    private mutating func key(
        _ word: ConfigWord, for action: String
    ) throws(ConfigError) -> Key {
        guard let key = Key(name: word.text) else {
            let said = word.text.isEmpty ? "a key is missing" : "\(quoted(word.text)) is not a key"
            throw error(
                "\(said); write one such as 'x', 'Ctrl-F', 'F5', 'Space', 'Comma' or 'PgDn'",
                column: word.column)
        }
        guard key != .control("c") || action == "quit" else {
            throw error("Ctrl-C always quits", column: word.column)
        }
        if let owner = owners.updateValue((action, number), forKey: key) {
            throw error(
                "the key \(quoted(word.text)) is given to '\(owner.action)' in line "
                    + "\(owner.line) already", column: word.column)
        }
        return key
    }

    private func unknown(
        _ kind: String, _ word: ConfigWord, among names: [String]
    ) -> ConfigError {
        let nearest = nearestName(to: word.text, among: names)
        let advice =
            nearest.map { "did you mean '\($0)'?" }
            ?? (names.count == 1 ? names.first.map { "write '\($0)'" } : nil)
            ?? (names.count <= 8 ? "write one of \(names.joined(separator: ", "))" : nil)
        let said = "there is no \(kind) \(quoted(word.text))"
        return error(advice.map { "\(said); \($0)" } ?? said, column: word.column)
    }

    private func error(_ message: String, column: Int) -> ConfigError {
        ConfigError(message, line: number, column: column)
    }
}
