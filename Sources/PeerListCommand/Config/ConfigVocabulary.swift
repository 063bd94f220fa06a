// The words that the file of settings may hold.
import TerminalList

/// The words that the file of settings may hold.
struct ConfigVocabulary: Sendable {
    /// The actions that keys can be given to.
    let actions: [String]
    /// The themes.
    let themes: [String]

    /// The tones, by their names in the file.
    static let tones = Dictionary(
        uniqueKeysWithValues: Style.Tone.allCases.map { ("\($0)", $0) })

    /// The colours that have a name; the bright ones come second.
    static let colors: [String: UInt8] = {
        let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
        let numbered = (names + names.map { "bright-\($0)" }).enumerated()
        return Dictionary(uniqueKeysWithValues: numbered.map { ($1, UInt8($0)) })
    }()

    /// The attributes that a tone can have.
    static let attributes: [String: Style.Attributes] = [
        "bold": .bold, "dim": .dim, "reverse": .reverse, "underline": .underline,
    ]
}

extension ConfigVocabulary {
    /// The words that this program knows.
    static let usual = ConfigVocabulary(
        actions: NamedKeys.all.map(\.name), themes: ["default", "bright", "mono"])
}
