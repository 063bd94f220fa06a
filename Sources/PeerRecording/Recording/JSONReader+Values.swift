// The kinds of values that many fields of the lines have.
import FoundationEssentials
import PeerList

extension JSONReader {
    /// Reads a string or `null`.
    mutating func stringOrNull() throws(JSONError) -> String? { try null() ? nil : try string() }

    /// Reads an array of strings.
    mutating func strings() throws(JSONError) -> [String] {
        var strings: [String] = []
        try array { reader throws(JSONError) in strings.append(try reader.string()) }
        return strings
    }

    /// Reads a UUID.
    mutating func uuid() throws(JSONError) -> UUID {
        guard let id = try string(as: UUID.init(text:)) else { throw error("a UUID was expected") }
        return id
    }

    /// Reads a moment.
    mutating func timestamp() throws(JSONError) -> Timestamp {
        guard let time = try string(as: Timestamp.init(text:)) else {
            throw error("a time such as 2026-11-21T08:30:00.000125Z was expected")
        }
        return time
    }

    /// Reads one of some words.
    mutating func word<Word: RawRepresentable<String>>(
        of _: Word.Type, _ what: String
    ) throws(JSONError) -> Word {
        guard let word = Word(rawValue: try string()) else { throw error("an unknown \(what)") }
        return word
    }
}
