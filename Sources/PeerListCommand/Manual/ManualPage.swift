// The manual page, made from the tables of options and keys and from the texts of the help.
import TerminalList

/// The manual page in the language of man(7).
enum ManualPage {
    /// The page, with its last line feed.
    static var text: String {
        let list = HelpParts(of: .list)
        let lines =
            [".TH PEERLIST 1 \"\" \"\(Roff.text(Version.line))\" \"User Commands\""]
            + Roff.section("NAME") + [Roff.text("peerlist - see who is on your network")]
            + Roff.section("SYNOPSIS") + synopsis + Roff.section("DESCRIPTION")
            + Roff.paragraphs(list.paragraphs + [more]) + Roff.section("OPTIONS")
            + options(of: .list, headingsFor: OptionRow.Group.allCases) + keys
            + CommandName.named.flatMap(command) + Roff.section("FILES") + files
            + Roff.section("ENVIRONMENT") + environment + list.blocks.flatMap(section)
            + Roff.section("SEE ALSO") + [seeAlso]
        return lines.map { $0 + "\n" }.joined()
    }

    private static var synopsis: [String] {
        // The list's first form; those of the commands stand with their own.
        let forms =
            HelpParts(of: .list).usages.prefix(1)
            + CommandName.named.flatMap { HelpParts(of: $0).usages }
        return forms.enumerated().flatMap { place, usage in
            (place == 0 ? [] : [".br"]) + [Roff.synopsis(usage)]
        }
    }

    private static func options(
        of command: CommandName, headingsFor groups: [OptionRow.Group]
    ) -> [String] {
        OptionRow.Group.allCases.flatMap { group -> [String] in
            let rows = command.rows.filter { $0.group == group }
            guard !rows.isEmpty else { return [] }
            let heading = groups.contains(group) ? [".SS \(Roff.text(group.rawValue))"] : []
            return heading + rows.flatMap(option)
        }
    }

    private static func option(_ row: OptionRow) -> [String] {
        var forms = [row.short.map { "-\($0)" }, row.flag].compactMap { $0 }.map(Roff.bold)
        if let last = forms.popLast() {
            switch row.argument {
            case .none: forms.append(last)
            case .required(let name, _): forms.append("\(last) \(Roff.italic(name))")
            case .optional(let name): forms.append("\(last)[=\(Roff.italic(name))]")
            }
        }
        return [".TP", forms.joined(separator: ", "), Roff.line(row.help)]
    }

    private static var keys: [String] {
        Roff.section("KEYS")
            + Roff.paragraphs([
                """
                Keys of the live list. The name in brackets is the action's, for the file of \
                settings. In texts and choices, the arrow keys move, Enter accepts and Esc leaves.
                """
            ])
            + KeyRow.Section.allCases.flatMap { section in
                [".SS \(Roff.text(section.rawValue))"]
                    + NamedKeys.all.filter { $0.section == section.rawValue }.flatMap(keys)
            }
    }

    private static func keys(_ named: NamedKeys) -> [String] {
        [
            ".TP", named.keys.map { Roff.bold($0.name) }.joined(separator: ", "),
            Roff.line("\(named.help) (\(named.name))"),
        ]
    }

    private static func command(_ command: CommandName) -> [String] {
        let parts = HelpParts(of: command)
        return Roff.section(command.title.uppercased()) + Roff.paragraphs(parts.paragraphs)
            + options(of: command, headingsFor: []) + parts.blocks.flatMap(subsection)
    }

    private static func section(_ block: HelpParts.Block) -> [String] {
        Roff.section(block.heading.uppercased()) + Roff.example(block.lines)
    }

    private static func subsection(_ block: HelpParts.Block) -> [String] {
        [".SS \(Roff.text(block.heading))"] + Roff.example(block.lines)
    }
}

extension ManualPage {
    private static let more = """
        Where standard output is no terminal, every change is one line in words. For a screen \
        reader, or a terminal that cannot place text, write --plain or --once.
        """

    private static var files: [String] {
        [".TP", Roff.italic("$XDG_CONFIG_HOME/peerlist/config")]
            + [
                Roff.line(
                    """
                    the keys, colours and theme of the live list, usually \
                    ~/.config/peerlist/config; see 'peerlist config --print'
                    """)
            ]
    }

    private static var environment: [String] {
        let variables = [
            ("NO_COLOR", "when it is set and not empty, no colours are used; see --color"),
            ("TERM", "the type of the terminal; the live list cannot be shown on 'dumb' ones"),
            ("LC_ALL, LC_CTYPE, LANG", "which characters may be written"),
            ("XDG_CONFIG_HOME", "where settings are, if not in ~/.config"),
        ]
        return variables.flatMap { [".TP", Roff.bold($0.0), Roff.line($0.1)] }
    }

    private static let seeAlso = """
        .BR avahi\\-daemon (8),
        .BR avahi\\-browse (1),
        .BR jq (1)
        """
}
