// Snapshots written as text.
import DiffCore

typealias TextSnapshot = DiffableDataSourceSnapshot<String, String>

extension DiffableDataSourceSnapshot<String, String> {
    /// Creates the snapshot described by a text such as `A(a b) B()`.
    init(_ text: String) {
        self.init()
        for part in text.split(separator: ")") {
            let pieces = part.split(separator: "(", omittingEmptySubsequences: false)
            let section = String(pieces[0].drop { $0 == " " })
            appendSections([section])
            appendItems(pieces[1].split(separator: " ").map(String.init), toSection: section)
        }
    }

    /// The text that describes the sections and items.
    var text: String {
        sectionIdentifiers.map { section in
            "\(section)(\(itemIdentifiers(inSection: section).joined(separator: " ")))"
        }.joined(separator: " ")
    }
}
