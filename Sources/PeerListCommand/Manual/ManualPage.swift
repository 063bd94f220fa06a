// The manual page in man(7) markup, generated from the tables of commands, options and keys.
import PeerScreen
import PeerText
import TerminalList

enum ManualPage {
    static var text: String {
        let list = Command.list
        var lines = [".TH PEERLIST 1 \"\" \"\(Roff.text(Version.line))\" \"User Commands\""]
        lines += [".SH NAME", Roff.text("peerlist - see who is on your network")]
        lines += [".SH SYNOPSIS"] + synopsis + [".SH DESCRIPTION"]
        lines += Roff.paragraphs(list.about) + [".PP", Roff.line(more), ".SH OPTIONS"]
        for group in list.groups {
            lines.append(".SS \(Roff.text(group.heading))")
            lines += group.rows.flatMap(option)
        }
        lines += keys + [".SH SETTINGS"] + Roff.lines(ConfigOptions.defaults)
        for name in CommandName.named { lines += section(name.command) }
        lines += files + [".SH ENVIRONMENT"] + environment
        lines += Roff.notes(list.notes) { ".SH \($0.uppercased())" }
        lines += [
            ".SH SEE ALSO", ".BR avahi\\-daemon (8),", ".BR avahi\\-browse (1),", ".BR jq (1)",
        ]
        return lines.map { $0 + "\n" }.joined()
    }

    private static var synopsis: [String] {
        let forms = CommandName.allCases.flatMap(\.command.usage).map(Roff.synopsis)
        return forms.prefix(1) + forms.dropFirst().flatMap { [".br", $0] }
    }

    private static func option(_ row: OptionRow) -> [String] {
        let value = row.argument.map { argument in
            let name = Roff.italic(argument.name)
            return argument.isOptional ? "[=\(name)]" : " \(name)"
        }
        let forms = row.forms.map(Roff.bold).joined(separator: ", ")
        return [".TP", forms + (value ?? ""), Roff.line(row.help)]
    }

    private static var keys: [String] {
        let introduction =
            "Keys of the live list. The name in brackets is the action's, for the file of settings. "
            + "In texts and choices, the arrow keys move, Enter accepts and Esc leaves. In a box of choices, a "
            + "key that a line shows runs the line, every other letter narrows the box, and after the first "
            + "one, or after '/', all keys are text."
        var lines = [".SH KEYS", Roff.line(introduction)]
        for section in ListKeys.HelpSection.allCases {
            lines.append(".SS \(Roff.text(section.rawValue))")
            for binding in ListKeys.all where binding.section == section.rawValue {
                let keys = binding.keys.map { Roff.bold($0.name) }.joined(separator: ", ")
                let help = "\(binding.help) (\(binding.name ?? ""))"
                lines += [".TP", keys, Roff.line(help)]
            }
        }
        return lines
    }

    private static func section(_ command: Command) -> [String] {
        [".SH \(Roff.text(command.name.title.uppercased()))"] + Roff.paragraphs(command.about)
            + command.groups.flatMap(\.rows).flatMap(option)
            + Roff.notes(command.notes) { ".SS \($0)" }
    }

    private static let more =
        "Where standard output is no terminal, every change is one line of sentences. For a screen "
        + "reader, or a terminal that cannot place text, write --plain or --once. Before --once prints "
        + "the list, it asks on the link, for at most 6 s, whether the devices are there that avahi-daemon "
        + "knows; one that does not answer is 'unanswered'."

    private static let files = [
        ".SH FILES", ".TP", Roff.italic("$XDG_CONFIG_HOME/peerlist/config"),
        Roff.line(
            "the settings of the live list: order, columns, keys, colours, actions and hooks, usually "
                + "~/.config/peerlist/config; see 'peerlist config --print'"),
        ".TP", Roff.italic("$XDG_STATE_HOME/peerlist/devices.json"),
        Roff.line(
            "the devices that were ever seen and their labels, usually "
                + "~/.local/state/peerlist/devices.json; see 'peerlist devices'"),
    ]

    private static let environment = [
        ("NO_COLOR", "if set and not empty, no colours are used; see --color"),
        ("TERM", "the type of the terminal; the live list cannot be shown on 'dumb' ones"),
        ("LC_ALL, LC_CTYPE, LANG", "the character set of the output"),
        ("XDG_CONFIG_HOME", "the directory of settings, if not ~/.config"),
        ("XDG_STATE_HOME", "the directory of what is remembered, if not ~/.local/state"),
        (
            "NOTIFY_SOCKET, WATCHDOG_USEC, JOURNAL_STREAM",
            "set by systemd: readiness, the number of peers and signs of life are reported to it, and "
                + "messages have a priority in the journal"
        ),
    ].flatMap { [".TP", Roff.bold($0.0), Roff.line($0.1)] }
}

/// Text in man(7) markup.
enum Roff {
    private static let escapes: [Character: String] = [
        "\\": "\\e", "-": "\\-", "'": "\\(aq", "\"": "\\(dq", "~": "\\(ti", "^": "\\(ha",
        "`": "\\(ga",
    ]

    /// Returns text in which nothing is markup, and hyphens stay minus signs.
    static func text(_ text: some StringProtocol) -> String {
        text.map { escapes[$0] ?? String($0) }.joined()
    }

    /// Returns a line of text, also if it starts like a request.
    static func line(_ line: some StringProtocol) -> String {
        (line.hasPrefix(".") ? "\\&" : "") + text(line)
    }

    static func bold(_ word: String) -> String { "\\fB\(text(word))\\fR" }

    static func italic(_ word: String) -> String { "\\fI\(text(word))\\fR" }

    /// Returns the paragraphs of a text as lines to fill.
    static func paragraphs(_ about: String) -> [String] {
        let lines = about.split(separator: "\n\n").map { paragraph in
            line(paragraph.split(separator: "\n").joined(separator: " "))
        }
        return lines.prefix(1) + lines.dropFirst().flatMap { [".PP", $0] }
    }

    /// Returns the notes of a command as sections whose lines are not filled.
    static func notes(_ notes: String, heading: (String) -> String) -> [String] {
        notes.split(separator: "\n\n").flatMap { part in
            let parts = part.split(separator: "\n", maxSplits: 1)
            return [heading(text(parts[0].dropLast()))] + lines(parts[1])
        }
    }

    /// Returns the lines of a text, which are not filled.
    static func lines(_ text: some StringProtocol) -> [String] {
        [".EX"]
            + text.split(separator: "\n", omittingEmptySubsequences: false).map { line($0) }
            + [".EE"]
    }

    /// Returns a form of the command line with its placeholders in italics.
    static func synopsis(_ usage: String) -> String {
        usage.split(separator: " ").map { word in
            let name = word.filter { !"[].".contains($0) }
            let isPlaceholder = !name.isEmpty && name.allSatisfy { $0.isUppercase }
            return isPlaceholder ? italic(String(word)) : bold(String(word))
        }.joined(separator: " ")
    }
}
