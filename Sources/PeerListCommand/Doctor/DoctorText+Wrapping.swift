// Breaks what the doctor says into lines, by the columns that it takes on a terminal.
import TerminalList

extension DoctorText {
    /// Lines of so many columns at the most.
    ///
    /// A word that is wider than a line is broken where the line ends.
    static func wrapped(_ text: String, room: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in words(printable(text), room) {
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
        return lines
    }

    /// The words of a text; what stands in quotation marks, such as a command, is one if it fits.
    private static func words(_ text: String, _ room: Int) -> [Substring] {
        var words: [Substring] = []
        var rest = text.drop { $0 == " " }
        while !rest.isEmpty {
            let plain = rest.prefix { $0 != " " }
            let word = quotation(at: rest).flatMap { columns(String($0)) <= room ? $0 : nil }
            words.append(word ?? plain)
            rest = rest[(word ?? plain).endIndex...].drop { $0 == " " }
        }
        return words
    }

    /// The quotation at the beginning of a text, with the signs that stand beside it.
    private static func quotation(at text: Substring) -> Substring? {
        let opened = text.drop { $0 == "(" }
        guard opened.first == "'", let end = opened.dropFirst().firstIndex(of: "'") else {
            return nil
        }
        let behind = opened[end...].firstIndex(of: " ") ?? text.endIndex
        return text[..<behind]
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
