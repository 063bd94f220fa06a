// Which key does what in the list of peers.
import PeerList
import TerminalList

extension PeerScreen {
    /// The keys of the list; those of a recording's way through time come before them.
    func keyTable(adding own: [KeyBinding], keymap: [String: [Key]]) -> KeyTable {
        let taken = Set(own.flatMap(\.keys))
        let others = (findingKeys + showingKeys + actingKeys).compactMap { binding in
            let rest = binding.keys.filter { !taken.contains($0) }
            return rest.isEmpty
                ? nil
                : KeyBinding(
                    rest, name: binding.name, binding.help, hint: binding.hint,
                    section: binding.section, action: binding.action)
        }
        return .standard(adding: own + others, section: "Moving", keymap: keymap)
    }

    private func binding(
        _ keys: [Key], _ name: String, _ help: String, hint: String? = nil, in section: String,
        _ action: @escaping (PeerScreen) -> Void
    ) -> KeyBinding {
        KeyBinding(keys, name: name, help, hint: hint, section: section) { [weak self] in
            if let self { action(self) }
        }
    }

    private var findingKeys: [KeyBinding] {
        let section = "Finding"
        return [
            binding(
                [.character("/")], "search", "search in every field", hint: "search",
                in: section
            ) { $0.search() },
            binding([.character("n")], "next-match", "next match", in: section) {
                $0.goToMatch(backwards: false)
            },
            binding([.character("N")], "previous-match", "match before", in: section) {
                $0.goToMatch(backwards: true)
            },
            binding([.escape], "clear-search", "end the search", in: section) { $0.clearSearch() },
            binding(
                [.character("t")], "types", "choose the service types shown", hint: "types",
                in: section
            ) { $0.chooseTypes() },
            binding([.character("d")], "departed", "show who has left, or not", in: section) {
                $0.choose { $0.showsDeparted.toggle() }
            },
        ]
    }

    private var showingKeys: [KeyBinding] {
        let section = "Showing"
        return [
            binding(
                [.right, .character("l")], "expand", "show the services of a device", in: section
            ) { $0.expand() },
            binding([.left, .character("h")], "collapse", "hide them", in: section) {
                $0.collapse()
            },
            binding([.character("z")], "toggle", "show or hide them", in: section) {
                $0.toggle($0.view.selectedItem)
            },
            binding([.character("+"), .character("=")], "expand-all", "of all devices", in: section)
            { $0.choose { $0.expansion.setAll(isExpanded: true) } },
            binding([.character("-")], "collapse-all", "hide all", in: section) {
                $0.choose { $0.expansion.setAll(isExpanded: false) }
            },
            binding(
                [.character("g")], "group", "group by type, or by device", hint: "group",
                in: section
            ) { $0.choose { $0.grouping = $0.grouping == .device ? .type : .device } },
            binding(
                [.character("s")], "sort", "order by name, address, arrival, type", hint: "sort",
                in: section
            ) { $0.sort() },
            binding([.character("S")], "reverse", "reverse the order", in: section) {
                $0.choose { $0.isDescending.toggle() }
            },
        ]
    }

    private var actingKeys: [KeyBinding] {
        let section = "The selected one"
        return [
            binding([.enter], "details", "details, or no details", hint: "details", in: section) {
                $0.toggleDetails()
            },
            binding([.character("c")], "copy", "copy an address, a name, a value", in: section) {
                $0.chooseCopy()
            },
            binding(
                [.character("o")], "open", "open its page, or a shell on it by ssh", in: section
            ) { $0.chooseOpen() },
            binding([.character("v")], "verify", "ask again whether it is there", in: section) {
                $0.verify()
            },
        ]
    }
}
