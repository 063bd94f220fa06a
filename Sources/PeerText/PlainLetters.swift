// Writes text for terminals that show ASCII only, with the plain letters of accented ones.
package import TerminalText

extension String {
    /// Returns the text with characters that look like ASCII ones replaced by these, if the terminal
    /// shows only ASCII: `Zoe's` for `Zoë’s`. Other characters stay, and are shown escaped.
    package func readable(in charset: Charset) -> String {
        guard charset == .ascii, !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
        var plain = ""
        for scalar in unicodeScalars {
            if let letters = Self.plainLetters[scalar] ?? Self.decomposed(scalar) {
                plain += letters
            } else if !scalar.isAccent || plain.utf8.last.map({ $0 >= 0x80 }) ?? true {
                plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }

    /// Characters without a decomposition in Unicode.
    private static let plainLetters: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l",
        "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ı": "i",
        "‘": "'", "’": "'", "‚": ",", "“": "\"", "”": "\"", "„": "\"", "«": "<<", "»": ">>",
        "‹": "<", "›": ">", "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-", "×": "x",
        "·": ".", "•": "*", "®": "(R)", "©": "(C)",
    ]

    /// Returns the compatibility decomposition of a character without accents, if it is of printable
    /// ASCII.
    private static func decomposed(_ scalar: Unicode.Scalar) -> String? {
        if scalar.isASCII { return String(scalar) }
        let letters = scalar.compatibilityDecomposition.filter { !$0.isAccent }
        guard !letters.isEmpty, letters.allSatisfy({ (0x20..<0x7f).contains($0.value) }) else {
            return nil
        }
        return String(String.UnicodeScalarView(letters))
    }
}
