// The texts of a command's help, taken apart for the manual page.

/// The texts of a command's help without its options.
struct HelpParts {
    /// Lines under a heading.
    struct Block {
        let heading: String
        let lines: [Substring]
    }

    /// What can be written, one form each, with what it is for behind some of them.
    let usages: [String]
    /// What the command does.
    let paragraphs: [String]
    /// Examples, keys, exit status.
    let blocks: [Block]

    init(of command: CommandName) {
        let frame = HelpText.frame(of: command)
        let parts = frame.before.split(separator: "\n\n")
        usages = (parts.first ?? "").split(separator: "\n").map { line in
            let words = line.hasPrefix("Usage: ") ? line.dropFirst("Usage: ".count) : line
            return String(words.drop { $0 == " " })
        }
        paragraphs = parts.dropFirst().map { $0.split(separator: "\n").joined(separator: " ") }
        blocks = frame.behind.map { text in
            let lines = text.split(separator: "\n")
            let heading = lines.first.map { String($0.dropLast($0.hasSuffix(":") ? 1 : 0)) }
            return Block(heading: heading ?? "", lines: Array(lines.dropFirst()))
        }
    }
}
