// What differs between two lists, in lines for people.
import DiffCore
import PeerList
import PeerRecording
import TerminalList

/// Puts a comparison into lines: who only the one has, who only the other, and what both have otherwise.
struct ComparisonInWords {
    private let comparison: ListComparison
    private let first: String
    private let second: String
    private let charset: Charset

    /// A comparison of two lists with these titles, in the characters that may be sent.
    init(_ comparison: ListComparison, first: String, second: String, charset: Charset) {
        self.comparison = comparison
        self.first = first
        self.second = second
        self.charset = charset
    }

    /// The lines: a heading as that of diff(1), an item a line, and what it all amounts to.
    var lines: [String] {
        let update = comparison.update
        let gone = update.difference.deletedItems.compactMap { update.departures[$0.item]?.item }
        let new = update.difference.insertedItems.compactMap { update.arrivals[$0.item] }
        let changed = update.difference.reconfiguredItems.compactMap { update.changes[$0.item] }
        return
            (["--- \(first)", "+++ \(second)"]
            + gone.map { "- \($0.title): \($0.summary(charset))" }
            + new.map { "+ \($0.title): \($0.summary(charset))" }
            + changed.flatMap { change in
                ["~ \(change.was.title)"] + change.inWords.map { "    \($0)" }
            } + [counts])
            .map { SafeText.logText($0, charset: charset) }
    }

    private var counts: String {
        """
        \(comparison.onlyInFirst) only in the first, \(comparison.onlyInSecond) only in the second, \
        \(comparison.changedCount) different, \(comparison.sameCount) the same
        """
    }
}
