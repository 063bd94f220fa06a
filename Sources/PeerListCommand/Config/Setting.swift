// The table of settings: their kinds, defaults and comments, from which the file is parsed, printed and documented.
import PeerHooks
import PeerModel
import PeerRecording
import PeerScreen
import PeerText
import TerminalList

/// A setting of the file.
struct Setting: Sendable {
    let name: String
    /// The default as it is written in the file; `nil` for a setting of an action or a hook, which has none.
    var standard: String?
    /// The comment on the default, in lines of at most 78 columns.
    var help = ""
    let store: @Sendable (inout ConfigParser, Substring) throws(ValueFault) -> Void

    fileprivate static let all: [ConfigSection: [Setting]] = [
        .list: list, .colors: colors, .keys: keys, .actions: actions, .hooks: hooks,
    ]
}

extension ConfigSection {
    var settings: [Setting] { Setting.all[self] ?? [] }
}

extension Setting {
    /// A setting with a default, whose kind is that of an option or of a setting alone.
    private static func value<Value>(
        _ name: String, _ kind: ValueKind<Value>, _ standard: String, _ help: String,
        _ set: @escaping @Sendable (inout Config, Value) -> Void
    ) -> Setting {
        Setting(name: name, standard: standard, help: help) {
            parser, text throws(ValueFault) in set(&parser.config, try kind.check(text))
        }
    }

    private static let list = [
        value(
            "theme", .choice("theme", Theme.names), "default",
            "\(Theme.names.joined(separator: ", ")); the option --theme overrides it"
        ) { $0.theme = $1 },
        value(
            "signs", ValueKind<KindSigns>.choice("kind of signs"), "symbols",
            "symbols, letters or none"
        ) { $0.screen.signs = $1 },
        value(
            "sort", order, "name",
            "\(RowSort.allCases.map(\.setting).joined(separator: ", ")), with 'reversed' after it\n"
                + "for the opposite order; the option --sort overrides both"
        ) { ($0.screen.sort, $0.screen.isDescending) = $1 },
        value(
            "group-by", ValueKind<Grouping>.choice("grouping"), "device",
            "device or type; the option --group-by overrides it"
        ) { $0.screen.grouping = $1 },
        Setting(
            name: "columns",
            standard: RowColumn.names.dropFirst().joined(separator: ", "),
            help: "the columns besides the name; a narrow window has fewer of them, and some are\n"
                + "shown by device or by type only"
        ) {
            $0.config.screen.columns = Set($0.values($1, .choice("column", RowColumn.names)))
        },
        value(
            "details", .choice("place", [("hidden", false), ("beside", true)]), "hidden",
            "hidden, or beside the list from the start on"
        ) { $0.screen.showsDetails = $1 },
        value(
            "departed-seconds", .number(in: 0...3600),
            "\(ScreenSettings().departure.components.seconds)",
            "how long the row of a departed device stays in the list, in seconds"
        ) { $0.screen.departure = .seconds($1) },
        value(
            "witness", .choice("answer", [("yes", true), ("no", false)]), "yes",
            "whether the packets on the network are listened to; 'no' is\n"
                + "as the option --no-witness"
        ) { $0.screen.usesWitness = $1 },
        Setting(
            name: "also",
            standard: DiscoveryProtocol.usual.map(\.rawValue).sorted().joined(separator: ", "),
            help: "the protocols besides multicast DNS by which devices are found: ssdp, wsd,\n"
                + "neighbours; mdns for none; the option --also adds some, --only replaces them"
        ) {
            $0.config.screen.protocols = Set($0.values($1, .discoveryProtocol))
        },
    ]

    /// An order, after which `reversed` may stand.
    private static let order = ValueKind<(sort: RowSort, isDescending: Bool)>(
        "ORDER", example: "name"
    ) { text throws(ValueFault) in
        let words = text.split(whereSeparator: \.isWhitespace)
        let orders = RowSort.allCases.map { ($0.setting, $0) }
        let sort = try ValueKind<RowSort>.choice("order", orders).check(words.first ?? text)
        guard words.count < 2 || words[1...] == ["reversed"] else {
            throw ValueFault("only 'reversed' can follow the order", at: words[1])
        }
        return (sort, words.count > 1)
    }

    private static let colors = Style.Tone.allCases.map { tone in
        value(tone.name, .look, "\(Theme.standard[tone])", meaning(of: tone)) {
            $0.colors[tone] = $1
        }
    }

    private static func meaning(of tone: Style.Tone) -> String {
        switch tone {
        case .plain: "ordinary text"
        case .good: "arrivals, and success"
        case .caution: "changes, and doubt"
        case .bad: "departures, and failure"
        case .accent: "titles"
        case .muted: "less important than the rest"
        case .own: "this machine"
        case .kind: "service types"
        case .category1, .category2, .category3, .category4, .category5, .category6:
            "the kinds "
                + listed(
                    DeviceKind.categories.filter { $0.tone == tone }.flatMap(\.kinds).map(\.title))
        }
    }

    private static let keys = ListKeys.all.map { row in
        let (name, keys) = (row.name ?? "", row.keys.map(\.name).joined(separator: ", "))
        return Setting(name: name, standard: keys, help: row.help) {
            $0.config.screen.keymap[name] = $0.keys($1, of: name)
        }
    }

    private static let actions = [
        Setting(name: "title") {
            parser, text throws(ValueFault) in
            parser.config.screen.actions.append(
                CustomAction(title: String(text), command: CommandTemplate()))
            parser.missing = parser.fault(
                ValueFault("the action \(quoted(text)) has no 'command' below it", at: text))
            guard text.isEmpty else { return }
            throw ValueFault("the title is missing; write one such as 'Ping'", at: text)
        },
        Setting(name: "key") { $0.action.keys = $0.keys($1, of: $0.action.title) },
        Setting(name: "types") {
            $0.action.types = $0.values($1, .plainType { type, _ in type.name })
        },
        Setting(name: "kinds") { $0.action.kinds = $0.values($1, .deviceKind) },
        Setting(name: "command") {
            parser, text throws(ValueFault) in
            parser.missing = nil
            let words = try parser.command(text, example: "ping -c 3 {address}")
            do throws(CommandWord.Fault) {
                parser.action.command = try CommandTemplate(words)
            } catch {
                throw ValueFault(error.message, at: text[error.position...])
            }
            do throws(CommandWord.Fault) {
                try parser.action.command.checkTexts(of: words)
            } catch {
                parser.unsafe = parser.fault(
                    ValueFault(error.message, at: text[error.position...]))
            }
        },
        Setting(name: "unchecked") { parser, text throws(ValueFault) in
            let answer = ValueKind.choice("answer", [("yes", true), ("no", false)])
            parser.action.isUnchecked = try answer.check(text)
        },
        Setting(name: "wait") { parser, text throws(ValueFault) in
            let answer = ValueKind.choice("answer", [("yes", true), ("no", false)])
            parser.action.waits = try answer.check(text)
        },
    ]

    private static let hooks = [
        Setting(name: "on") { parser, text throws(ValueFault) in
            let line = Substring(text.base).trimmed
            parser.missing = parser.fault(ValueFault("'on' needs 'exec = …' below it", at: line))
            parser.events = parser.values(text, .change)
            guard text.isEmpty else { return }
            throw ValueFault("the changes are missing; write one such as 'new'", at: text)
        },
        Setting(name: "exec") { parser, text throws(ValueFault) in
            let events = parser.events.map(Set.init) ?? Hook.standardEvents
            parser.missing = nil
            parser.endBlock()
            let words = try parser.command(text, example: "notify-send Hello")
            parser.config.screen.hooks.append(Hook(events: events, arguments: words.map(\.text)))
        },
    ]
}

extension ValueKind<Theme.Look> {
    private static var attributes: [String] { ["bold", "dim", "reverse", "underline"] }

    /// A colour, and attributes.
    fileprivate static var look: Self {
        Self("COLOUR", example: "green") { text throws(ValueFault) in
            if text.isEmpty {
                throw ValueFault(
                    "the colour is missing; write one such as 'green', '39' or 'none'", at: text)
            }
            let words = text.split(whereSeparator: \.isWhitespace)
            let colors = words.filter { !attributes.contains(String($0)) }
            if let word = colors.first, Theme.Color(name: String(word)) == nil {
                guard !word.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                    throw ValueFault(word, "is not a number from 0 to 255")
                }
                let known = [Theme.Color.none] + (UInt8(0)..<16).map { Theme.Color.palette($0) }
                throw ValueFault(no: "colour", word, among: known.map(\.name) + attributes)
            }
            if colors.count > 1 {
                throw ValueFault(
                    "\(quoted(colors[0])) is the colour already, and \(quoted(colors[1])) is "
                        + "neither bold, dim, reverse nor underline", at: colors[1])
            }
            // Every word has been checked.
            return Theme.Look(words.joined(separator: " ")) ?? Theme.Look()
        }
    }
}

extension ValueKind<Key> {
    static var key: Self {
        Self("KEY", example: "F5") { text throws(ValueFault) in
            if let key = Key(name: String(text)) { return key }
            let reason = text.isEmpty ? "a key is missing" : "\(quoted(text)) is not a key"
            let examples = "'x', 'Ctrl-F', 'F5', 'Space', 'Comma' or 'PgDn'"
            throw ValueFault("\(reason); write one such as \(examples)", at: text)
        }
    }
}
