// Replaces characters that could control a terminal or change how text is read.
import PeerModel
import TerminalText

/// Returns the text with everything that could control a terminal escaped as `\u{…}`.
package func printable(_ text: String) -> String {
    replace(text, where: \.isHidden) { character in
        character.unicodeScalars.map { "\\u{" + String($0.value, radix: 16) + "}" }.joined()
    }
}

/// Returns a user's word in quotation marks, cut to 80 characters, with control characters escaped.
package func quoted(_ word: some StringProtocol) -> String {
    let scalars = String(word).unicodeScalars
    return "'" + printable(String(scalars.prefix(80))) + (scalars.count > 80 ? "..." : "") + "'"
}

/// Escapes characters within the strings of JSON, without changing its meaning (RFC 8259, section 7).
package func escaped(_ json: String, where isEscaped: (Unicode.Scalar) -> Bool = \.isHidden)
    -> String
{
    replace(json, where: isEscaped) { character in
        character.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}

/// Returns a text in which each character of a kind, outside of complete emoji sequences, is replaced by
/// what a function returns for it.
package func replace(
    _ text: String, where isReplaced: (Unicode.Scalar) -> Bool, by replacement: (String) -> String
) -> String {
    guard text.unicodeScalars.contains(where: isReplaced) else { return text }
    return text.map { character in
        SafeText.isEmojiSequence(character)
            ? String(character)
            : character.unicodeScalars
                .map { isReplaced($0) ? replacement(String($0)) : String($0) }.joined()
    }.joined()
}
