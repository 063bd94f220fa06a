// Finds the name that somebody who mistyped probably meant.

/// The candidate nearest to `name`, or `nil` where none is near.
///
/// Near means: at most one letter in three is wrong, missing, in excess or
/// exchanged with its neighbour, or the candidate begins with `name`. Of
/// equally near ones the first counts in which letters are only missing from
/// `name`, else the first.
///
/// - Complexity: O(*n* · *m*), where *n* is the length of all candidates
///   together and *m* that of the name.
package func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
    guard name.utf8.count <= 64 else { return nil }
    let letters = Array(name.lowercased().unicodeScalars)
    var best: (candidate: String, rank: Int)?
    for candidate in candidates {
        let others = Array(candidate.lowercased().unicodeScalars)
        let begins = letters.count >= 3 && others.starts(with: letters)
        let distance = begins ? 1 : editDistance(letters, others)
        let isNear = begins || distance <= max(1, min(letters.count, others.count) / 3)
        let rank = 2 * distance + (isSubsequence(letters, of: others) ? 0 : 1)
        if isNear, distance < letters.count, rank < best?.rank ?? .max { best = (candidate, rank) }
    }
    return best?.candidate
}

/// Whether `letters` are what remains of `others` when some are left out.
private func isSubsequence(_ letters: [Unicode.Scalar], of others: [Unicode.Scalar]) -> Bool {
    var rest = letters[...]
    for letter in others where letter == rest.first { rest.removeFirst() }
    return rest.isEmpty
}

/// How many letters must be changed, left out, added or exchanged with their neighbour.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
        var current = [row + 1]
        for (column, other) in right.enumerated() {
            var cost = min(
                last[column + 1] + 1, current[column] + 1, last[column] + (letter == other ? 0 : 1))
            if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                cost = min(cost, beforeLast[column - 1] + 1)
            }
            current.append(cost)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
