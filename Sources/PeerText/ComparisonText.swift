// The text of a comparison of two recorded lists.
import DiffCore
import PeerModel
package import PeerRecording
package import TerminalText

extension RecordedList {
    /// Returns the path, the observer and the time of the list.
    package func title(_ path: String) -> String {
        let name = recordingName(ofPath: path)
        guard let time = time.map(LocalTime.init) else { return name }
        return "\(name)  \(header?.observerHost ?? "")  \(time)"
    }
}

extension ListComparison {
    /// Returns a line for each item in one list only, some lines for each changed one, and the totals.
    package func lines(_ charset: Charset) -> [String] {
        let gone = update.difference.deletedItems.compactMap {
            update.items.departures[$0.item]?.item
        }
        let new = update.difference.insertedItems.compactMap { update.items.arrivals[$0.item] }
        let changed = update.difference.reconfiguredItems.compactMap {
            update.items.changes[$0.item]
        }
        let totals = """
            \(gone.count) only in the first, \(new.count) only in the second, \
            \(changed.count) different, \(sameCount) the same
            """
        return gone.map { "- \($0.title): \($0.summary(charset))" }
            + new.map { "+ \($0.title): \($0.summary(charset))" }
            + changed.flatMap { change in
                ["~ \(change.was.title)"] + change.phrases.map { "    \($0)" }
            } + [totals]
    }
}
