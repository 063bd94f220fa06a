// The state of a choice on the screen: the marked rows, and the line that says what the keys do.
import TerminalList

/// The choice of rows of the live list.
package struct Picker {
    let options: PickOptions
    /// Receives the chosen rows, and how many of those marked have departed; no row if the user
    /// leaves.
    let onEnd: ([PickedRow], _ departedCount: Int) -> Void
    /// The marked rows, in the order in which they were marked.
    private(set) var marked: [RowID] = []
    /// A message in place of the keys, until the next one is pressed.
    var message: String?

    package init(
        _ options: PickOptions,
        onEnd: @escaping ([PickedRow], _ departedCount: Int) -> Void
    ) {
        (self.options, self.onEnd) = (options, onEnd)
    }

    /// The keys that do not edit the search while it is empty.
    var keysWhileEmpty: Set<Key> {
        Set([.left, .right, .home, .end] + (options.isMulti ? [.character(" ")] : []))
    }

    /// Marks a row, or removes its mark.
    mutating func toggle(_ row: RowID) {
        if let index = marked.firstIndex(of: row) {
            marked.remove(at: index)
        } else {
            marked.append(row)
        }
    }

    /// Moves marks from rows to their replacements.
    mutating func replace(_ rows: [RowID: RowID]) { marked = marked.map { rows[$0] ?? $0 } }

    /// Chooses the marked rows, or else the selected one; returns why none of them can be chosen.
    func choose(selected: RowID?, in seen: DeviceIndex) -> String? {
        let rows = marked.isEmpty ? [selected].compactMap(\.self) : marked
        guard !rows.isEmpty else { return "nothing is selected" }
        let found = rows.compactMap { PickedRow($0, in: seen) }
        guard !found.isEmpty else { return "the device has departed" }
        let faults = found.compactMap { $0.fault(printing: options.part) }
        if faults.count == found.count { return faults[0] }
        onEnd(found, rows.count - found.count)
        return nil
    }

    /// Returns the line above the prompt: a message, or the number of marks and the keys.
    func footer(columns: Int) -> [ListCell.Field] {
        if let message { return [.init(message, style: Style(.bold, tone: .caution))] }
        var hints = ["Enter choose", "Esc leave", "F1 help"]
        if options.isMulti { hints.insert("Tab mark", at: 1) }
        let text = hints.joined(separator: columns < 60 ? "  " : "   ")
        guard !marked.isEmpty else { return [.init(text, style: .muted)] }
        return [
            .init("\(marked.count) marked   ", style: .init(.bold)), .init(text, style: .muted),
        ]
    }
}

/// Returns the keys of the list while rows are chosen. The prompt handles Enter, Esc and typing.
func pickKeys(
    _ options: PickOptions, mark: @escaping () -> Void,
    setExpanded: @escaping (Bool) -> Void
) -> KeyTable {
    var own = [
        KeyBinding(typing: "narrow the list to what matches") { _ in },
        KeyBinding([.enter], "choose the marked rows, or else this one"),
        KeyBinding([.escape], "leave without a choice"),
        KeyBinding([.right], "show a device's services, before typing") { setExpanded(true) },
        KeyBinding([.left], "hide a device's services, before typing") { setExpanded(false) },
    ]
    if options.isMulti {
        own.append(
            KeyBinding([.tab, .character(" ")], "mark the row; Space before typing", run: mark))
    } else {
        own[1] = KeyBinding([.enter], "choose this row")
    }
    return .typing(adding: own)
}
