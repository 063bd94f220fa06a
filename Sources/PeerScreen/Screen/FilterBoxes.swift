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
        _ change: @escaping (inout RowChoices, _ ids: [String], _ isOn: Bool) -> Void
    ) {
        self.entries = entries
        view.choices = Choices(title, entries()) { [choose] ids, isOn in
            choose { change(&$0, ids, isOn) }
        } onEnd: { [weak self] in
            self?.entries = nil
        }
    }

    func chooseTypes() {
        let entries = { [content] in
            content.seen.typeEntries(hidden: content.choices.hiddenTypes)
        }
        guard !entries().isEmpty else { return view.show(message: "no service types yet") }
        open("Service types", entries) { choices, types, isOn in
            if isOn {
                choices.hiddenTypes.subtract(types)
            } else {
                choices.hiddenTypes.formUnion(types)
            }
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
