// The text of `--help`, generated from the table of commands and options.
import PeerText

enum HelpText {
    private static let width = 80
    private static let indent = 26

    /// Returns the help of a command, with lines of at most 80 columns.
    static func text(of name: CommandName) -> String {
        let command = name.command
        let groups = command.groups.map { "\($0.heading):\n" + $0.rows.map(entry).joined() }
        return ([usage(of: command), command.about + "\n"] + groups + [command.notes + "\n"])
            .joined(separator: "\n")
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
    private static func entry(_ row: OptionRow) -> String {
        let value = row.argument.map { $0.isOptional ? "[=\($0.name)]" : " \($0.name)" } ?? ""
        let forms =
            (row.short == nil ? "      " : "  ") + row.forms.joined(separator: ", ") + value
        let margin = String(repeating: " ", count: indent)
        let words = row.help.split(separator: " ").map(String.init)
        var lines = filled(words, room: width - indent).map { margin + $0 }
        if forms.count + 2 <= indent, let first = lines.first {
            lines[0] = forms + first.dropFirst(forms.count)
        } else {
            lines.insert(forms, at: 0)
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
