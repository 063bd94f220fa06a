// The settings of the live list, and the parser of the file that holds them.
import PeerList
import PeerRecording
import PeerScreen
import PeerSession
import PeerText
import TerminalList

/// The settings of a file; what it does not set keeps its default.
struct Config: Equatable, Sendable {
    /// The keys of actions, by the actions' names; an empty list leaves an action without keys.
    var keymap: [String: [Key]] = [:]
    /// The looks that differ from the theme's.
    var colors: [Style.Tone: Theme.Look] = [:]
    var theme: String?
    var sort: RowSort?
    var isDescending = false
    var grouping: Grouping?
    /// The names of the columns to show besides that of names; `nil` for all.
    var columns: Set<String>?
    /// Whether the details are beside the list from the start on.
    var showsDetails = false
    /// How long the row of a departed device stays in the list, in seconds.
    var departureSeconds = 30
    var actions: [CustomAction] = []
    var hooks: [Hook] = []
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
/// [actions]
/// title = Ping              # begins an action
/// command = ping -c 3 {address}
/// [hooks]
/// on = arrived, new         # the changes for the next program
/// exec = notify-send "Somebody is new"
/// ```
struct ConfigParser {
    private enum Section: String, CaseIterable { case list, colors, keys, actions, hooks }

    private struct Fault {
        let line, column: Int
        let message: String
    }

    /// An action without its command, and the settings of it so far.
    private struct OpenAction {
        var action: CustomAction
        var isComplete = false
        var names: Set<Substring> = []
        let fault: Fault
    }

    private var config = Config()
    private var checksPrograms = false
    private var faults: [Fault] = []
    private var section: Section?
    /// Whether the current section is not known, so that its lines mean nothing.
    private var isInUnknownSection = false
    /// The number of the current line.
    private var number = 0
    /// The lines of the settings so far, by section and name.
    private var lines: [String: Int] = [:]
    /// The actions that keys are assigned to, and in which line.
    private var owners: [Key: (action: String, line: Int)] = [:]
    private var openAction: OpenAction?
    /// The changes for the next program, and the error if there is none.
    private var openEvents: (events: [Hook.Event], fault: Fault)?

    /// Parses lines in UTF-8 that end in LF or CR LF; each line with an error is left out. Errors have a
    /// position, `PATH:3:9: …`, and its order. Whether commands can be run is checked on request.
    static func parse(
        _ bytes: [UInt8], path: String, checksPrograms: Bool = false
    ) -> (config: Config, errors: [UsageError]) {
        var parser = ConfigParser()
        parser.checksPrograms = checksPrograms
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            parser.number += 1
            guard let text = String(validating: line, as: UTF8.self) else {
                parser.fail("the line is not valid UTF-8", at: "")
                continue
            }
            parser.parse(text.hasSuffix("\r") ? String(text.dropLast()) : text)
        }
        parser.endBlocks()
        let faults = parser.faults.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        let errors = faults.map {
            UsageError(
                "\(path):\($0.line):\($0.column): \($0.message); see 'peerlist config --print'")
        }
        return (parser.config, errors)
    }

    /// Parses an empty line, `[SECTION]`, or `NAME = VALUE`, each with a comment or without.
    private mutating func parse(_ line: String) {
        let content = trimmed(withoutComment(line))
        guard !content.isEmpty else { return }
        if content.hasPrefix("[") { return beginSection(content) }
        guard !isInUnknownSection else { return }
        guard let sign = content.firstIndex(of: "="), sign > content.startIndex else {
            return fail("\(quoted(content)) is neither '[SECTION]' nor 'NAME = VALUE'", at: content)
        }
        let (name, value) = (trimmed(content[..<sign]), trimmed(content[sign...].dropFirst()))
        guard let section else {
            return fail(
                "\(quoted(name)) is in no section; write one such as '[list]' or '[keys]' above it",
                at: name)
        }
        // A command may have a `#` in quotes.
        let command = trimmed(line[sign...].dropFirst())
        switch section {
        case .list: if isFirst(name, in: section) { setOption(name, to: value) }
        case .colors: if isFirst(name, in: section) { setColor(name, to: value) }
        case .keys: if isFirst(name, in: section) { setKeys(name, to: value) }
        case .actions: setAction(name, to: name == "command" ? command : value)
        case .hooks: setHook(name, to: name == "exec" ? command : value)
        }
    }

    /// Returns whether a setting is the first one with its name, after an error if it is not.
    private mutating func isFirst(_ name: Substring, in section: Section) -> Bool {
        if let line = lines["\(section).\(name)"] {
            fail("\(quoted(name)) is set in line \(line) already; leave one out", at: name)
            return false
        }
        lines["\(section).\(name)"] = number
        return true
    }

    private mutating func beginSection(_ content: Substring) {
        endBlocks()
        section = nil
        isInUnknownSection = true
        guard content.hasSuffix("]") else {
            return fail("the name of the section needs a ']' after it", at: content)
        }
        let name = trimmed(content.dropFirst().dropLast())
        section = Section(rawValue: String(name))
        isInUnknownSection = section == nil
        if isInUnknownSection { unknown("section", name, among: Section.allCases.map(\.rawValue)) }
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

    // MARK: The list

    private mutating func setOption(_ name: Substring, to value: Substring) {
        switch name {
        case "theme":
            config.theme = choice(value, "theme", among: Theme.names.map { ($0, $0) })
        case "sort":
            let words = value.split(whereSeparator: \.isWhitespace)
            let orders = RowSort.allCases.map { ($0.setting, $0) }
            config.sort = choice(words.first ?? value, "order", among: orders)
            config.isDescending = words.count > 1
            if words.count > 1, words[1...] != ["reversed"] {
                fail("only 'reversed' can follow the order", at: words[1])
            }
        case "group-by":
            let groupings = Grouping.allCases.map { ($0.rawValue, $0) }
            config.grouping = choice(value, "grouping", among: groupings)
        case "columns":
            let names = RowColumn.names.map { ($0, $0) }
            config.columns = Set(parts(value).compactMap { choice($0, "column", among: names) })
        case "details":
            let places = [("hidden", false), ("beside", true)]
            config.showsDetails = choice(value, "place", among: places) ?? false
        case "departed-seconds":
            guard let seconds = Int(value), (0...3600).contains(seconds) else {
                return fail("\(quoted(value)) is not a number from 0 to 3600", at: value)
            }
            config.departureSeconds = seconds
        default:
            let names = ["theme", "sort", "group-by", "columns", "details", "departed-seconds"]
            unknown("setting", name, among: names)
        }
    }

    // MARK: Colours and keys

    private static let attributes = ["bold", "dim", "reverse", "underline"]

    private mutating func setColor(_ name: Substring, to value: Substring) {
        guard let tone = Style.Tone(name: String(name)) else {
            return unknown("tone", name, among: Style.Tone.allCases.map(\.name))
        }
        if value.isEmpty {
            return fail(
                "the colour is missing; write one such as 'green', '39' or 'none'", at: value)
        }
        let words = value.split(whereSeparator: \.isWhitespace)
        let colors = words.filter { !Self.attributes.contains(String($0)) }
        if let word = colors.first, Theme.Color(name: String(word)) == nil {
            guard !word.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                return fail("\(quoted(word)) is not a number from 0 to 255", at: word)
            }
            let known = [Theme.Color.none] + (UInt8(0)..<16).map { Theme.Color.palette($0) }
            return unknown("colour", word, among: known.map(\.name) + Self.attributes)
        }
        if colors.count > 1 {
            return fail(
                "\(quoted(colors[0])) is the colour already, and \(quoted(colors[1])) is neither "
                    + "bold, dim, reverse nor underline", at: colors[1])
        }
        config.colors[tone] = Theme.Look(words.joined(separator: " "))
    }

    private mutating func setKeys(_ name: Substring, to value: Substring) {
        let actions = KeyRow.all.compactMap(\.name)
        guard actions.contains(String(name)) else {
            return unknown("action", name, among: actions)
        }
        config.keymap[String(name)] = keys(
            value, of: String(name), mayTakeInterrupt: name == "quit")
    }

    /// Returns the keys in a list of them, which no other action has.
    private mutating func keys(
        _ value: Substring, of action: String, mayTakeInterrupt: Bool = false
    ) -> [Key] {
        var keys: [Key] = []
        for word in parts(value) {
            guard let key = Key(name: String(word)) else {
                let fault = word.isEmpty ? "a key is missing" : "\(quoted(word)) is not a key"
                fail(
                    "\(fault); write one such as 'x', 'Ctrl-F', 'F5', 'Space', 'Comma' or 'PgDn'",
                    at: word)
                continue
            }
            if key == .control("c"), !mayTakeInterrupt {
                fail("Ctrl-C always quits; choose another key", at: word)
            } else if let owner = owners[key] {
                fail(
                    "the key \(quoted(word)) is assigned to \(quoted(owner.action)) in line "
                        + "\(owner.line) already; choose another one", at: word)
            } else {
                owners[key] = (action, number)
                keys.append(key)
            }
        }
        return keys
    }

    // MARK: Actions

    private mutating func setAction(_ name: Substring, to value: Substring) {
        guard name != "title" else { return beginAction(value) }
        guard var open = openAction else {
            return fail(
                "\(quoted(name)) belongs to no action; write 'title = …' above it", at: name)
        }
        guard open.names.insert(name).inserted else {
            return fail("\(quoted(name)) of this action is set already; leave one out", at: name)
        }
        switch name {
        case "key": open.action.keys = keys(value, of: open.action.title)
        case "types": open.action.types = parts(value).compactMap { serviceType($0) }
        case "kinds":
            let kinds = DeviceKind.allCases.map { ($0.rawValue, $0) }
            open.action.kinds = parts(value).compactMap { choice($0, "kind", among: kinds) }
        case "wait":
            open.action.waits =
                choice(value, "answer", among: [("yes", true), ("no", false)]) ?? true
        case "command":
            open.isComplete = true
            guard let words = self.words(value, example: "ping -c 3 {address}") else { break }
            do throws(CommandWord.Fault) {
                open.action.command = try CommandTemplate(words)
            } catch {
                fail(error.message, at: value[error.position...])
            }
        default:
            unknown("setting", name, among: ["title", "key", "types", "kinds", "command", "wait"])
        }
        openAction = open
    }

    private mutating func beginAction(_ title: Substring) {
        endBlocks()
        if title.isEmpty { fail("the title is missing; write one such as 'Ping'", at: title) }
        let fault = self.fault("the action \(quoted(title)) has no 'command' below it", at: title)
        openAction = OpenAction(
            action: CustomAction(title: String(title), command: CommandTemplate()), fault: fault)
    }

    /// Ends the action, and the program for changes, of the lines so far.
    private mutating func endBlocks() {
        if let open = openAction {
            if open.isComplete {
                config.actions.append(open.action)
            } else {
                faults.append(open.fault)
            }
        }
        if let open = openEvents { faults.append(open.fault) }
        (openAction, openEvents) = (nil, nil)
    }

    private mutating func serviceType(_ word: Substring) -> String? {
        do throws(InvalidServiceType) {
            let type = try ServiceType(String(word))
            guard type.subtype == nil else {
                fail("\(quoted(word)) is a subtype; write '\(type.name)'", at: word)
                return nil
            }
            return type.name
        } catch {
            fail("\(quoted(error.text)) \(printable(error.reason))", at: word)
            return nil
        }
    }

    // MARK: Hooks

    private mutating func setHook(_ name: Substring, to value: Substring) {
        switch name {
        case "on":
            if openEvents != nil {
                return fail(
                    "'on' is set already; write its 'exec = …' before the next one", at: name)
            }
            let all = Hook.Event.allCases.map { ($0.rawValue, $0) }
            let events = parts(value).compactMap { choice($0, "change", among: all) }
            if value.isEmpty { fail("the changes are missing; write one such as 'new'", at: value) }
            openEvents = (events, fault("'on' needs 'exec = …' below it", at: name))
        case "exec":
            let words = self.words(value, example: "notify-send Hello")
            if let words {
                var hook = Hook(arguments: words.map(\.text))
                if let open = openEvents { hook.events = Set(open.events) }
                config.hooks.append(hook)
            }
            openEvents = nil
        default: unknown("setting", name, among: ["on", "exec"])
        }
    }

    private mutating func words(_ value: Substring, example: String) -> [CommandWord]? {
        do throws(CommandWord.Fault) {
            let words = try CommandWord.split(value)
            if let first = words.first, !first.text.isEmpty {
                // A brace may begin a placeholder, which is an error of its own.
                if checksPrograms, !first.text.contains("{"),
                    let fault = Hook.fault(ofProgram: first.text)
                {
                    fail("\(quoted(first.text)) cannot be run: \(fault)", at: value[first.start...])
                }
                return words
            }
            fail("the command is missing; write one such as '\(example)'", at: value)
        } catch {
            fail(error.message, at: value[error.position...])
        }
        return nil
    }

    // MARK: Values and errors

    /// Returns the trimmed parts of a list with commas; none of an empty value.
    private func parts(_ value: Substring) -> [Substring] {
        if value.isEmpty { return [] }
        return value.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
    }

    private func trimmed(_ part: Substring) -> Substring {
        let start = part.drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? start
    }

    /// Returns the value with a name, or `nil` after an error.
    private mutating func choice<Value>(
        _ word: Substring, _ noun: String, among values: [(name: String, value: Value)]
    ) -> Value? {
        if let found = values.first(where: { $0.name == word }) { return found.value }
        unknown(noun, word, among: values.map(\.name))
        return nil
    }

    private mutating func unknown(_ noun: String, _ word: Substring, among names: [String]) {
        var message = "there is no \(noun) \(quoted(word))"
        if let nearest = nearestName(to: String(word), among: names) {
            message += "; did you mean '\(nearest)'?"
        } else if names.count <= 8 {
            message += "; write one of \(names.joined(separator: ", "))"
        }
        fail(message, at: word)
    }

    private mutating func fail(_ message: String, at word: Substring) {
        faults.append(fault(message, at: word))
    }

    /// Returns an error at a word of the line that it is a part of.
    private func fault(_ message: String, at word: Substring) -> Fault {
        let column = word.base.distance(from: word.base.startIndex, to: word.startIndex) + 1
        return Fault(line: number, column: column, message: message)
    }
}
