// The list of the article on writing a view, a page of HTML.
import DiffCore
import Testing

private final class HTMLList: DiffableListView {
    private var content: ListContent<String, Int, String, String>?
    private var sections: [(header: String, rows: [String])] = []

    /// The page, for a browser.
    var html: String {
        sections.map { section in
            let rows = section.rows.map { "<li>\($0)</li>" }.joined()
            return "<h2>\(section.header)</h2><ul>\(rows)</ul>"
        }.joined()
    }

    func attach(_ content: ListContent<String, Int, String, String>) {
        precondition(self.content == nil, "the view has a data source already")
        self.content = content
    }

    func reloadData(to snapshot: DiffableDataSourceSnapshot<String, Int>) {
        sections = []
        perform(snapshot.difference(from: .init()), to: snapshot)
    }

    func performBatchUpdates(
        _ difference: SnapshotDifference<String, Int>,
        to snapshot: DiffableDataSourceSnapshot<String, Int>, animation: RowAnimation
    ) {
        perform(difference, to: snapshot)
    }

    private func perform(
        _ difference: SnapshotDifference<String, Int>,
        to snapshot: DiffableDataSourceSnapshot<String, Int>
    ) {
        func row(_ path: IndexPath) -> String {
            content?.cell(path, snapshot.itemIdentifier(at: path)) ?? ""
        }
        for step in difference.steps {
            switch step {
            case .deleteItem(let path):
                sections[path.section].rows.remove(at: path.item)
            case .insertItem(let path, let final):
                sections[path.section].rows.insert(row(final), at: path.item)
            case .moveItem(let from, let to):
                let moved = sections[from.section].rows.remove(at: from.item)
                sections[to.section].rows.insert(moved, at: to.item)
            case .insertSection(let index):
                sections.insert(("", []), at: index)
            case .moveSection(let from, let to):
                sections.insert(sections.remove(at: from), at: to)
            case .deleteSection(let index):
                sections.remove(at: index)
            case .reloadItem(let path), .reconfigureItem(let path):
                sections[path.section].rows[path.item] = row(path)
            case .reloadSection(let index):
                for item in sections[index].rows.indices {
                    sections[index].rows[item] = row(IndexPath(item: item, section: index))
                }
            }
        }
        for (index, section) in snapshot.sectionIdentifiers.enumerated() {
            sections[index].header = content?.header(index, section) ?? ""
        }
    }
}

@Suite struct HTMLListTests {
    private let list = HTMLList()
    private let dataSource: DiffableDataSource<String, Int>

    init() {
        dataSource = DiffableDataSource(view: list) { _, path, item in
            "\(item) at \(path.item)"
        } headerProvider: { _, _, section in
            section
        }
    }

    @Test func `the page follows the snapshots, and rows that stay are kept`() {
        dataSource.apply(.init([("A", [1, 2]), ("B", [3])]))
        #expect(
            list.html == "<h2>A</h2><ul><li>1 at 0</li><li>2 at 1</li></ul>"
                + "<h2>B</h2><ul><li>3 at 0</li></ul>")
        dataSource.apply(.init([("C", [4, 2]), ("A", [3, 1])]))
        #expect(
            list.html == "<h2>C</h2><ul><li>4 at 0</li><li>2 at 1</li></ul>"
                + "<h2>A</h2><ul><li>3 at 0</li><li>1 at 0</li></ul>")
    }

    @Test func `reconfigured rows are made from the new index path`() {
        dataSource.apply(.init([("A", [1, 2])]))
        var snapshot = dataSource.snapshot()
        snapshot.moveItem(1, afterItem: 2)
        snapshot.reconfigureItems([1])
        dataSource.apply(snapshot)
        #expect(list.html == "<h2>A</h2><ul><li>2 at 1</li><li>1 at 1</li></ul>")
    }
}
