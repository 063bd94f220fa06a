// What keys choose: a search, the types shown, the order, what is unfolded.
import PeerList
import TerminalList

extension PeerScreen {
    /// Asks for what to search for, and shows what is found while it is typed.
    func search() {
        if content.choices.search.isEmpty { rowBeforeSearch = view.selectedItem }
        view.prompt = TextPrompt("/", text: content.choices.search) { [weak self] text in
            self?.search(for: text)
        } onEnd: { [weak self] isAccepted in
            if !isAccepted { self?.clearSearch() }
        }
    }

    private func search(for text: String) {
        choose { $0.search = text }
        let needle = SearchNeedle(text)
        view.highlight = needle.isEmpty ? nil : { FoldedText($0).ranges(of: needle) }
        if needle.isEmpty { return selectRowBeforeSearch() }
        if let row = view.selectedItem, content.rows.isMatch(row) { return }
        if let match = content.rows.match(after: nil) { view.select(match) }
    }

    private func selectRowBeforeSearch() {
        let row = rowBeforeSearch.flatMap { content.rows.nearest(to: $0, content.seen) }
        if let row { view.select(row) }
    }

    /// Shows all again, with the selection where it was before the search.
    func clearSearch() {
        view.highlight = nil
        if !content.choices.search.isEmpty { choose { $0.search = "" } }
        selectRowBeforeSearch()
        rowBeforeSearch = nil
    }

    /// Selects the next row that is found, or the one before.
    func goToMatch(backwards isBackwards: Bool) {
        guard content.rows.isSearching else { return tell("no search: press / to begin one") }
        guard let row = content.rows.match(after: view.selectedItem, backwards: isBackwards) else {
            return tell("no match")
        }
        view.select(row)
    }

    /// Shows the list of types on the air, each to be switched off or on.
    func chooseTypes() {
        let entries = typeEntries
        guard !entries.isEmpty else { return tell("no service types yet") }
        isChoosingTypes = true
        view.choices = Choices("Service types", entries) { [weak self] types, isOn in
            self?.choose { choices in
                if isOn {
                    choices.hiddenTypes.subtract(types)
                } else {
                    choices.hiddenTypes.formUnion(types)
                }
            }
        } onEnd: { [weak self] in
            self?.isChoosingTypes = false
        }
    }

    /// Brings the list of types up to date while it is shown.
    func updateTypes() {
        guard isChoosingTypes else { return }
        view.choices?.entries = typeEntries
    }

    private var typeEntries: [Choices.Entry] {
        TypeTally(content.seen, hidden: content.choices.hiddenTypes).entries.map { entry in
            Choices.Entry(
                entry.id, entry.title, detail: "\(entry.id)  \(entry.count)", isOn: entry.isShown)
        }
    }

    /// Sorts the list by the next key.
    func sort() {
        choose { $0.sort = $0.sort.next }
        tell("sorted by \(content.choices.sort.rawValue)")
    }

    /// Sorts the list by a column, or, where it is sorted by that already, the other way round.
    func sort(byColumn index: Int) {
        guard let sort = RowColumn.all(of: content.choices.grouping)[index].sort else { return }
        choose { choices in
            choices.isDescending = choices.sort == sort && !choices.isDescending
            choices.sort = sort
        }
    }

    /// Shows the services of the selected device.
    func expand() {
        guard let id = view.selectedItem?.device else { return tellNothingBeneath() }
        choose { $0.expansion.set(id, isExpanded: true) }
    }

    /// Hides the services of the selected device, or of the one that the selected service is of.
    func collapse() {
        guard let row = view.selectedItem, let id = row.device else { return tellNothingBeneath() }
        // The selection goes where the rows go.
        if let parent = row.parent { view.select(parent) }
        choose { $0.expansion.set(id, isExpanded: false) }
    }

    /// Shows the services of a row's device, or hides them.
    func toggle(_ row: RowID?) {
        guard let id = row?.device else { return tellNothingBeneath() }
        choose { $0.expansion.set(id, isExpanded: !$0.expansion.contains(id)) }
    }

    private func tellNothingBeneath() {
        tell(
            content.choices.grouping == .type
                ? "grouped by type: press g for devices and their services"
                : "the row has no services to show")
    }
}
