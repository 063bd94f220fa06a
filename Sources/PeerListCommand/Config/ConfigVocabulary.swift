// The words that the file of settings may hold.
import TerminalList

/// The words that the file of settings may hold.
struct ConfigVocabulary: Sendable {
    /// The actions that keys can be given to.
    let actions: [String]
    /// The themes.
    let themes: [String]

    /// The colours that have a name.
    static let colors =
        [Theme.Color.none.name] + (UInt8(0)..<16).map { Theme.Color.palette($0).name }

    /// What can stand out besides colour.
    static let attributes = ["bold", "dim", "reverse", "underline"]

    /// The words that this program knows.
    static let usual = ConfigVocabulary(
        actions: NamedKeys.all.map(\.name), themes: Theme.names)
}
