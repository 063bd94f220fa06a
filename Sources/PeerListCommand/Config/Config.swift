// The settings of the live list, and the parser of the file that holds them.
import PeerList
import TerminalList

/// The settings of a file; what it does not set keeps its default.
struct Config: Equatable, Sendable {
    /// The keys of actions, by the actions' names; an empty list leaves an action without keys.
    var keymap: [String: [Key]] = [:]
    /// The looks that differ from the theme's.
    var colors: [Style.Tone: Theme.Look] = [:]
    var theme: String?
    /// How long the row of a departed device stays in the list, in seconds.
    var departureSeconds = 30
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
    private let path: String
    /// The number of the current line.
    private var number = 0
    /// The lines of the settings so far, by section and name.
    private var lines: [String: Int] = [:]
    /// The actions that keys are assigned to, and in which line.
    private var owners: [Key: (action: String, line: Int)] = [:]

    /// Parses lines in UTF-8 that end in LF or CR LF; errors have a position: `PATH:3:9: …`.
    static func config(from bytes: [UInt8], path: String) throws(UsageError) -> Config {
        var parser = ConfigParser(path: path)
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            parser.number += 1
            guard let text = String(validating: line, as: UTF8.self) else {
                throw parser.error("the line is not valid UTF-8", at: "")
            }
            try parser.parse(text.hasSuffix("\r") ? String(text.dropLast()) : text)
        }
        return parser.config
    }

    /// Parses an empty line, `[SECTION]`, or `NAME = VALUE`, each with a comment or without.
    private mutating func parse(_ line: String) throws(UsageError) {
        let content = trimmed(withoutComment(line))
        guard !content.isEmpty else { return }
        if content.hasPrefix("[") {
            guard content.hasSuffix("]") else {
                throw error("the name of the section needs a ']' after it", at: content)
            }
            let name = trimmed(content.dropFirst().dropLast())
            section = Section(rawValue: String(name))
            guard section == nil else { return }
            throw unknown("section", name, among: Section.allCases.map(\.rawValue))
        }
        guard let sign = content.firstIndex(of: "="), sign > content.startIndex else {
            throw error("\(quoted(content)) is neither '[SECTION]' nor 'NAME = VALUE'", at: content)
        }
        let (name, value) = (trimmed(content[..<sign]), trimmed(content[sign...].dropFirst()))
        guard let section else {
            throw error(
                "\(quoted(name)) is in no section; write '[keys]', '[colors]' or '[list]' above it",
                at: name)
        }
        if let line = lines.updateValue(number, forKey: "\(section).\(name)") {
            throw error("\(quoted(name)) is set in line \(line) already; leave one out", at: name)
        }
        switch section {
        case .list: try setOption(name, to: value)
        case .colors: try setColor(name, to: value)
        case .keys: try setKeys(name, to: value)
        }
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

    private mutating func setOption(_ name: Substring, to value: Substring) throws(UsageError) {
        switch name {
        case "theme":
            guard Theme.names.contains(String(value)) else {
                throw unknown("theme", value, among: Theme.names)
            }
            config.theme = String(value)
        case "departed-seconds":
            guard let seconds = Int(value), (0...3600).contains(seconds) else {
                throw error("\(quoted(value)) is not a number from 0 to 3600", at: value)
            }
            config.departureSeconds = seconds
        default: throw unknown("setting", name, among: ["theme", "departed-seconds"])
        }
    }

    private static let attributes = ["bold", "dim", "reverse", "underline"]

    private mutating func setColor(_ name: Substring, to value: Substring) throws(UsageError) {
        guard let tone = Style.Tone(name: String(name)) else {
            throw unknown("tone", name, among: Style.Tone.allCases.map(\.name))
        }
        if value.isEmpty {
            throw error(
                "the colour is missing; write one such as 'green', '39' or 'none'", at: value)
        }
        let words = value.split(whereSeparator: \.isWhitespace)
        let colors = words.filter { !Self.attributes.contains(String($0)) }
        if let word = colors.first, Theme.Color(name: String(word)) == nil {
            guard !word.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                throw error("\(quoted(word)) is not a number from 0 to 255", at: word)
            }
            let known = [Theme.Color.none] + (UInt8(0)..<16).map { Theme.Color.palette($0) }
            throw unknown("colour", word, among: known.map(\.name) + Self.attributes)
        }
        if colors.count > 1 {
            throw error(
                "\(quoted(colors[0])) is the colour already, and \(quoted(colors[1])) is neither "
                    + "bold, dim, reverse nor underline", at: colors[1])
        }
        config.colors[tone] = Theme.Look(words.joined(separator: " "))
    }

    private mutating func setKeys(_ name: Substring, to value: Substring) throws(UsageError) {
        let (action, actions) = (String(name), KeyRow.all.compactMap(\.name))
        guard actions.contains(action) else { throw unknown("action", name, among: actions) }
        config.keymap[action] = []
        let words = value.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
        for word in words where !value.isEmpty {
            guard let key = Key(name: String(word)) else {
                let fault = word.isEmpty ? "a key is missing" : "\(quoted(word)) is not a key"
                throw error(
                    "\(fault); write one such as 'x', 'Ctrl-F', 'F5', 'Space', 'Comma' or 'PgDn'",
                    at: word)
            }
            guard key != .control("c") || action == "quit" else {
                throw error("Ctrl-C always quits; choose another key", at: word)
            }
            if let owner = owners.updateValue((action, number), forKey: key) {
                throw error(
                    "the key \(quoted(word)) is assigned to '\(owner.action)' in line "
                        + "\(owner.line) already; choose another one", at: word)
            }
            config.keymap[action]?.append(key)
        }
    }

    private func trimmed(_ part: Substring) -> Substring {
        let start = part.drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? start
    }

    private func unknown(_ kind: String, _ word: Substring, among names: [String]) -> UsageError {
        var message = "there is no \(kind) \(quoted(word))"
        if let nearest = nearestName(to: String(word), among: names) {
            message += "; did you mean '\(nearest)'?"
        } else if names.count <= 8 {
            message += "; write one of \(names.joined(separator: ", "))"
        }
        return error(message, at: word)
    }

    /// Returns an error at a word of the line that it is a part of.
    private func error(_ message: String, at word: Substring) -> UsageError {
        let column = word.base.distance(from: word.base.startIndex, to: word.startIndex) + 1
        return UsageError("\(path):\(number):\(column): \(message); see 'peerlist config --print'")
    }
}
