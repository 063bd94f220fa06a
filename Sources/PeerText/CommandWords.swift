// Splits a command of the user into words, and prints words as a command that splits into them.

/// A word of a command, without its quotes.
package struct CommandWord: Equatable, Sendable {
    package var text = ""
    /// The position of the word in the text that was split.
    package let start: String.Index

    /// A mistake in a command.
    package struct Fault: Error, Equatable {
        package let message: String
        package let position: String.Index

        package init(message: String, position: String.Index) {
            (self.message, self.position) = (message, position)
        }
    }

    /// Splits a command at its spaces and tabs.
    ///
    /// Quotes and backslashes mean what they do in a shell: between `'` every character is itself,
    /// between `"` a backslash escapes `"` and `\`, and elsewhere it escapes any character. A word that
    /// starts with `#` starts a comment. Nothing is expanded: what a shell would expand or interpret is
    /// a mistake unless it is quoted.
    package static func split(_ text: Substring) throws(Fault) -> [CommandWord] {
        var words: [CommandWord] = []
        var rest = text.unicodeScalars.drop(while: \.properties.isWhitespace)
        while let first = rest.first, first != "#" {
            var word = CommandWord(start: rest.startIndex)
            try word.read(from: &rest)
            words.append(word)
            rest = rest.drop(while: \.properties.isWhitespace)
        }
        return words
    }

    /// Appends everything up to the end of the word.
    private mutating func read(from rest: inout Substring.UnicodeScalarView) throws(Fault) {
        while let scalar = rest.first, !scalar.properties.isWhitespace {
            let start = rest.startIndex
            rest.removeFirst()
            switch scalar {
            case "'", "\"": try readQuoted(from: &rest, until: scalar, start: start)
            case "\\":
                guard let escaped = rest.popFirst() else {
                    throw Fault(
                        message: "nothing follows the backslash; write '\\\\' for a backslash",
                        position: start)
                }
                text.unicodeScalars.append(escaped)
            default:
                try checkNeedsNoShell(scalar, before: rest, at: start)
                text.unicodeScalars.append(scalar)
            }
        }
    }

    private mutating func readQuoted(
        from rest: inout Substring.UnicodeScalarView, until quote: Unicode.Scalar,
        start: String.Index
    ) throws(Fault) {
        while let scalar = rest.popFirst() {
            if scalar == quote { return }
            let isEscape =
                scalar == "\\" && quote == "\"" && (rest.first == "\"" || rest.first == "\\")
            text.unicodeScalars.append(isEscape ? rest.removeFirst() : scalar)
        }
        throw Fault(message: "the quotation mark has no counterpart; add one", position: start)
    }

    /// Refuses a character without quotes that a shell would interpret.
    private func checkNeedsNoShell(
        _ scalar: Unicode.Scalar, before rest: Substring.UnicodeScalarView,
        at position: String.Index
    ) throws(Fault) {
        let end = Substring(rest.prefix { !$0.properties.isWhitespace })
        let written = quoted(String(scalar) + end)
        if "|&;<>`".unicodeScalars.contains(scalar) {
            throw Fault(
                message: "\(written) needs a shell, and none runs the command; put the command "
                    + "into a script, or quote the word", position: position)
        }
        let isPath = scalar == "~" && position == start && (end.isEmpty || end.hasPrefix("/"))
        if isPath || (scalar == "$" && end.prefixMatch(of: /[A-Za-z_{(]/) != nil) {
            throw Fault(
                message: "\(written) is not expanded, as no shell runs the command; write "
                    + (isPath ? "the whole path" : "its value"), position: position)
        }
    }

    /// Returns words as a command; words with special characters are quoted.
    package static func text(of words: [String]) -> String {
        words.map { word in
            let scalars = word.unicodeScalars
            let isPlain =
                !scalars.isEmpty && scalars.first != "#" && scalars.first != "~"
                && !scalars.contains {
                    $0.properties.isWhitespace
                        || "'\"\\|&;<>()$`*?[]{}!".unicodeScalars.contains($0)
                }
            guard !isPlain else { return word }
            return scalars.reduce(into: "'") {
                if $1 == "'" { $0 += "'\\''" } else { $0.unicodeScalars.append($1) }
            } + "'"
        }.joined(separator: " ")
    }
}
