// Puts words together: sentences, lists of words, and numbers of things.

/// Returns a phrase with a capital letter and a full stop.
package func sentence(_ phrase: String) -> String {
    phrase.prefix(1).uppercased() + phrase.dropFirst() + "."
}

/// Joins words with commas, and the last one with "and": `a, b and c`; of more than `limit` words,
/// the others are counted.
package func listed(_ words: [String], limit: Int = .max) -> String {
    let rest = words.count - limit
    if rest > 0 { return words.prefix(limit).joined(separator: ", ") + " and \(rest) more" }
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
}

/// Returns a number of things: `1 device`, `2 devices`.
package func counted(_ count: Int, _ word: String) -> String {
    "\(count) \(word)\(count == 1 ? "" : "s")"
}
