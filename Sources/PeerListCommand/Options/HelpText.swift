// The text of `--help`, made from the table of options.

/// What `--help` prints.
enum HelpText {
    /// The help of a command, with its last line feed; no line is wider than 80 columns.
    static func text(of command: CommandName) -> String {
        let groups = OptionRow.Group.allCases.compactMap { group -> String? in
            let rows = command.rows.filter { $0.group == group }
            return rows.isEmpty ? nil : "\(group.rawValue):\n" + rows.map(entry).joined()
        }
        let frame =
            command == .list
            ? (introduction, [examples, status]) : (diffIntroduction, [diffExamples, diffStatus])
        return ([frame.0] + groups + frame.1).joined(separator: "\n")
    }

    private static let diffIntroduction = """
        Usage: peerlist diff [OPTION]... FIRST SECOND

        Say what differs between two recordings, which '--output' or '--json' wrote,
        plain or compressed by gzip; '-' is standard input. Recordings of two machines
        tell what one of them sees and the other does not. Times, and what depends on
        who looks, are not compared.

        """

    private static let diffExamples = """
        Examples:
          peerlist -1j > mine.jsonl; ssh h2 peerlist -1j > theirs.jsonl
          peerlist diff mine.jsonl theirs.jsonl
          peerlist diff --at 2026-11-21T08:30 monday.jsonl.gz today.jsonl

        """

    private static let diffStatus = """
        Exit status:
          0    the lists are the same
          1    they differ
          2    wrong usage, or a recording that cannot be read

        """

    private static let introduction = """
        Usage: peerlist [OPTION]...
               peerlist diff FIRST SECOND     what two recordings say differently

        See who is on your network: a live list of the devices that announce themselves
        by multicast DNS (Bonjour, DNS-SD), arriving and leaving.

        """

    private static let examples = """
        Examples:
          peerlist                      the live list; q ends it, ? shows the keys
          peerlist -t ssh,sftp-ssh      who can be reached by SSH or SFTP
          peerlist -1                   who is here now, as a table
          peerlist -1j -t ipp | jq .    printers, for a script
          peerlist -o peers.jsonl       the list, and a record of all that changes
          peerlist -a="Anna's laptop"   the list, and this machine in those of others

        """

    private static let status = """
        Exit status:
          0    done
          1    failure, such as a full disk
          2    wrong usage
          3    the Avahi daemon could not be reached
          130  interrupted; in the live list q and Ctrl-C are the ordinary end, 0

        """

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
