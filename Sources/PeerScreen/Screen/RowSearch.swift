// Searches the rows for a text as it is typed, and selects the matches.
import PeerText
import TerminalList

/// The search of the list, and the row that was selected before it.
@MainActor final class RowSearch {
    private let view: TerminalListView<String, RowID>
    private let content: RowContent
    /// Changes the choices and updates the rows.
    private let choose: ((inout RowChoices) -> Void) -> Void
    private var rowBefore: RowID?

    init(
        _ view: TerminalListView<String, RowID>, _ content: RowContent,
        choose: @escaping ((inout RowChoices) -> Void) -> Void
    ) {
        (self.view, self.content, self.choose) = (view, content, choose)
    }

    /// Prompts for a text, and searches for it as it is typed.
    func begin() {
        let former = content.choices.search
        rowBefore = view.selectedItem
        // After the frame that shows the prompt, and before a letter.
        Task { content.seen.prepareSearch() }
        view.prompt = TextPrompt("/", text: former) { [weak self] text in
            self?.search(for: text)
        } onEnd: { [weak self] isAccepted in
            guard let self, !isAccepted else { return }
            search(for: former)
            selectNearest(to: rowBefore)
        }
    }

    /// Searches for a text; selects the first match, unless the selected row matches and may stay so.
    func search(for text: String, keepsMatch: Bool = true) {
        choose { $0.search = text }
        view.highlight =
            content.rows.isSearching
            ? { [content] in FoldedText($0).ranges(of: content.rows.needle) } : nil
        if !content.rows.isSearching { return selectNearest(to: rowBefore) }
        if keepsMatch, let row = view.selectedItem, content.rows.isMatch(row) { return }
        if let match = content.rows.firstMatch { view.select(match) }
    }

    /// Ends the search; the selected row stays selected.
    func end() {
        let row = view.selectedItem ?? rowBefore
        view.highlight = nil
        choose { $0.search = "" }
        selectNearest(to: row)
    }

    /// Follows rows to their replacements.
    func replace(_ rows: [RowID: RowID]) { rowBefore = rowBefore.map { rows[$0] ?? $0 } }

    func selectNearest(to row: RowID?) {
        let row = row.flatMap { content.rows.nearest(to: $0, content.seen) }
        if let row { view.select(row) }
    }
}
