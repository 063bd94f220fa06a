// What keys do in a box of choices.

extension TerminalListView {
    /// Does what a key does in the choices; `nil` where there are none.
    func handleInChoices(_ key: Key, _ action: KeyAction?) -> KeyResponse? {
        guard let choices else { return nil }
        switch (key, action) {
        case (.enter, _) where choices.hasCheckBoxes:
            self.choices = nil
            choices.onEnd()
        case (.enter, _), (.character(" "), _): chooseAtCursor()
        case (.character("a"), _) where choices.hasCheckBoxes: switchAll(true)
        case (.character("n"), _) where choices.hasCheckBoxes: switchAll(false)
        case (_, .quit) where key == .control("c"): return .quit
        case (.escape, _), (_, .quit):
            self.choices = nil
            choices.onEnd()
        case (_, .redraw): return .redraw
        case (_, .moveBy(let count)): self.choices?.move(by: count)
        case (_, .pageBy(let count)): self.choices?.move(by: count * max(1, lastSize.rows - 3))
        case (_, .first): self.choices?.move(to: 0)
        case (_, .last): self.choices?.move(to: choices.entries.count)
        default: return .unknown
        }
        return .handled
    }

    /// Switches or picks the entry at the cursor.
    func chooseAtCursor() {
        guard let choices else { return }
        if let switched = self.choices?.toggle() {
            choices.onSwitch([switched.id], switched.isOn)
        } else if let id = choices.selectedID {
            self.choices = nil
            choices.onPick(id)
        }
    }

    private func switchAll(_ isOn: Bool) {
        guard let ids = choices?.switchAll(isOn), !ids.isEmpty else { return }
        choices?.onSwitch(ids, isOn)
    }
}
