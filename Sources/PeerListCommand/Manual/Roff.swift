// The language of manual pages, man(7), as far as it is needed.

/// Pieces of a manual page.
enum Roff {
    /// Text in which nothing is a command: minus signs stay what they are.
    static func text(_ text: some StringProtocol) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "\"": result += "\\(dq"
            case "~": result += "\\(ti"
            case "^": result += "\\(ha"
            case "`": result += "\\(ga"
            default: result.append(character)
            }
        }
        return result
    }

    /// A whole line of text, also where it begins like a command.
    static func line(_ line: some StringProtocol) -> String {
        (line.hasPrefix(".") ? "\\&" : "") + text(line)
    }

    /// What is to be written as it stands.
    static func bold(_ word: String) -> String { "\\fB\(text(word))\\fR" }

    /// What something else is to be written for.
    static func italic(_ word: String) -> String { "\\fI\(text(word))\\fR" }

    /// A heading.
    static func section(_ title: String) -> [String] { [".SH \(text(title))"] }

    /// Paragraphs of running text.
    static func paragraphs(_ paragraphs: [String]) -> [String] {
        paragraphs.enumerated().flatMap { place, paragraph in
            (place == 0 ? [] : [".PP"]) + [line(paragraph)]
        }
    }

    /// Lines that are not to be filled.
    static func example(_ lines: [Substring]) -> [String] {
        [".EX"] + lines.map { line($0) } + [".EE"]
    }

    /// A form of the command line: names that stand for something in italics, what explains it left out.
    static func synopsis(_ usage: String) -> String {
        let form = usage.split(separator: "   ").first ?? ""
        return form.split(separator: " ").map { word in
            let name = word.filter { $0 != "[" && $0 != "]" && $0 != "." }
            let isName =
                !name.isEmpty && name.allSatisfy { $0.isUppercase || $0 == "|" || $0 == "-" }
            return isName && !word.hasPrefix("-") ? italic(String(word)) : bold(String(word))
        }.joined(separator: " ")
    }
}
