// Which key does what in the list of peers.
import PeerList
import TerminalList

extension PeerScreen {
    /// The keys of the list; those of a recording's way through time come before them.
    ///
    /// - Parameters:
    ///   - own: What keys do in a list of this kind; other actions lose these keys.
    ///   - keymap: Other keys that the user chose, by the names of the bindings.
    /// - Returns: All keys, those of every list among them.
    func keyTable(adding own: [KeyBinding], keymap: [String: [Key]]) -> KeyTable {
        let taken = Set(own.flatMap(\.keys))
        let others = KeyRow.bindings { [weak self] in self?.act($0) }.compactMap { binding in
            // What the user gave a key keeps its place in the help, for that key.
            let isChosen = binding.name.map { keymap[$0] != nil } ?? false
            return binding.without(taken) ?? (isChosen ? binding.without([]) : nil)
        }
        return .standard(
            adding: own + others, section: KeyRow.Section.moving.rawValue, keymap: keymap)
    }

    private func act(_ action: KeyRow.Name) {
        switch action {
        case .search: search()
        case .nextMatch: goToMatch(backwards: false)
        case .previousMatch: goToMatch(backwards: true)
        case .clearSearch: clearSearch()
        case .types: chooseTypes()
        case .departed: choose { $0.showsDeparted.toggle() }
        case .group: choose { $0.grouping = $0.grouping == .device ? .type : .device }
        case .sort: sort()
        case .reverseSort: choose { $0.isDescending.toggle() }
        case .expand: expand()
        case .collapse: collapse()
        case .toggle: toggle(view.selectedItem)
        case .expandAll: choose { $0.expansion.setAll(isExpanded: true) }
        case .collapseAll: choose { $0.expansion.setAll(isExpanded: false) }
        case .details: toggleDetails()
        case .sidePane: toggleSidePane()
        case .focus: view.switchFocus()
        case .verify: verify()
        case .verifyAll: verifyAll()
        case .copy: chooseCopy()
        case .open: chooseOpen()
        case .ssh: chooseShell()
        }
    }
}
