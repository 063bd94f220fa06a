// Breaks what the doctor says into lines, by the columns that it takes on a terminal.
import TerminalList

extension DoctorText {
    /// Lines that begin at a column; the first has something before its text, under which the rest stands.
    ///
    /// A word that is wider than a line is broken where the line ends.
    static func wrapped(_ text: String, from column: Int, first: String) -> [String] {
        let room = width - column
        var lines: [String] = []
        var line = ""
        for word in printable(text).split(separator: " ") {
            for (place, part) in broken(word, room).enumerated() {
                let isNext = place == 0 && !line.isEmpty
                if isNext, columns(line) + 1 + columns(part) <= room {
                    line += " \(part)"
                } else {
                    if !line.isEmpty { lines.append(line) }
                    line = part
                }
            }
        }
        lines.append(line)
        return lines.enumerated().map { place, line in
            place == 0 ? spaces(column - first.count) + first + line : spaces(column) + line
        }
    }

    /// How many columns a text takes.
    static func columns(_ text: String) -> Int { SafeText(text, charset: .unicode).width }

    /// A word in parts that fit into a line.
    private static func broken(_ word: Substring, _ room: Int) -> [String] {
        guard columns(String(word)) > room else { return [String(word)] }
        var parts = [""]
        var used = 0
        for character in word {
            let own = columns(String(character))
            if used > 0, used + own > room {
                parts.append("")
                used = 0
            }
            parts[parts.count - 1].append(character)
            used += own
        }
        return parts
    }
}
