// Finds the known name nearest to a mistyped one.

/// Returns the candidate nearest to `name`, or `nil` if none is near.
///
/// A candidate is near if at most one letter in three is wrong, missing, added or swapped with its
/// neighbour, or if it begins with `name`. Of equally near candidates, the first that only adds
/// letters to `name` is preferred, else the first.
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

/// Whether removing some of `others` leaves `letters`.
private func isSubsequence(_ letters: [Unicode.Scalar], of others: [Unicode.Scalar]) -> Bool {
    var rest = letters[...]
    for letter in others where letter == rest.first { rest.removeFirst() }
    return rest.isEmpty
}

/// Returns the number of substitutions, deletions, insertions and swaps of neighbours
/// (optimal string alignment distance).
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
