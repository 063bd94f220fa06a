// The boxes in which service types and observers are switched off and on.
import TerminalList

/// The boxes in which service types, and the observers of a fleet, are switched off and on.
@MainActor final class FilterBoxes {
    private let view: TerminalListView<String, RowID>
    private let content: RowContent
    /// Changes the choices and updates the rows.
    private let choose: ((inout RowChoices) -> Void) -> Void
    /// Returns the current entries of the open box, if any.
    private var entries: (() -> [Choices.Entry])?

    init(
        _ view: TerminalListView<String, RowID>, _ content: RowContent,
        choose: @escaping ((inout RowChoices) -> Void) -> Void
    ) {
        (self.view, self.content, self.choose) = (view, content, choose)
    }

    /// Updates the entries of the open box.
    func update() {
        if let entries { view.choices?.entries = entries() }
    }

    private func open(
        _ title: String, _ entries: @escaping () -> [Choices.Entry],
        only: ((inout RowChoices, _ id: String) -> Void)? = nil,
        _ change: @escaping (inout RowChoices, _ ids: [String], _ isOn: Bool) -> Void
    ) {
        self.entries = entries
        let onOnly = only.map { only in { [choose] (id: String) in choose { only(&$0, id) } } }
        view.choices = Choices(
            title, entries(),
            onSwitch: { [choose] ids, isOn in choose { change(&$0, ids, isOn) } }, onOnly: onOnly,
            onEnd: { [weak self] in self?.entries = nil })
    }

    func chooseTypes() {
        let entries = { [content] in
            content.seen.typeEntries(hidden: content.choices.hiddenTypes)
        }
        guard !entries().isEmpty else { return view.show(message: "no service types yet") }
        open("Service types", entries) { choices, type in
            choices.hiddenTypes = HiddenTypes(allBut: type)
        } _: { [content] choices, types, isOn in
            choices.hiddenTypes.set(types, isShown: isOn)
            let entries = content.seen.typeEntries(hidden: choices.hiddenTypes)
            if entries.allSatisfy({ $0.isOn == true }) { choices.hiddenTypes = [] }
        }
    }

    func chooseObservers() {
        let entries = { [content] in
            content.seen.observers.entries(hidden: content.choices.hiddenObservers)
        }
        open("Observers", entries) { [content] choices, ids, isOn in
            let names = ids.flatMap { content.seen.observers.names(of: $0) }
            if isOn {
                choices.hiddenObservers.subtract(names)
            } else {
                choices.hiddenObservers.formUnion(names)
            }
        }
    }
}
