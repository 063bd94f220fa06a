// The settings of the live list, and the state of the parser of the file that holds them.
import PeerHooks
import PeerScreen
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
    var counts: [ConfigSection: Int] = [:]
}

/// A section of the file.
enum ConfigSection: String, CaseIterable {
    case list, colors, keys, actions, hooks

    /// The name of a setting in error messages.
    var noun: String { self == .colors ? "tone" : self == .keys ? "action" : "setting" }
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
    /// The fault of the action of the lines so far unless it is unchecked.
    var unsafe: Fault?
    var checksPrograms = false
    var faults: [Fault] = []
    var section: ConfigSection?
    /// Whether the current section is not known, so that its lines mean nothing.
    var isInUnknownSection = false
    /// The number of the current line.
    var number = 0
    /// The lines of the settings in a section or block so far, by name.
    var lines: [ConfigSection: [Substring: Int]] = [:]
    /// The actions that keys are assigned to, and in which line.
    private var owners: [Key: (action: String, line: Int)] = [:]

    mutating func fail(_ error: ValueFault) { faults.append(fault(error)) }

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
        if let unsafe, !action.isUnchecked { faults.append(unsafe) }
        (missing, unsafe, events, lines[.actions], lines[.hooks]) = (nil, nil, nil, nil, nil)
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
