// The settings of the live list, and the parser of the file that holds them.
import PeerList
import PeerScreen
import PeerSession
import PeerText
import TerminalList

/// The settings of a file; what it does not set keeps its default.
struct Config: Equatable, Sendable {
    /// The settings of the screen, except for its theme.
    var screen = ScreenSettings()
    var theme: String?
    /// The looks that differ from the theme's.
    var colors: [Style.Tone: Theme.Look] = [:]
    /// The number of settings in each section of the file.
    var counts: [Setting.Section: Int] = [:]
}

/// Parses the file of settings; `peerlist config --print` shows one.
struct ConfigParser {
    /// A mistake, and its position in the file.
    typealias Fault = (line: Int, column: Int, message: String)

    /// The settings so far, which rows of the table change.
    var config = Config()
    /// The changes for the next program; `nil` for the usual ones.
    var events: [Hook.Event]?
    /// The fault if the action or the hook of the lines so far ends here.
    var missing: Fault?
    private var checksPrograms = false
    private var faults: [Fault] = []
    private var section: Setting.Section?
    /// Whether the current section is not known, so that its lines mean nothing.
    private var isInUnknownSection = false
    /// The number of the current line.
    private var number = 0
    /// The lines of the settings in a section or block so far, by name.
    private var lines: [Setting.Section: [Substring: Int]] = [:]
    /// The actions that keys are assigned to, and in which line.
    private var owners: [Key: (action: String, line: Int)] = [:]

    /// Parses lines in UTF-8 that end in LF or CR LF; errors have a position, `PATH:3:9: …`, and its order.
    /// Whether commands can be run is checked on request.
    static func parse(
        _ bytes: [UInt8], path: String, checksPrograms: Bool = false
    ) -> (config: Config, errors: [UsageError]) {
        var parser = ConfigParser()
        parser.checksPrograms = checksPrograms
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            parser.number += 1
            do throws(ValueFault) {
                guard let text = String(validating: line, as: UTF8.self) else {
                    throw ValueFault("the line is not valid UTF-8", at: "")
                }
                try parser.parse(text.hasSuffix("\r") ? String(text.dropLast()) : text)
            } catch {
                parser.fail(error)
            }
        }
        parser.endBlock()
        let faults = parser.faults.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        let errors = faults.map {
            UsageError("\(path):\($0.line):\($0.column): \($0.message)")
        }
        return (parser.config, errors)
    }

    /// Parses an empty line, `[SECTION]`, or `NAME = VALUE`, each with a comment or without.
    private mutating func parse(_ line: String) throws(ValueFault) {
        let content = Self.withoutComment(line).trimmed
        guard !content.isEmpty else { return }
        if content.hasPrefix("[") { return try beginSection(content) }
        guard !isInUnknownSection else { return }
        guard let sign = content.firstIndex(of: "="), sign > content.startIndex else {
            throw ValueFault(content, "is neither '[SECTION]' nor 'NAME = VALUE'")
        }
        let name = content[..<sign].trimmed
        guard let section else {
            throw ValueFault(
                name, "is in no section; write one such as '[list]' or '[keys]' above it")
        }
        if section == .actions, name == "title" { endBlock() }
        if section == .actions, name != "title", lines[.actions]?["title"] == nil {
            throw ValueFault(name, "belongs to no action; write 'title = …' above it")
        }
        guard let setting = section.settings.first(where: { $0.name == name }) else {
            throw ValueFault(no: section.noun, name, among: section.settings.map(\.name))
        }
        if let earlier = lines[section]?[name] {
            let advice = name == "on" ? "write its 'exec = …' before the next one" : "leave one out"
            throw ValueFault(name, "is set in line \(earlier) already; \(advice)")
        }
        lines[section, default: [:]][name] = number
        config.counts[section, default: 0] += 1
        // A command may have a `#` in quotes.
        let isCommand = ["command", "exec"].contains(name)
        try setting.store(&self, (isCommand ? line[sign...] : content[sign...]).dropFirst().trimmed)
    }

    private mutating func beginSection(_ content: Substring) throws(ValueFault) {
        endBlock()
        section = nil
        isInUnknownSection = true
        guard content.hasSuffix("]") else {
            throw ValueFault("the name of the section needs a ']' after it", at: content)
        }
        let name = content.dropFirst().dropLast().trimmed
        section = Setting.Section(rawValue: String(name))
        guard section == nil else { return isInUnknownSection = false }
        throw ValueFault(no: "section", name, among: Setting.Section.allCases.map(\.rawValue))
    }

    /// Returns what comes before a `#` at the beginning of the line or after a space.
    static func withoutComment(_ line: String) -> Substring {
        var isAfterSpace = true
        for index in line.indices {
            if line[index] == "#", isAfterSpace { return line[..<index] }
            isAfterSpace = line[index].isWhitespace
        }
        return line[...]
    }

    private mutating func fail(_ error: ValueFault) { faults.append(fault(error)) }

    /// Returns a fault with the position of its word, which is in the current line.
    func fault(_ fault: ValueFault) -> Fault {
        let (word, line) = (fault.word, fault.word.base)
        let column = line.distance(from: line.startIndex, to: word.startIndex) + 1
        return (number, column, fault.message)
    }
}

// MARK: Values of rows

extension ConfigParser {
    /// The action of the lines so far.
    var action: CustomAction {
        get { config.screen.actions[config.screen.actions.count - 1] }
        set { config.screen.actions[config.screen.actions.count - 1] = newValue }
    }

    /// Ends the action or the hook of the lines so far.
    mutating func endBlock() {
        if let missing { faults.append(missing) }
        (missing, events, lines[.actions], lines[.hooks]) = (nil, nil, nil, nil)
    }

    /// Returns the valid ones of the values of a list with commas, which `check` accepts.
    mutating func values<Value>(
        _ text: Substring, _ kind: ValueKind<Value>,
        check: (inout ConfigParser, Value, Substring) throws(ValueFault) -> Void = { _, _, _ in }
    ) -> [Value] {
        var values: [Value] = []
        for part in text.isEmpty ? [] : text.parts {
            do throws(ValueFault) {
                let value = try kind.check(part)
                try check(&self, value, part)
                values.append(value)
            } catch {
                fail(error)
            }
        }
        return values
    }

    /// Returns the keys in a list of them, which no other action has.
    mutating func keys(_ text: Substring, of action: String) -> [Key] {
        values(text, .key) { parser, key, word throws(ValueFault) in
            if key == .control("c"), parser.section != .keys || action != "quit" {
                throw ValueFault("Ctrl-C always quits; choose another key", at: word)
            }
            if let owner = parser.owners[key] {
                throw ValueFault(
                    "the key \(quoted(word)) is assigned to \(quoted(owner.action)) in line "
                        + "\(owner.line) already; choose another one", at: word)
            }
            parser.owners[key] = (action, parser.number)
        }
    }

    /// Returns the words of a command, whose program is looked for if programs are checked.
    mutating func command(_ text: Substring, example: String) throws(ValueFault) -> [CommandWord] {
        let words = try ValueKind.command(example: example).check(text)
        // A brace may begin a placeholder, which is an error of its own.
        if checksPrograms, !words[0].text.contains("{"),
            let reason = Hook.fault(ofProgram: words[0].text)
        {
            let program = quoted(words[0].text)
            fail(ValueFault("\(program) cannot be run: \(reason)", at: text[words[0].start...]))
        }
        return words
    }
}
