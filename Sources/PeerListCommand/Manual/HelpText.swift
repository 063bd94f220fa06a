// The text of `--help`, generated from the table of commands and options.
import PeerText

enum HelpText {
    private static let width = 80
    private static let indent = 26

    /// The number of options of the list that the help of another command names.
    private static let sharedCount = 3

    /// Returns the help of a command, with lines of at most 80 columns.
    ///
    /// That of the list fits on one screen, with the options and examples that a new user needs; that of
    /// another command counts what it shares with the list. With `isAll`, every option is described.
    static func text(of name: CommandName, isAll: Bool = false) -> String {
        let command = name.command
        let isShort = name == .list && !isAll
        let rest = isAll ? [] : command.sharedRows
        let own = command.rows.filter { row in !rest.contains { $0.title == row.title } }
        let groups =
            isShort
            ? [options("Options", own.filter { $0.brief != nil }, isBrief: true)]
            : Command.groups(of: own).map { options($0.heading, $0.rows) }
        let end = isShort ? examples(of: command) : command.notes + "\n"
        return ([usage(of: command), command.about + "\n"] + groups + shared(rest) + [end])
            .joined(separator: "\n")
    }

    private static func options(
        _ heading: String, _ rows: [OptionRow], isBrief: Bool = false
    ) -> String {
        "\(heading):\n"
            + rows.map { entry($0, isBrief ? $0.brief ?? $0.help : $0.help) }.joined()
    }

    /// The line that stands for the options that are the list's.
    private static func shared(_ rows: [OptionRow]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let names = rows.prefix(sharedCount).map(\.title).joined(separator: ", ")
        return [
            "As in 'peerlist': \(names) and \(rows.count - sharedCount) more; see '--help all'\n"
        ]
    }

    /// The first part of the notes, and where the rest is.
    private static func examples(of command: Command) -> String {
        let part = command.notes.split(separator: "\n\n").first.map(String.init) ?? ""
        return part + "\n\n'peerlist --help all' and 'man peerlist' describe the rest.\n"
    }

    /// The forms of the command line; the list's are followed by the commands.
    private static func usage(of command: Command) -> String {
        var forms = command.usage
        if command.name == .list {
            forms += CommandName.named.map { name in
                let operands = name.command.operands.map(\.name).filter { !$0.hasPrefix("[") }
                let form = ([name.title] + operands).joined(separator: " ")
                return form + String(repeating: " ", count: 31 - form.count)
                    + name.command.summary
            }
        }
        return forms.enumerated().map { index, form in
            (index == 0 ? "Usage: " : "       ") + form + "\n"
        }.joined()
    }

    /// The forms of an option, and beside or below them what it does.
    private static func entry(_ row: OptionRow, _ help: String) -> String {
        let value = row.argument.map { $0.isOptional ? "[=\($0.name)]" : " \($0.name)" } ?? ""
        let forms =
            (row.short == nil ? "      " : "  ") + row.forms.joined(separator: ", ") + value
        let margin = String(repeating: " ", count: indent)
        let words = help.split(separator: " ").map(String.init)
        var lines = filled(words, room: width - indent).map { margin + $0 }
        if forms.count + 2 <= indent, let first = lines.first {
            lines[0] = forms + first.dropFirst(forms.count)
        } else {
            lines.insert(forms, at: 0)
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
