// The text of `--help`, made from the table of options.

/// What `--help` prints.
enum HelpText {
    /// The help of a command, with its last line feed; no line is wider than 80 columns.
    static func text(of command: CommandName) -> String {
        let groups = OptionRow.Group.allCases.compactMap { group -> String? in
            let rows = command.rows.filter { $0.group == group }
            return rows.isEmpty ? nil : "\(group.rawValue):\n" + rows.map(entry).joined()
        }
        let frame = frame(of: command)
        return ([frame.before] + groups + frame.behind).joined(separator: "\n")
    }

    private static let width = 80
    private static let indent = 26

    /// One option: its forms, and beside or below them what it does.
    private static func entry(_ row: OptionRow) -> String {
        let margin = String(repeating: " ", count: indent)
        let forms = forms(row)
        let lines = wrapped(row.help).map { margin + $0 }
        guard forms.count + 2 <= indent, let first = lines.first else {
            return ([forms] + lines).joined(separator: "\n") + "\n"
        }
        let padded = forms + first.dropFirst(forms.count)
        return ([padded] + lines.dropFirst()).joined(separator: "\n") + "\n"
    }

    private static func forms(_ row: OptionRow) -> String {
        let short = row.short.map { "-\($0)" }
        guard let flag = row.flag else { return "  \(short ?? "")" }
        let argument =
            switch row.argument {
            case .none: ""
            case .required(let name, _): " \(name)"
            case .optional(let name): "[=\(name)]"
            }
        return "  " + (short.map { "\($0), " } ?? "    ") + flag + argument
    }

    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return lines + [line]
    }
}
