// Lines that are filled with words.
import TerminalText

/// Returns the number of columns that a text takes on a terminal.
package func columns(_ text: String) -> Int { SafeText(text, charset: .unicode).width }

/// Fills lines of at most `room` columns with words; wider words are broken.
package func filled(_ words: [String], room: Int) -> [String] {
    var lines: [String] = []
    for word in words {
        if let line = lines.last, columns(line) + 1 + columns(word) <= room {
            lines[lines.count - 1] = "\(line) \(word)"
            continue
        }
        lines.append("")
        for character in word {
            let line = lines[lines.count - 1]
            if !line.isEmpty, columns(line) + columns(String(character)) > room { lines.append("") }
            lines[lines.count - 1].append(character)
        }
    }
    return lines
}
