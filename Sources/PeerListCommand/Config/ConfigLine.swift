// One line of the file of settings, taken apart with the places of its words.

/// Some words of a line, and where they begin.
struct ConfigWord: Equatable {
    /// The words, without spaces around them.
    let text: String
    /// The character of the line, from 1.
    let column: Int

    /// What is left of a piece of a line without the spaces around it.
    init(_ piece: Substring, in line: Substring) {
        let begin = piece.firstIndex { !$0.isWhitespace } ?? piece.endIndex
        let end = piece.lastIndex { !$0.isWhitespace }.map(piece.index(after:)) ?? begin
        text = String(piece[begin..<end])
        column = line.distance(from: line.startIndex, to: begin) + 1
    }
}

/// One line of the file of settings.
enum ConfigLine: Equatable {
    /// Nothing, or a comment.
    case empty
    /// `[NAME]`.
    case section(ConfigWord)
    /// `NAME = VALUE`, VALUE in pieces that a comma or, in colours, a space parts.
    case setting(ConfigWord, value: ConfigWord)

    /// Takes a line apart.
    ///
    /// - Parameters:
    ///   - line: The line without its line feed.
    ///   - number: Its number, for errors.
    /// - Throws: ``ConfigError`` where it is none of these.
    init(_ line: Substring, number: Int) throws(ConfigError) {
        let content = ConfigWord(Self.withoutComment(line), in: line)
        guard let first = content.text.first else {
            self = .empty
            return
        }
        if first == "[" {
            guard content.text.hasSuffix("]") else {
                throw ConfigError(
                    "the section's name has no ']' behind it", line: number, column: content.column)
            }
            let begin = line.index(line.startIndex, offsetBy: content.column)
            let end = line.index(begin, offsetBy: content.text.count - 2)
            self = .section(ConfigWord(line[begin..<end], in: line))
            return
        }
        let begin = line.index(line.startIndex, offsetBy: content.column - 1)
        let rest = line[begin...].prefix(content.text.count)
        guard let sign = rest.firstIndex(of: "="), sign > rest.startIndex else {
            throw ConfigError(
                "\(quoted(content.text)) is neither '[SECTION]' nor 'NAME = VALUE'", line: number,
                column: content.column)
        }
        self = .setting(
            ConfigWord(rest[..<sign], in: line),
            value: ConfigWord(rest[rest.index(after: sign)...], in: line))
    }

    /// A `#` begins a comment at the beginning of a line and behind a space.
    private static func withoutComment(_ line: Substring) -> Substring {
        var isBehindSpace = true
        for index in line.indices {
            if line[index] == "#", isBehindSpace { return line[..<index] }
            isBehindSpace = line[index].isWhitespace
        }
        return line
    }
}

extension ConfigWord {
    /// The pieces between separators, each with its place.
    func split(where isSeparator: (Character) -> Bool) -> [ConfigWord] {
        text.split(omittingEmptySubsequences: false, whereSeparator: isSeparator).map { piece in
            let word = ConfigWord(piece, in: text[...])
            return ConfigWord(text: word.text, column: column + word.column - 1)
        }
    }

    private init(text: String, column: Int) {
        self.text = text
        self.column = column
    }
}
