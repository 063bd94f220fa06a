// Errors in the command line, and the escaping of texts that error messages quote.

/// An error in the command line; the program exits with status 2.
struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The problem and what to do, in one line without control characters.
    let description: String

    init(_ description: String) { self.description = description }
}

/// Returns a user's word in quotation marks, cut to 80 characters, with control characters escaped.
func quoted(_ word: String) -> String {
    let isLong = word.unicodeScalars.count > 80
    return "'" + printable(String(word.unicodeScalars.prefix(80))) + (isLong ? "..." : "") + "'"
}

/// Returns the text with everything that could control a terminal escaped as `\u{…}`.
func printable(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
            shown += "\\u{" + String(scalar.value, radix: 16) + "}"
        default: shown.unicodeScalars.append(scalar)
        }
    }
    return shown
}
