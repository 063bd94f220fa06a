// Sidebar: outlines of folders, once as structs and once as identifiers.
import DiffCore
import Glibc
import TerminalList

/// The same mailboxes in two sections, each an outline below a header; beside them the letters of the
/// selected mailbox.
///
/// In the first section an item is a struct with the contents of its row. When a property changes, it
/// is another item: the old one is deleted, so the selection moves to its neighbour, and the new one
/// is inserted collapsed. In the second section an item is an identifier, and the contents of its row
/// are looked up: the row keeps its selection and its expansion.
@MainActor final class Sidebar {
    enum Section: String { case structs = "As structs", identifiers = "As identifiers" }

    /// An item: different kinds in one outline.
    enum Item: Hashable { case header(Section), folder(Folder), identifier(Folder.ID) }

    let view = TerminalListView<Section, Item>(
        columns: [
            ListColumn("Folder", minimum: 20, ideal: 29, rank: 1),
            ListColumn("Unread", minimum: 6, ideal: 6, alignment: .trailing),
        ], timing: ListTiming(departure: .zero))
    private lazy var dataSource = DiffableDataSource<Section, Item>(view: view) {
        [unowned self] _, _, item in
        cell(of: item)
    }
    private var folders = Dictionary(uniqueKeysWithValues: Folder.all.map { ($0.id, $0) })

    init() {
        view.keys = .standard(adding: [
            KeyBinding([.character("u")], "receive a letter", hint: "letter") {
                [unowned self] in if let item = view.selectedItem { letterArrives(in: item) }
            }
        ])
        view.header = ListHeader("Mailboxes", status: "press u in each section")
        view.selectionDidChange = { [unowned self] in showLetters(in: $0) }
        show(.structs) { .folder($0) }
        show(.identifiers) { .identifier($0.id) }
    }

    /// Shows all folders below their parents and a header, the first one expanded.
    private func show(_ section: Section, _ item: (Folder) -> Item) {
        var outline = DiffableDataSourceSectionSnapshot<Item>()
        outline.append([.header(section)])
        for folder in Folder.all {
            let parent = folder.parent.flatMap { folders[$0] }
            outline.append([item(folder)], to: parent.map(item) ?? .header(section))
        }
        outline.expand([.header(section), item(Folder.all[0])])
        dataSource.apply(outline, to: section, animatingDifferences: false)
    }

    private func folder(of item: Item) -> Folder? {
        switch item {
        case .header: nil
        case .folder(let folder): folder
        case .identifier(let id): folders[id]
        }
    }

    private func cell(of item: Item) -> ListCell {
        if case .header(let section) = item {
            return ListCell([.init(section.rawValue)], style: Style(.bold))
        }
        guard let folder = folder(of: item) else { return ListCell([]) }
        return ListCell([.init(folder.id), .init(folder.unread == 0 ? "" : "\(folder.unread)")])
    }

    /// Shows the letters of the selected folder beside the list.
    private func showLetters(in item: Item?) {
        guard let item, let folder = folder(of: item) else { return view.pane = nil }
        let letters = (0..<folder.unread).map { "Letter \(folder.unread - $0)" }
        let lines = letters.isEmpty ? ["No unread letters."] : letters
        view.pane = TextPane(folder.id, folder.id, lines.map { TextPane.Line([.init($0)]) })
    }

    /// Adds an unread letter in both sections, and shows whether the selection was kept.
    private func letterArrives(in item: Item) {
        // The selected row may be a departed one until the next frame.
        guard dataSource.indexPath(for: item) != nil, let old = folder(of: item) else { return }
        var new = old
        new.unread += 1
        folders[old.id] = new

        // The struct is a new item, inserted at the position of the old one.
        var outline = dataSource.snapshot(for: .structs)
        let children = outline.snapshot(of: .folder(old))
        outline.insert([.folder(new)], before: .folder(old))
        outline.delete([.folder(old)])
        outline.replace(childrenOf: .folder(new), using: children)
        dataSource.apply(outline, to: .structs)

        // The identifier is the same: only the contents of its row changed.
        var snapshot = dataSource.snapshot()
        let same = [Item.identifier(old.id)].filter { snapshot.indexOfItem($0) != nil }
        snapshot.reconfigureItems(same)
        dataSource.apply(snapshot)

        let isThere = dataSource.indexPath(for: item) != nil
        view.header.status = isThere ? "selection kept" : "selection lost"
        showLetters(in: view.selectedItem)
    }

    /// Shows the list until the user quits; returns the exit status.
    func run() async -> Int32 { await view.run() }
}

@main @MainActor enum Program {
    static func main() async { exit(await Sidebar().run()) }
}
