// What is wrong with the command line, and what to write in its place.

/// What is wrong with the command line; the program ends with status 2.
struct UsageError: Error, Equatable, CustomStringConvertible {
    /// What is wrong and what to do, in one line that is safe to show.
    let description: String

    /// An error with this text.
    init(_ description: String) { self.description = description }
}

/// A word of the user's in quotation marks, with what would act on a terminal made visible.
func quoted(_ word: String) -> String {
    let isLong = word.unicodeScalars.count > 80
    return "'" + printable(String(word.unicodeScalars.prefix(80))) + (isLong ? "..." : "") + "'"
}

/// The text with what would act on a terminal made visible.
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
